package kernel_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// BenchmarkRatios reports the time of every method's kernel over that of linear blending in the same round, a median of
// 50 rounds. It counts the thread's own time on the processor, so that a busy machine hardly changes it.
func BenchmarkRatios(b *testing.B) {
	human := assetstest.Open(b, "human_male.glb")
	dancing := skinning.NewFrame(human, nil)
	pose := human.NewPose()
	human.SamplePose(pose, 0, 0.3*human.Clips[0].Seconds)
	dancing.SetPose(pose)
	two, four := skinningtest.RandomModel(30_000, 70, 2, 1), skinningtest.RandomModel(30_000, 70, 4, 1)
	for _, c := range []struct {
		name string
		*skinning.Frame
	}{
		{"human_male", dancing},
		{"infl=2", skinningtest.RandomFrame(two, 2)}, {"infl=2/scaled", skinningtest.ScaledFrame(two, 2)},
		{"infl=4", skinningtest.RandomFrame(four, 2)}, {"infl=4/scaled", skinningtest.ScaledFrame(four, 2)},
	} {
		for _, level := range simd.Levels() {
			b.Run(fmt.Sprintf("%s/%v", c.name, level), func(b *testing.B) {
				for range b.N {
					reportRatios(b, c.Frame, level)
				}
			})
		}
	}
}

func reportRatios(b *testing.B, f *skinning.Frame, level simd.Level) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d, out := skinning.NewDeformer(f.Model, 1), skinning.NewOutput(f.Model)
	defer d.Close()
	d.UseLevel(level)
	seconds := func(m skinning.Method) float64 {
		d.Deform(&out, m, f) // into the caches
		var from, to unix.Timespec
		if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &from) != nil {
			b.Fatal("no clock of the thread")
		}
		for range max(1, 60_000/len(out.Positions)) {
			d.Deform(&out, m, f)
		}
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &to)
		return float64(to.Nano() - from.Nano())
	}
	ratios := make([][]float64, len(skinning.Methods()))
	for range 50 {
		linear := seconds(skinning.LBS)
		for i, m := range skinning.Methods() {
			ratios[i] = append(ratios[i], seconds(m)/linear)
		}
	}
	for i, m := range skinning.Methods() {
		slices.Sort(ratios[i])
		b.ReportMetric(ratios[i][len(ratios[i])/2], m.String()+"/lbs")
	}
}
