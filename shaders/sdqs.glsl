#include "dual.glsl"
#include "linear.glsl"

// Scale-supporting dual quaternion skinning: scales about the joints' rest positions, blended linearly, then the rigid
// motions. CPU twin: skinning.Frame.Blend(SDQS).
void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 s = blendRows(SCALE);
	DualQuat b = blendDual();
	position = dualApply(b, vec4(position, 1) * s);
	normal = quatRotate(b.real, transformNormal(s, normal));
}
