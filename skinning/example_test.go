package skinning_test

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// A pose has a local transform for each node. A clip sets it at a time, and any transform may be changed afterwards.
// A frame makes the palette of a pose: a matrix for each joint. A matrix takes points of the rest pose to the posed
// one, and is the identity in the pose in which the skin was bound.
func ExampleModel_SamplePose() {
	m, err := assets.Open("demo:bar")
	if err != nil {
		fmt.Println(err)
		return
	}
	clip, err := m.ClipIndex("twist")
	if err != nil {
		fmt.Println(err)
		return
	}
	pose := m.NewPose()
	m.SamplePose(pose, clip, m.Clips[clip].Seconds)

	last := len(m.Skeleton.Joints) - 1
	node := m.Skeleton.Joints[last].Node
	pose.Local[node].Translation = pose.Local[node].Translation.Add(mgl64.Vec3{0, 0.25, 0})

	frame := skinning.NewFrame(m, nil)
	frame.SetPose(pose)
	at := frame.Matrices[last].Apply(m.Skeleton.Joints[last].Position)
	fmt.Printf("%s is at %.2f m\n", m.Skeleton.Joints[last].Name, at)
	// Output:
	// bone2 is at [0.00 0.45 0.00] m
}

// A deformer poses the skin on the processor by any method. Frame and output are made once and filled again for every
// pose, so that posing allocates nothing.
func ExampleDeformer() {
	m, err := assets.Open("demo:arm")
	if err != nil {
		fmt.Println(err)
		return
	}
	clip, err := m.ClipIndex("twist")
	if err != nil {
		fmt.Println(err)
		return
	}
	pose := m.NewPose()
	frame := skinning.NewFrame(m, skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton))
	deformer := skinning.NewDeformer(m, 1)
	defer deformer.Close()
	out, skin := skinning.NewOutput(m), metrics.SkinBody(m)
	rest := metrics.Volume(skin, m.Skin.Positions)

	m.SamplePose(pose, clip, 2.1)
	frame.SetPose(pose)
	for _, method := range []skinning.Method{skinning.LBS, skinning.DQS} {
		deformer.Deform(&out, method, frame)
		fmt.Printf("%s keeps %.0f %% of the volume\n", method.Title(), 100*metrics.Volume(skin, out.Positions)/rest)
	}
	// Output:
	// Linear blend keeps 93 % of the volume
	// Dual quaternion keeps 100 % of the volume
}
