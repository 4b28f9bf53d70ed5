#include "scene.glsl"

// The model seen from under the floor: where it is low, it shuts out the room's light.
layout(location = 6) in vec2 uv;
layout(location = 15) in vec4 vertexColor;

out float height; // above the floor, 1 at the top of the range
out vec2 surfaceUV;
out vec4 surfaceColor;

void main() {
	vec3 position, normal;
	readVertex(position, normal);
	surfaceUV = uv;
	surfaceColor = vertexColor;
	height = (position.y - floorDisc.y) / contact.w;
	vec2 at = (position.xz - contact.xy) / contact.z;
	gl_Position = vec4(2.0 * at - 1.0, 0, 1);
}
