#include "scene.glsl"

layout(location = 6) in vec2 uv;
layout(location = 14) in vec2 secondUV;
layout(location = 15) in vec4 vertexColor;
uniform bool bumped; // a normal map is shown: only then are tangents read

out vec3 worldPosition;
out vec3 worldNormal;
out vec4 worldTangent;
out vec2 surfaceUV;
out vec2 surfaceSecondUV;
out vec4 surfaceColor;

void main() {
	readVertex(worldPosition, worldNormal);
	worldTangent = bumped ? readTangent() : vec4(0);
	surfaceUV = uv;
	surfaceSecondUV = secondUV;
	surfaceColor = vertexColor;
	gl_Position = viewProjection * vec4(worldPosition, 1);
}
