#include "cutout.glsl"

void main() {
	cutOut();
}
