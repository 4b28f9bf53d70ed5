#include "binding.glsl"

// Posed vertices of a pass that draws: from the posed buffer.
layout(location = 0) in vec3 posedPosition;
layout(location = 1) in vec3 posedNormal;

layout(location = 13) in vec4 posedTangent;

vec4 readTangent() {
	return posedTangent;
}

void readVertex(out vec3 position, out vec3 normal) {
	position = posedPosition;
	normal = posedNormal;
}
