#include "palette.glsl"
#include "influences.glsl"

// Sum of weight * matrix over the influences: the linear blend of one part (MATRIX or SCALE) of the palette.
mat3x4 blendRows(int part) {
	mat3x4 m = mat3x4(0);
	int n = influenceCount();
	for (int k = 0; k < n; k++) {
		Influence f = influence(k);
		if (f.weight == 0.0)
			break;
		m += f.weight * paletteRows(f.joint, part);
	}
	return m;
}

// sign(det) times the cofactors of a matrix given by its rows: it maps normals like the inverse transpose does, up to a
// positive factor, and survives singular matrices. CPU twin: geom.Mat3.NormalMatrix.
vec3 transformNormal(mat3x4 rows, vec3 n) {
	vec3 a = rows[0].xyz, b = rows[1].xyz, c = rows[2].xyz;
	vec3 bc = cross(b, c);
	vec3 m = vec3(dot(bc, n), dot(cross(c, a), n), dot(cross(a, b), n));
	return dot(a, bc) < 0.0 ? -m : m;
}
