#include "proxies.glsl"
#include "pose.glsl"

// Solves for proxy bones by a compute stage. A group is one proxy of TILE instances; its lanes share out the terms of a row, each
// fetched once for the whole tile, and then add up what they have.
const int LANES = 32, TILE = 4;

layout(local_size_x = 32) in;

layout(std430, binding = 0) writeonly buffer ProxyRows {
	vec4 solved[]; // three rows a proxy, instance after instance
};

shared mat3x4 sums[TILE * LANES];

void main() {
	int lane = int(gl_LocalInvocationID.x), proxy = int(gl_WorkGroupID.x), first = TILE * int(gl_WorkGroupID.y);
	int tile = min(TILE, instances - first);
	for (int i = 0; i < TILE; i++)
		sums[i * LANES + lane] = mat3x4(0);
	for (int k = lane; k < proxyWidth; k += LANES) {
		mat4 c = proxyCoefficients(proxy, k);
		for (int i = 0; i < tile; i++)
			addProxyRows(sums[i * LANES + lane], c, first + i, k);
	}
	for (int n = LANES / 2; n > 0; n /= 2) {
		barrier();
		if (lane < n)
			for (int i = 0; i < tile; i++)
				sums[i * LANES + lane] += sums[i * LANES + lane + n];
	}
	barrier();
	int i = lane / 3;
	if (i < tile)
		solved[3 * ((first + i) * proxies + proxy) + lane % 3] = sums[i * LANES][lane % 3];
}
