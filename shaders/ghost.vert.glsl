#include "scene.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

out vec3 worldPosition;
out vec3 worldNormal;

void main() {
	worldPosition = position;
	worldNormal = normal;
	gl_Position = viewProjection * vec4(position, 1);
}
