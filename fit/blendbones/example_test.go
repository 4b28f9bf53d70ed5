package blendbones_test

import (
	"context"
	"fmt"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// A fit is a row of the table of fits, and a job runs it: on a model, on the poses that it learns from, with options.
// The result is a model again, which is posed by linear blending like any other, and package export writes it.
//
// This one adds up to four blend bones to a box, so that linear blending looks like dual quaternions when the box is
// twisted.
func Example() {
	m, err := assets.Open("demo:box")
	if err != nil {
		fmt.Println(err)
		return
	}
	train, err := m.ClipIndex("train")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := fit.Run(context.Background(), fit.Job{
		Method: blendbones.Method,
		Model:  m,
		Training: &training.Set{
			Teacher: skinning.DQS,
			Parts:   []training.Part{{Clip: train, Frames: 4}},
		},
		Tests:  training.Tests{Clip: -1}, // no test
		Values: fit.Values{"bones": 4},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Report.AddedBones, "bones more")
	fmt.Println("within 5 % of dual quaternions:", result.Report.EE < 5)
	fmt.Println(len(result.Model.Skeleton.Joints), "joints, driven by", len(result.Model.Rigs), "rig")
	// Output:
	// 4 bones more
	// within 5 % of dual quaternions: true
	// 6 joints, driven by 1 rig
}
