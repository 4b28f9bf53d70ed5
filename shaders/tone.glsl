// A tone curve that leaves colours up to 0.76 as they are, so that base colours come out as painted, and rolls highlights off towards
// white: the shoulder of Khronos' PBR neutral tone mapper, without its toe, which crushes a dark studio. Linear in, linear out.
vec3 toneMap(vec3 color) {
	const float start = 0.76, desaturation = 0.15;
	float peak = max(color.r, max(color.g, color.b));
	if (peak < start)
		return color;
	float d = 1.0 - start;
	float rolled = 1.0 - d * d / (peak + d - start);
	color *= rolled / peak;
	float g = 1.0 - 1.0 / (desaturation * (peak - rolled) + 1.0);
	return mix(color, vec3(rolled), g);
}
