// The only place that encodes: linear to sRGB, with half a step of noise so that dark gradients do not band.
uniform sampler2D picture;
uniform vec2 origin; // of the viewport in the target, pixels
uniform vec2 size;        // of one picture, pixels
uniform int side;         // pictures side by side and below each other, whose mean is shown
uniform bool transparent; // colours are multiplied by alpha, which stays

out vec4 color;

vec3 encode(vec3 c) {
	return mix(12.92 * c, 1.055 * pow(max(c, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

float noise(vec2 p) {
	return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715))));
}

void main() {
	vec2 pixel = gl_FragCoord.xy - origin;
	vec4 p = vec4(0.0);
	for (int k = 0; k < side * side; k++)
		p += texelFetch(picture, ivec2(pixel) + ivec2(size) * ivec2(k % side, k / side), 0);
	p /= float(side * side);
	float alpha = transparent ? clamp(p.a, 0.0, 1.0) : 1.0;
	vec3 c = clamp(p.rgb / max(alpha, 1e-4), 0.0, 1.0);
	color = vec4(encode(c) + (noise(floor(pixel)) - 0.5) / 255.0, alpha);
}
