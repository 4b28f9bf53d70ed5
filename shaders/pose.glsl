// What posing must know beside the palette. Filled by package render/skin, poseBlock.
layout(std140) uniform Pose {
	int instanceTexels; // of the palette, for one instance of a crowd
	int centerBase;     // the texel of an instance's first rotation centre
	int morphTexels;    // of morphActive, for one instance; 0 where no morph target is active
	int unrolled;       // 1: the signs follow the rotations through a clip (shortest path off), never flip
	int skinVertices;   // vertices of the skin, which come first
	int vertices;       // of the skin and all rigid meshes
	int instances;      // 1 without a crowd
	int columns;        // of the crowd's grid
	int firstProxy;     // the palette's entry of the first proxy bone: those before it are an instance's own
	int proxies;        // of an instance
	int proxyBase;      // the texel of the first instance's first one
	int proxyTexels;    // of one: jointTexels, or three rows where the GPU solves for them
	int jointTexels;    // of a joint's entry of the palette
	vec4 place;         // of the crowd: x and z of the first instance, steps along x and z
};
