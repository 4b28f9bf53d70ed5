#include "binding.glsl"

// The rest streams as a vertex stage reads them.
layout(location = 0) in vec3 restPosition;
layout(location = 1) in vec3 restNormal;
