#include "proxies.glsl"

// Solves for proxy bones by transform feedback: a vertex is a proxy of an instance.
out vec4 proxyRowX;
out vec4 proxyRowY;
out vec4 proxyRowZ;

void main() {
	mat3x4 rows = mat3x4(0);
	for (int k = 0; k < proxyWidth; k++)
		addProxyRows(rows, proxyCoefficients(gl_VertexID, k), gl_InstanceID, k);
	proxyRowX = rows[0];
	proxyRowY = rows[1];
	proxyRowZ = rows[2];
	gl_Position = vec4(0, 0, 0, 1);
}
