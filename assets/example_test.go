package assets_test

import (
	"fmt"

	"skinlab/assets"
)

// A model is opened by the name of a file, or of a built-in model. It holds the skin of all skinned meshes, the
// skeleton and the clips, and it is read-only from then on. What was unusual in the file is in its Warnings.
func ExampleOpen() {
	m, err := assets.Open("demo:arm")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(m.Skin.Positions), "vertices,", len(m.Skeleton.Joints), "joints")
	for _, clip := range m.Clips {
		fmt.Printf("%s, %.1f s\n", clip.Name, clip.Seconds)
	}
	// Output:
	// 5708 vertices, 20 joints
	// flex, 4.0 s
	// twist, 6.0 s
	// flex-twist, 6.0 s
	// poses_only, 19.0 s
	// examples, 19.0 s
}

// Errors name the file, and the element that is wrong.
func ExampleOpen_error() {
	_, err := assets.Open("nowhere.glb")
	fmt.Println(err)
	// Output:
	// nowhere.glb: no such file or directory
}
