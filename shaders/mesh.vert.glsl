#include "scene.glsl"

layout(location = 6) in vec2 uv;
layout(location = 7) in vec4 tint;

out vec3 worldPosition;
out vec3 worldNormal;
out vec2 surfaceUV;
out vec4 surfaceTint;

void main() {
	readVertex(worldPosition, worldNormal);
	surfaceUV = uv;
	surfaceTint = tint;
	gl_Position = viewProjection * vec4(worldPosition, 1);
}
