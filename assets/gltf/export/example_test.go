package export_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// A fitted model is written into the file that it was made from. Every player shows the result by plain linear
// skinning, since each clip has keys for the added joints. skinlab reads back what drives them, so they follow any
// pose.
func ExampleFile() {
	const source = "demo:tube"
	m, err := assets.Open(source)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	result, err := fit.Run(ctx, fit.Job{
		Method: blendbones.Method, Model: m, Values: fit.Values{"bones": 3},
		Training: &training.Set{Teacher: skinning.DQS, Parts: []training.Part{{Clip: 0, Frames: 6}}},
		Tests:    training.Tests{Clip: -1},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	folder, err := os.MkdirTemp("", "skinlab")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "fitted.glb")
	report, err := export.File(ctx, path, source, result.Model, export.Options{RMS: result.Report.RMS})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Bones, "bones in", len(report.Clips), "clips")
	fmt.Println("between keys within a thousandth of the size:", report.MaxError < 1e-3)

	again, err := assets.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(m.Skeleton.Joints), "joints before,", len(again.Skeleton.Joints), "after")
	// Output:
	// 3 bones in 2 clips
	// between keys within a thousandth of the size: true
	// 4 joints before, 7 after
}
