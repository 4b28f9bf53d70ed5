#include "linear.glsl"

// Linear blending of vertices that three numbers have shifted at rest: the method that tests add to the table.
void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 m = blendRows(MATRIX);
	position = vec4(position + values.xyz, 1) * m;
	normal = transformNormal(m, normal);
}
