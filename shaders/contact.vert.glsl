#include "scene.glsl"

// The model seen from under the floor: where it is low, it shuts out the room's light.
out float height; // above the floor, 1 at the top of the range

void main() {
	vec3 position, normal;
	readVertex(position, normal);
	height = (position.y - floorDisc.y) / contact.w;
	vec2 at = (position.xz - contact.xy) / contact.z;
	gl_Position = vec4(2.0 * at - 1.0, 0, 1);
}
