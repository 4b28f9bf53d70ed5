// The matrices of proxy bones, t = c1 d + c2 q (RTER equation 6 and section 6, first pass). x, y and z share c1 and c2, so that for all
// instances together it is one product of matrices: a row per number of a proxy's row, a column per coordinate of an instance. CPU twin:
// rig.EnvelopingDriver.Solve.
uniform samplerBuffer proxyRows;   // [c2 c1]: proxy after proxy, per term a texel of the four rows of its matrix
uniform samplerBuffer proxyInputs; // per instance the columns [q d] of x, of y and of z, four terms a texel, zeros behind the last
uniform int proxyTerms;            // of a row
uniform int proxyWidth;            // texels of a column

// Adds the share of the k-th four terms to the three rows of a proxy's matrix.
void addProxyRows(inout mat3x4 rows, mat4 c, int instance, int k) {
	int at = 3 * proxyWidth * instance + k;
	rows[0] += c * texelFetch(proxyInputs, at);
	rows[1] += c * texelFetch(proxyInputs, at + proxyWidth);
	rows[2] += c * texelFetch(proxyInputs, at + 2 * proxyWidth);
}

// The k-th four terms of a proxy. Behind its last are the next one's, which meet zeros.
mat4 proxyCoefficients(int proxy, int k) {
	int at = proxyTerms * proxy + 4 * k, last = textureSize(proxyRows) - 1;
	return mat4(texelFetch(proxyRows, at), texelFetch(proxyRows, min(at + 1, last)), texelFetch(proxyRows, min(at + 2, last)),
		texelFetch(proxyRows, min(at + 3, last)));
}
