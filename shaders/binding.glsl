// What binds the current vertex to joints, as a vertex stage reads it: attributes. The compute stage has storage.glsl instead, with
// the same names.
layout(location = 2) in uvec4 joints;
layout(location = 3) in vec4 weights;
layout(location = 4) in uvec2 extra; // first and count in extraInfluences
layout(location = 5) in uint centerSet;

int instance() {
	return gl_InstanceID;
}
