#include "quaternion.glsl"

// Logarithm and exponential of unit dual quaternions. A unit dual quaternion is (sin h n, cos h) + e(...) with half angle h in
// [0, pi]; its logarithm is h n + e(h m + p n), moment m and half pitch p. The textbook forms divide by sin h or h, and their
// differences cancel for small angles, where float32 would lose all digits; so the quotients are written as functions of h with
// a series below half a radian, whose first dropped term is under 1e-8. CPU twins: skinning.DualQuat.Log and ExpDual.

void dualLog(DualQuat q, out vec3 real, out vec3 dual) {
	vec3 v = q.real.xyz, d = q.dual.xyz;
	float s = length(v), w = q.real.w, w0 = q.dual.w;
	float h = atan(s, w);
	float ratio, slope; // ratio = h/sin h; slope = (1 - h cot h)/sin^2 h, so that d(ratio) = -slope * w0
	if (h < 0.5) {
		float h2 = h * h;
		ratio = 1.0 / (1.0 + h2 * (-1.0 / 6.0 + h2 * (1.0 / 120.0 - h2 / 5040.0)));
		slope = ratio * ratio * (1.0 / 3.0 + h2 * (1.0 / 45.0 + h2 * (2.0 / 945.0 + h2 / 4725.0)));
	} else if (s > 1e-6) {
		ratio = h / s;
		slope = (1.0 - ratio * w) / (s * s);
	} else { // a full turn: the axis is undefined
		real = v;
		dual = d * sign(w);
		return;
	}
	real = ratio * v;
	dual = ratio * d - slope * w0 * v;
}

DualQuat dualExp(vec3 real, vec3 dual) {
	float h2 = dot(real, real), h = sqrt(h2), c = cos(h);
	float sinc, slope; // sinc = sin h / h; slope = (cos h - sinc)/h^2
	if (h < 0.5) {
		sinc = 1.0 + h2 * (-1.0 / 6.0 + h2 * (1.0 / 120.0 - h2 / 5040.0));
		slope = -1.0 / 3.0 + h2 * (1.0 / 30.0 + h2 * (-1.0 / 840.0 + h2 / 45360.0));
	} else {
		sinc = sin(h) / h;
		slope = (c - sinc) / h2;
	}
	float along = dot(real, dual);
	return DualQuat(vec4(sinc * real, c), vec4(sinc * dual + slope * along * real, -sinc * along));
}
