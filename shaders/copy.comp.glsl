// Copies a buffer, as a measure of how fast memory is.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer From {
	uvec4 from[];
};
layout(std430, binding = 1) writeonly buffer To {
	uvec4 to[];
};

uniform int count;

void main() {
	for (int i = int(gl_GlobalInvocationID.x); i < count; i += int(gl_NumWorkGroups.x) * 256)
		to[i] = from[i];
}
