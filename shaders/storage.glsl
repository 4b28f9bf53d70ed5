// The rest streams as the compute stage reads them: storage buffers, laid out like the attributes of attributes.glsl,
// unpacked into globals of the same names.
layout(std430, binding = 0) readonly buffer RestStream {
	float restStream[]; // position and normal, 6 a vertex
};
layout(std430, binding = 1) readonly buffer BindingStream {
	uint bindingStream[]; // four joints of 16 bits, four weights: 6 words a vertex
};
layout(std430, binding = 2) readonly buffer ExtraStream {
	uvec2 extraStream[]; // unused where the model has no further influences
};
layout(std430, binding = 3) readonly buffer CenterStream {
	uint centerStream[]; // unused where only linear blending poses the model
};

uniform bool extras, centers; // whether the last two are there

vec3 restPosition, restNormal;
uvec4 joints;
vec4 weights;
uvec2 extra;
uint centerSet;

void loadVertex(int v) {
	int r = 6 * v;
	restPosition = vec3(restStream[r], restStream[r + 1], restStream[r + 2]);
	restNormal = vec3(restStream[r + 3], restStream[r + 4], restStream[r + 5]);
	uint a = bindingStream[r], b = bindingStream[r + 1];
	joints = uvec4(a & 0xffffu, a >> 16, b & 0xffffu, b >> 16);
	weights = vec4(uintBitsToFloat(bindingStream[r + 2]), uintBitsToFloat(bindingStream[r + 3]),
		uintBitsToFloat(bindingStream[r + 4]), uintBitsToFloat(bindingStream[r + 5]));
	extra = extras ? extraStream[v] : uvec2(0);
	centerSet = centers ? centerStream[v] : 0u;
}

int instance() {
	return int(gl_GlobalInvocationID.y);
}
