#include "scene.glsl"

in vec3 worldPosition;
in vec3 worldNormal;

// The triangle's own normal on the side that is seen. It asks neither for the winding nor for gl_FrontFacing, which is wrong where a
// mirrored joint turns triangles inside out.
vec3 seenFace() {
	vec3 face = cross(dFdx(worldPosition), dFdy(worldPosition));
	face *= dot(face, eye.xyz - worldPosition) < 0.0 ? -1.0 : 1.0;
	float l = length(face);
	return l > 0.0 ? face / l : normalize(worldNormal);
}

// The interpolated normal on the side that is seen. A normal that faces the eye stays as it is given, however far from its
// triangle's: turned round pixel by pixel, it would cut stripes into the surface.
vec3 seenNormal() {
	vec3 n = normalize(worldNormal);
	return dot(n, seenFace()) < 0.0 && dot(n, eye.xyz - worldPosition) < 0.0 ? -n : n;
}
