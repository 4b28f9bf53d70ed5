#include "backdrop.glsl"

in vec2 screen;
out vec4 color;

void main() {
	color = vec4(backdrop(screen), 1);
}
