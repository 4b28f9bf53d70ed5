// The studio's back wall: neutral, dark, a soft pool of light behind the model. Linear, after the tone curve.
vec3 backdrop(vec2 screen) {
	vec2 d = (screen - vec2(0.5, 0.56)) * vec2(1.15, 1.25);
	float pool = exp(-2.6 * dot(d, d));
	return mix(vec3(0.0105, 0.0112, 0.0125), vec3(0.044, 0.0465, 0.051), pool);
}
