// The normal of a vertex from the posed triangles round it (RTER section 6, third pass). CPU twin: skinning.OneRings.Normals.
#include "posedat.glsl"

int instance(); // each stage has its own: the instance of the crowd that it works on

uniform samplerBuffer posed;          // position, normal, position, ... of all vertices of all instances
uniform usamplerBuffer ringTriangles; // the vertices of each triangle of each ring
uniform float unit;                   // one over the model's size: areas then neither vanish nor overflow
uniform bool mirrored;                // a joint mirrors: normals take the side of the transformed ones

const uint REVERSED = 0x80000000u; // in a ring's count: at rest its triangles face against the normal

vec3 posedPosition(uint vertex) {
	return texelFetch(posed, 2 * posedAt(int(vertex), instance())).xyz;
}

// Ring: first and count in ringTriangles. Where it has no area the transformed normal stays.
vec3 ringNormal(uvec2 ring, vec3 transformed) {
	vec3 sum = vec3(0);
	int first = int(ring.x), count = int(ring.y & ~REVERSED);
	for (int k = 0; k < count; k++) {
		uvec3 t = texelFetch(ringTriangles, first + k).xyz;
		vec3 a = posedPosition(t.x);
		sum += cross((posedPosition(t.y) - a) * unit, (posedPosition(t.z) - a) * unit);
	}
	if (mirrored ? dot(sum, transformed) < 0.0 : ring.y >= REVERSED)
		sum = -sum;
	float largest = max(abs(sum.x), max(abs(sum.y), abs(sum.z)));
	return largest > 0.0 ? normalize(sum / largest) : transformed;
}
