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
		{"A", "Turn about own or world axes", []glfw.Key{glfw.KeyA}, false, false,
			func(a *app, _ int) { a.state.WorldAxes = !a.state.WorldAxes }},
		{"M", "Mirror the pose", []glfw.Key{glfw.KeyM}, false, false, func(a *app, _ int) { a.mirrorPose() }},
		{"Del", "Reset the picked joint", []glfw.Key{glfw.KeyDelete}, false, false, func(a *app, _ int) { a.resetBone() }},
		{"Ctrl Del", "Reset all joints", []glfw.Key{glfw.KeyDelete}, true, false, func(a *app, _ int) { a.resetPose() }},
		{"Ctrl Z", "Undo posing, with Shift redo", []glfw.Key{glfw.KeyZ}, true, true,
			func(a *app, _ int) { a.undoPose(!a.shift) }},
		{"Ctrl Y", "Redo posing", []glfw.Key{glfw.KeyY}, true, true, func(a *app, _ int) { a.undoPose(false) }},
	}
}
