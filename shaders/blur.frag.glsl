// One direction of a Gaussian with its own width for each of two channels.
uniform sampler2D source;
uniform vec2 direction;  // one texel along the blur
uniform vec2 deviations; // texels, one per channel

in vec2 screen; // 0 to 1
out vec4 color;

void main() {
	vec2 sum = vec2(0), total = vec2(0);
	int reach = int(ceil(2.5 * max(deviations.x, deviations.y)));
	for (int i = -reach; i <= reach; i++) {
		float x = float(i);
		vec2 w = exp(-0.5 * x * x / (deviations * deviations));
		sum += w * textureLod(source, screen + x * direction, 0.0).rg;
		total += w;
	}
	color = vec4(sum / total, 0, 1);
}
