// What all passes of one picture share. Filled by package render/picture, sceneBlock.
layout(std140) uniform Scene {
	mat4 viewProjection;
	mat4 shadowMatrix; // world to the shadow map's texture space
	vec4 eye;          // xyz; w the model's diagonal
	vec4 keyDirection; // towards the light; w the shadow map's world size of a texel
	vec4 fillDirection; // w: shadow taps
	vec4 rimDirection; // w: shadow map's depth range, world units
	vec4 cameraUp;     // w: 0 where the camera is under the floor, 1 above
	vec4 floorDisc;    // centre; w radius
	vec4 grid;         // minor cell, turn of the samples of shadows, shadow map's world width, strength of the fill light
	vec4 contact;      // contact map: least x, least z, width, height range above the floor
	vec4 viewport;     // width, height in pixels, and the corner of a part of a larger picture
	vec4 floorKey;     // light of the floor by the key light, and by the room, over that of the studio
	vec4 floorRoom;
	vec4 keyColor;     // radiance of the key light of materials
	vec4 irradiance[9]; // of the surroundings, see package render/environment
};
