#include "scene.glsl"

layout(location = 0) in vec3 position;

void main() {
	gl_Position = viewProjection * vec4(position, 1);
	gl_Position.z -= 2e-4 * gl_Position.w; // in front of its own triangles
}
