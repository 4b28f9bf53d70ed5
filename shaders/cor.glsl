#include "spherical.glsl"
#include "linear.glsl"

// Skinning with optimised centres of rotation (Le and Hodgins 2016): scales about the joints' rest positions, blended
// linearly, then spherical blending about the vertex's own centre, which the same scale has moved. CPU twin:
// skinning.Frame.BlendVertex(COR).
void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 s = blendRows(SCALE);
	position = vec4(position, 1) * s;
	normal = transformNormal(s, normal);
	turnAbout(vec4(values.xyz, 1) * s, position, normal);
}
