uniform vec3 lineColor;

in float along;
out vec4 color;

void main() {
	color = vec4(lineColor * mix(0.55, 1.0, along), 1);
}
