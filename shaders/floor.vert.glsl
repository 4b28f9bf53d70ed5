#include "scene.glsl"

out vec3 worldPosition;

void main() {
	vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
	worldPosition = floorDisc.xyz + vec3(corner.x, 0, corner.y) * floorDisc.w;
	gl_Position = viewProjection * vec4(worldPosition, 1);
}
