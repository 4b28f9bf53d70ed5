#include "scene.glsl"

void main() {
	vec3 position, normal;
	readVertex(position, normal);
	gl_Position = viewProjection * vec4(position, 1);
	gl_Position.z -= 4e-5 * gl_Position.w; // in front of its own triangles, by 0.2 % of the distance to the eye
}
