// The whole way of one vertex from rest to posed: morph targets, the method, and its instance's place in a crowd. Joined after what
// gives the streams (attributes.glsl or storage.glsl) and after a method's file, so that all ways of skinning share it.
#include "pose.glsl"
#include "morph.glsl"

void poseVertex(int vertex, out vec3 position, out vec3 normal) {
	vec3 p = restPosition, n = restNormal, t = vec3(0);
	applyMorphs(vertex, p, n, t);
	vec3 rest = n;
	skinVertex(p, n);
	float l = length(n);
	if (instances > 1)
		p += vec3(place.x + place.z * float(instance() % columns), 0, place.y + place.w * float(instance() / columns));
	position = p;
	normal = l > 0.0 ? n / l : normalize(rest);
}

// The tangent of a posed vertex; w is the bitangent's sign. By its own influences a method moves the points about a vertex affinely, so
// that two of them show how tangent and bitangent turn. A mirror image changes the sign. CPU twin: the linear part of
// skinning.Frame.BlendVertex, with skinning.MapTangent.
vec4 poseTangent(int vertex, vec4 tangent) {
	vec3 p = restPosition, n = restNormal;
	applyMorphs(vertex, p, n, tangent.xyz);
	float far = 1.0 + length(p); // keeps digits where coordinates are large
	vec3 along = p + far * tangent.xyz, across = p + far * tangent.w * cross(n, tangent.xyz);
	vec3 rest = n, other = n;
	skinVertex(p, n);
	skinVertex(along, other);
	other = rest;
	skinVertex(across, other);
	vec3 t = along - p;
	float l = length(t);
	return vec4(l > 0.0 ? t / l : t, dot(cross(n, t), across - p) < 0.0 ? -1.0 : 1.0);
}
