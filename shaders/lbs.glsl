#include "linear.glsl"

// Linear blend skinning (ALNS section 3). CPU twins: skinning.Frame.Blend(LBS) and the LBS kernel, held within 1e-5 of the
// model's size by TestGPUMatchesCPU in package render, as are all methods.
void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 m = blendRows(MATRIX);
	position = vec4(position, 1) * m;
	normal = transformNormal(m, normal);
}
