// The studio's back wall: neutral, with a soft pool of light behind the model. Linear, after the tone curve.
uniform vec3 wall, pool; // its colours far from the model and behind it

vec3 backdrop(vec2 screen) {
	vec2 d = (screen - vec2(0.5, 0.56)) * vec2(1.15, 1.25);
	return mix(wall, pool, exp(-2.6 * dot(d, d)));
}
