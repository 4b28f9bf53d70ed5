#include "backdrop.glsl"

uniform vec4 part; // of the whole picture: the corner and the size of what is drawn

in vec2 screen;
out vec4 color;

void main() {
	color = vec4(backdrop(part.xy + part.zw * screen), 1);
}
