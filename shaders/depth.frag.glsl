#include "cutout.glsl"

void main() {
	cutOut(vec4(1));
}
