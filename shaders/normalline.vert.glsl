#include "scene.glsl"

// A normal as a thin strip towards the eye: four corners of one instance, two at the surface and two at the tip.
layout(location = 0) in vec3 position; // posed
layout(location = 1) in vec3 normal;
uniform float lineLength; // metres
uniform float lineWidth;  // pixels at the surface; the tip is a third of it

out float along;

void main() {
	along = float(gl_VertexID >> 1);
	vec4 from = viewProjection * vec4(position, 1), to = viewProjection * vec4(position + normal * lineLength, 1);
	if (from.w <= 0.0 || to.w <= 0.0) { // behind the eye: nothing
		gl_Position = vec4(2, 2, 2, 1);
		return;
	}
	vec2 run = (to.xy / to.w - from.xy / from.w) * viewport.xy;
	float l = length(run);
	vec2 across = l > 1e-4 ? vec2(-run.y, run.x) / l : vec2(1, 0);
	gl_Position = along > 0.0 ? to : from;
	float side = float(gl_VertexID & 1) * 2.0 - 1.0;
	gl_Position.xy += across * side * lineWidth * mix(1.0, 0.33, along) / viewport.xy * gl_Position.w;
	gl_Position.z -= 4e-5 * gl_Position.w; // its foot is in front of its own triangles
}
