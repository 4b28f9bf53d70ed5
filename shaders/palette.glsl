#include "pose.glsl"

// The palette of one pose: per joint eight texels, or thirteen with its twist and swing, then one texel per rotation centre of
// spherical blending. Package render packs it from skinning.Frame once a frame. A crowd's palettes lie one after the other, and
// proxy bones behind them all.
uniform samplerBuffer palette;

const int MATRIX = 0; // three rows of C_j
const int MOTION = 3; // real and dual quaternion of its rigid part
const int SCALE = 5;  // three rows of x -> a_j + S_j(x - a_j)
const int TWIST = 8;  // real and dual quaternion of the accumulated twist
const int SWING = 10; // three rows of the swing matrix

int jointTexel(int joint, int part) {
	int proxy = joint - firstProxy;
	return part + (proxy < 0 ? instance() * instanceTexels + joint * jointTexels
		: proxyBase + (instance() * proxies + proxy) * proxyTexels);
}

// Three rows of a 3x4 matrix as the columns of M, so that vec4(p, 1) * M is the transformed point.
mat3x4 paletteRows(int joint, int part) {
	int t = jointTexel(joint, part);
	return mat3x4(texelFetch(palette, t), texelFetch(palette, t + 1), texelFetch(palette, t + 2));
}

vec3 rotationCenter(int set) {
	return texelFetch(palette, instance() * instanceTexels + centerBase + set).xyz;
}
