// The distance of each posed vertex from where the reference has it, by transform feedback. Where it is not a number it is huge, so
// that it shows.
layout(location = 0) in vec3 position;  // posed
layout(location = 1) in vec3 reference; // posed by the reference

out float value;

void main() {
	float d = distance(position, reference);
	value = d >= 0.0 ? d : 3e38;
	gl_Position = vec4(0, 0, 0, 1);
}
