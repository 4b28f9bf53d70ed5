package transfer

import (
	"fmt"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// Clip returns the poses as a clip of the model: a key for each frame. See [bodymodel.Body.Clip].
func (r *Result) Clip(name string) (skinning.Clip, error) {
	m := r.rig.model
	poses := make([]bodymodel.Pose, len(r.Frames))
	for i := range r.Frames {
		poses[i] = r.Frames[i].Pose
	}
	limbs := make([]int, len(r.rig.node))
	for l := range limbs {
		limbs[l] = l
	}
	clip, uneven, err := r.rig.body.Clip(m, r.rig.node, limbs, r.rig.bind, poses, r.times)
	if err == nil && uneven >= 0 {
		err = fmt.Errorf("node %d %q: nodes above it are scaled unevenly, no turn of it is one of its limb", uneven,
			messages.Shortened(m.Skeleton.Nodes[uneven].Name))
	}
	if err != nil {
		return clip, fmt.Errorf("%s: %w", m.Name, err)
	}
	clip.Name = name
	return clip, nil
}
