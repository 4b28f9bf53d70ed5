// The matrices of proxy bones, t = c1 d + c2 q (RTER equation 6 and section 6, first pass). x, y and z share c1 and c2, so that for all
// instances together it is one product of matrices: a row per number of a proxy's row, a column per coordinate of an instance. CPU twin:
// skinning.EnvelopeDriver.Solve.
uniform samplerBuffer proxyRows;   // [c1 c2]: per proxy and texel of a row four texels, one for each number of a row of its matrix
uniform samplerBuffer proxyInputs; // per instance the columns [d q] of x, of y and of z
uniform int proxyWidth;            // texels of a row and of a column

// Adds the k-th texel's share to the three rows of a proxy's matrix.
void addProxyRows(inout mat3x4 rows, mat4 c, int instance, int k) {
	int at = 3 * proxyWidth * instance + k;
	rows[0] += texelFetch(proxyInputs, at) * c;
	rows[1] += texelFetch(proxyInputs, at + proxyWidth) * c;
	rows[2] += texelFetch(proxyInputs, at + 2 * proxyWidth) * c;
}

mat4 proxyCoefficients(int proxy, int k) {
	int at = 4 * (proxyWidth * proxy + k);
	return mat4(texelFetch(proxyRows, at), texelFetch(proxyRows, at + 1), texelFetch(proxyRows, at + 2), texelFetch(proxyRows, at + 3));
}
