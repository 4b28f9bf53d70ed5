#include "cutout.glsl"
#include "seen.glsl"

// The world's normal as it is stored, whatever side is seen: red, green and blue of the picture are x, y and z from -1 to 1.
out vec4 color;

void main() {
	float alpha = cutOut(vec4(1)).a;
	vec3 c = normalize(worldNormal) * 0.5 + 0.5;
	// The picture is encoded to sRGB in the end, so it is decoded here.
	color = vec4(mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045))), alpha);
}
