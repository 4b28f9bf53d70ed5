#include "spherical.glsl"

// Spherical blend skinning about the rotation centre of the vertex's joints. CPU twin: skinning.Frame.Blend(SBS).
void skinVertex(inout vec3 position, inout vec3 normal) {
	turnAbout(rotationCenter(int(centerSet)), position, normal);
}
