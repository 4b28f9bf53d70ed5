// The rest streams as the compute stage reads them: storage buffers, laid out like the attributes of attributes.glsl,
// unpacked into globals of the same names.
layout(std430, binding = 0) readonly buffer RestStream {
	vec2 restStream[]; // position and normal: 3 pairs a vertex
};
layout(std430, binding = 1) readonly buffer BindingStream {
	uvec2 bindingStream[]; // four joints of 16 bits, four weights: 3 pairs of words a vertex
};
layout(std430, binding = 2) readonly buffer ExtraStream {
	uvec2 extraStream[]; // unused where the model has no further influences
};
layout(std430, binding = 3) readonly buffer CenterStream {
	uint centerStream[]; // unused where only linear blending poses the model
};
#ifdef SECOND_SET
layout(std430, binding = 5) readonly buffer SecondStream {
	uvec2 secondStream[]; // the second weight set, like bindingStream
};
layout(std430, binding = 6) readonly buffer SecondExtraStream {
	uvec2 secondExtraStream[]; // unused where the second weight set has no further influences
};

uniform bool secondExtras; // whether that is there
uvec4 secondJoints;
vec4 secondWeights;
uvec2 secondExtra;
#endif
#ifdef VALUES
layout(std430, binding = 7) readonly buffer ValueStream {
	vec4 valueStream[];
};

vec4 values;
#endif

uniform bool extras, centers; // whether these streams are there

vec3 restPosition, restNormal;
uvec4 joints;
vec4 weights;
uvec2 extra;
uint centerSet;

uvec4 unpackJoints(uvec2 j) {
	return uvec4(j.x & 0xffffu, j.x >> 16, j.y & 0xffffu, j.y >> 16);
}

void loadVertex(int v) {
	int r = 3 * v;
	vec2 middle = restStream[r + 1];
	restPosition = vec3(restStream[r], middle.x);
	restNormal = vec3(middle.y, restStream[r + 2]);
	joints = unpackJoints(bindingStream[r]);
	weights = uintBitsToFloat(uvec4(bindingStream[r + 1], bindingStream[r + 2]));
	extra = extras ? extraStream[v] : uvec2(0);
	centerSet = centers ? centerStream[v] : 0u;
#ifdef SECOND_SET
	secondJoints = unpackJoints(secondStream[r]);
	secondWeights = uintBitsToFloat(uvec4(secondStream[r + 1], secondStream[r + 2]));
	secondExtra = secondExtras ? secondExtraStream[v] : uvec2(0);
#endif
#ifdef VALUES
	values = valueStream[v];
#endif
}

int instance() {
	return int(gl_GlobalInvocationID.y);
}
