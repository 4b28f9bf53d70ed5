// The tone curve of Khronos' PBR neutral tone mapper: base colours up to 0.8 come out as they went in, highlights roll off
// towards white. Linear in, linear out.
vec3 toneMap(vec3 color) {
	const float start = 0.8 - 0.04, desaturation = 0.15;
	float low = min(color.r, min(color.g, color.b));
	float offset = low < 0.08 ? low - 6.25 * low * low : 0.04;
	color -= offset;
	float peak = max(color.r, max(color.g, color.b));
	if (peak < start)
		return color;
	float d = 1.0 - start;
	float rolled = 1.0 - d * d / (peak + d - start);
	color *= rolled / peak;
	float g = 1.0 - 1.0 / (desaturation * (peak - rolled) + 1.0);
	return mix(color, vec3(rolled), g);
}
