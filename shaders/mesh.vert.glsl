#include "scene.glsl"

layout(location = 0) in vec3 position; // posed
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 tint;

out vec3 worldPosition;
out vec3 worldNormal;
out vec2 surfaceUV;
out vec4 surfaceTint;

void main() {
	worldPosition = position;
	worldNormal = normal;
	surfaceUV = uv;
	surfaceTint = tint;
	gl_Position = viewProjection * vec4(position, 1);
}
