// What binds the current vertex to joints, as a vertex stage reads it: attributes. The compute stage has storage.glsl instead, with
// the same names.
layout(location = 2) in uvec4 joints;
layout(location = 3) in vec4 weights;
layout(location = 4) in uvec2 extra; // first and count in extraInfluences
layout(location = 5) in uint centerSet;
#ifdef SECOND_SET
layout(location = 9) in uvec4 secondJoints;
layout(location = 10) in vec4 secondWeights;
layout(location = 11) in uvec2 secondExtra;
#endif
#ifdef VALUES
layout(location = 12) in vec4 values; // of the method's inputs, one after the other
#endif

int instance() {
	return gl_InstanceID;
}
