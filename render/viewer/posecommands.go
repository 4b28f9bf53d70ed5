package viewer

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/viewer/state"
)

// poseCommands are the keys of the skeleton and of posing.
func poseCommands() []command {
	return []command{
		{"O", "Pose joints", []glfw.Key{glfw.KeyO}, false, false,
			func(a *app, _ int) { a.state.ToggleTab(state.TabPose) }},
		{"K", "Skeleton", []glfw.Key{glfw.KeyK}, false, false,
			func(a *app, _ int) { a.state.ToggleSkeleton() }},
		{"Shift K", "Names of its joints", []glfw.Key{glfw.KeyK | withShift}, false, false,
			func(a *app, _ int) { a.state.ToggleNames() }},
		{"D", "The skin: weights, influences, normals", []glfw.Key{glfw.KeyD}, false, false,
			func(a *app, _ int) { a.state.StepSkin(1) }},
		{"Shift G", "Ghost of the rest pose", []glfw.Key{glfw.KeyG | withShift}, false, false,
			func(a *app, _ int) { a.state.Ghost = !a.state.Ghost }},
		{"Shift N", "Vertex normals", []glfw.Key{glfw.KeyN | withShift}, false, false,
			func(a *app, _ int) { a.state.NormalLines = !a.state.NormalLines }},
		{"A", "Turn about own or world axes", []glfw.Key{glfw.KeyA}, false, false,
			func(a *app, _ int) { a.state.WorldAxes = !a.state.WorldAxes }},
		{"M", "Mirror the pose", []glfw.Key{glfw.KeyM}, false, false, func(a *app, _ int) { a.mirrorPose() }},
		{"Del", "Reset the picked joint", []glfw.Key{glfw.KeyDelete}, false, false, func(a *app, _ int) { a.resetBone() }},
		{"Ctrl Del", "Reset all joints", []glfw.Key{glfw.KeyDelete}, true, false, func(a *app, _ int) { a.resetPose() }},
		{"Ctrl Z", "Undo posing", []glfw.Key{glfw.KeyZ}, true, true, func(a *app, _ int) { a.undoPose(true) }},
		{"Ctrl Shift Z", "Redo posing", []glfw.Key{glfw.KeyZ | withShift, glfw.KeyY}, true, true,
			func(a *app, _ int) { a.undoPose(false) }},
	}
}
