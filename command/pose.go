package command

// This file is the command line's way to pose files.

import (
	"fmt"
	"os"

	"skinlab/assets"
	"skinlab/skinning"
)

// readPose reads the file of --pose and says on standard error what of it the model lacks.
func (o *options) readPose(m *skinning.Model) (*skinning.Pose, error) {
	if o.cmd.Flags().Changed("clip") || o.cmd.Flags().Changed("time") {
		return nil, usagef("--pose stands in place of --clip and --time")
	}
	pose := m.NewPose()
	warnings, err := assets.ReadPose(o.pose, m, pose)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", o.pose, w)
	}
	return pose, nil
}

// posedByFile returns the model in the pose of --pose; the clip is none.
func (o *options) posedByFile(m *skinning.Model) (*skinning.Frame, int, error) {
	pose, err := o.readPose(m)
	if err != nil {
		return nil, 0, err
	}
	frame := skinning.NewFrame(m, nil)
	frame.SetPose(pose)
	return frame, -1, nil
}
