package render

import "skinlab/skinning"

// Scene is one picture to draw: a posed frame of the renderer's model, a method and a point of view.
type Scene struct {
	Camera    Camera
	Method    skinning.Method
	Frame     *skinning.Frame // of the model given to SetModel; Draw uploads it
	Clay      bool            // one plain material instead of the file's
	Wireframe bool            // triangle edges over the shaded model
	Grid      bool            // floor with grid and shadows
	// X and Y are the lower left corner of the viewport in the target framebuffer, Width and Height its size, in pixels.
	X, Y, Width, Height int
}

// Info says what draws.
type Info struct {
	Vendor, Renderer, Version string
	// Software is true where the CPU rasterises (llvmpipe and the like): times are then never GPU times.
	Software bool
}
