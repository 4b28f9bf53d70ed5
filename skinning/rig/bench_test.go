package rig

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// BenchmarkBlendBones times the evaluation of ten blend bones, the decomposition of their masters included.
func BenchmarkBlendBones(b *testing.B) {
	m := skinningtest.RandomModel(10, 53, 4, 1)
	for _, method := range skinning.Methods() {
		for _, masters := range []int{2, 3, 4} {
			b.Run(fmt.Sprintf("%v/masters=%d", method, masters), func(b *testing.B) {
				var bones []BlendBone
				for k := range 10 {
					bone := BlendBone{}
					for i := range masters {
						bone.Masters, bone.Weights = append(bone.Masters, uint16(5*k+i)), append(bone.Weights, float64(1+(k+i)%3))
					}
					for i, w := range bone.Weights {
						total := 0.0
						for i := range masters {
							total += float64(1 + (k+i)%3)
						}
						bone.Weights[i] = w / total
					}
					bones = append(bones, bone)
				}
				m, err := WithBlendBones(m, method, bones, m.Skin.Influences)
				if err != nil {
					b.Fatal(err)
				}
				f := skinningtest.RandomFrame(m, 3)
				for b.Loop() {
					f.DriveRigs()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10, "ns/bone")
			})
		}
	}
}

// BenchmarkProxies times the two halves of what drives 80 proxies by 53 joints: predicting their gradients, and solving
// for their matrices, or for a point on each alone.
func BenchmarkProxies(b *testing.B) {
	m := randomEnvelope(b, skinningtest.RandomModel(10, 53, 4, 1), 80, 2)
	f := skinningtest.RandomFrame(m, 3)
	level, _ := simd.Default()
	d := driveProxies(f, level)
	b.Run("predict", func(b *testing.B) {
		for b.Loop() {
			d.Predict(f)
		}
	})
	b.Run("solve", func(b *testing.B) {
		for b.Loop() {
			d.Solve(f)
		}
	})
	b.Run("places", func(b *testing.B) {
		at := make([]mgl64.Vec3, 80)
		p := skinning.NewProxyPlaces(envelopeOf(m).Linear(), at)
		for b.Loop() {
			p.At(at, f)
		}
	})
}

// BenchmarkHelperBones times four helper bones of degree 2 with every coefficient: by the three joints and five angles
// of a leg (HBR section 6.1), and by all axes of five joints.
func BenchmarkHelperBones(b *testing.B) {
	for _, axes := range [][]int{{3, 1, 1}, {3, 3, 3, 3, 3}} {
		m := denseHelpers(b, axes)
		for k, f := range []*skinning.Frame{skinningtest.RandomFrame(m, 3), skinningtest.ScaledFrame(m, 3)} {
			b.Run(fmt.Sprintf("axes=%v/scaled=%t", axes, k == 1), func(b *testing.B) {
				for b.Loop() {
					f.DriveRigs()
				}
			})
		}
	}
}

// denseHelpers gives a model four helper bones that read joints by so many axes each.
func denseHelpers(b *testing.B, axes []int) *skinning.Model {
	m := skinningtest.RandomModel(10, 53, 4, 1)
	r := rand.New(rand.NewPCG(5, 6))
	helpers := HelperBones{Bones: make([]HelperBone, 4)}
	for i, count := range axes {
		in := NewHelperInput(&m.Skeleton, 4+i)
		in.Axes, in.Least, in.Most = in.Axes[:count], in.Least[:count], in.Most[:count]
		helpers.Inputs = append(helpers.Inputs, in)
		for k := range helpers.Bones {
			bone := &helpers.Bones[k]
			bone.Parent, bone.Constant = 5+k, randomMotion(r)
			for _, powers := range allPowers(count, 2) {
				bone.Terms = append(bone.Terms, HelperTerm{Input: i, Powers: powers, Coefficients: randomMotion(r)})
			}
		}
	}
	m, err := WithHelperBones(m, helpers, m.Skin.Influences)
	if err != nil {
		b.Fatal(err)
	}
	return m
}
