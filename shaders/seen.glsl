#include "scene.glsl"

in vec3 worldPosition;
in vec3 worldNormal;

// The interpolated normal on the side that is seen. The side is that of the triangle itself, not gl_FrontFacing, which is wrong
// where a mirrored joint turns triangles inside out.
vec3 seenNormal() {
	vec3 face = cross(dFdx(worldPosition), dFdy(worldPosition));
	vec3 view = eye.xyz - worldPosition;
	if (dot(face, view) < 0.0)
		face = -face;
	vec3 n = normalize(worldNormal);
	return dot(n, face) < 0.0 ? -n : n;
}
