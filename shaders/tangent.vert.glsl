// Poses every tangent once a frame into a buffer (transform feedback). Joined after attributes.glsl and a method's file.
#include "skin.glsl"

layout(location = 13) in vec4 restTangent;

out vec4 posedTangent;

void main() {
	posedTangent = restTangent.w == 0.0 ? restTangent : poseTangent(gl_VertexID, restTangent);
	gl_Position = vec4(0, 0, 0, 1);
}
