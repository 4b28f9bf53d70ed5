package viewer

import "skinlab/skinning"

// openPose stands the model that the window opens on in a pose, as if a person had made it: over the clip, which is paused.
func (a *app) openPose(p *skinning.Pose) {
	a.editing()
	a.setPose()
	a.shown.copyPose(a.tools.before)
	a.posing.putPose(p, a.tools.before)
	a.setPose()
	a.frameAll()
}
