#include "dual.glsl"

// Dual quaternion skinning (ALNS appendix A): the rigid parts alone. CPU twin: skinning.Frame.Blend(DQS).
void skinVertex(inout vec3 position, inout vec3 normal) {
	DualQuat b = blendDual();
	position = dualApply(b, position);
	normal = quatRotate(b.real, normal);
}
