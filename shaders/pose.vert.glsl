// Poses every vertex once a frame into a buffer (transform feedback) that all later passes read. Joined after attributes.glsl and a
// method's file.
#include "skin.glsl"

out vec3 posedPosition;
out vec3 posedNormal;

void main() {
	poseVertex(gl_VertexID, posedPosition, posedNormal);
	gl_Position = vec4(posedPosition, 1);
}
