// Written by go generate ./skinning/simd: change it there.

// A step of the intrinsic mean ends the iteration when the mean is off by less than this half angle, in radians;
// motions farther apart than Newton's method bears take many smaller steps. Then the determinants of M up to which a
// step is the mean itself, and up to which the dual part is not solved for. As in kernel.Iterative.
const float DIB_TOLERANCE = 4e-07;
const int DIB_LIMIT = 32;
const float DIB_SINGULAR = 0.05;
const float DIB_FLAT = 1e-06;

// The logarithm of a unit quaternion r = (v, c) is k v with k = acos(c)/sqrt(1 - c^2). Returns k and g = -dk/dc, which
// Newton's method on logarithms needs. Both are power series in 1 - c; these polynomials of least relative error hold
// up to a right half angle, within 1.1e-8 and 1.1e-6, and past it k(c) = pi/sqrt(1 - c^2) - k(-c). There is no
// cancellation, so float32 is enough at any angle. CPU twin: logarithmRatio in package kernel.
vec2 logarithmRatio(vec4 r) {
	float c = r.w, y = 1.0 - abs(c);
	float k = 0.9999999885 + y * (0.3333355884 + y * (0.1332608835 + y * (0.0580377065 +
		y * (0.0198486789 + y * (0.0309857117 + y * (-0.0351509599 + y * (0.0525787707 +
		y * (-0.0334574362 + y * 0.0113573767))))))));
	if (c >= 0.0) {
		float g = 0.3333336675 + y * (0.2666108513 + y * (0.1729347007 + y * (0.0862369750 +
		y * (0.1343777485 + y * (-0.1769125212 + y * (0.3372343893 + y * (-0.2536285875 +
		y * 0.0998117739)))))));
		return vec2(k, g);
	}
	float n = inversesqrt(max(dot(r.xyz, r.xyz), 1e-14)); // of opposite motions, which have no axis, a finite one
	k = 3.14159265359 * n - k;
	return vec2(k, (1.0 - k * c) * n * n);
}
