#include "scene.glsl"

// A posed vertex with a number, or its normal, to be shown as a colour.
layout(location = 0) in vec3 position; // posed
layout(location = 1) in vec3 normal;
layout(location = 6) in vec2 uv;
layout(location = 8) in float value;

out vec3 worldPosition;
out vec3 worldNormal;
out vec2 surfaceUV;
centroid out float surfaceValue; // never past a vertex: below 0 means none

void main() {
	worldPosition = position;
	worldNormal = normal;
	surfaceUV = uv;
	surfaceValue = value;
	gl_Position = viewProjection * vec4(position, 1);
}
