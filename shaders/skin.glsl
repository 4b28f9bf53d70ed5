// The whole way of one vertex from rest to posed: morph targets, the method, and its instance's place in a crowd. Joined after what
// gives the streams (attributes.glsl or storage.glsl) and after a method's file, so that all ways of skinning share it.
#include "pose.glsl"
#include "morph.glsl"

void poseVertex(int vertex, out vec3 position, out vec3 normal) {
	vec3 p = restPosition, n = restNormal;
	applyMorphs(vertex, p, n);
	vec3 rest = n;
	skinVertex(p, n);
	float l = length(n);
	if (instances > 1)
		p += vec3(place.x + place.z * float(instance() % columns), 0, place.y + place.w * float(instance() / columns));
	position = p;
	normal = l > 0.0 ? n / l : normalize(rest);
}
