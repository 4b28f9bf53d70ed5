package render

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// twoSets returns a model with a second weight set that is far from the first: at each vertex that of a vertex
// elsewhere in the mesh, with the vertex's own pivot among them. Wide spreads it over six influences.
func twoSets(t testing.TB, name string, wide bool) *skinning.Model {
	t.Helper()
	m := *assetstest.Open(t, name)
	twist, n := &skinning.Influences{}, len(m.Skin.Positions)
	var raw []skinning.Influence
	for v := range n {
		raw = append(raw[:0], skinning.Influence{Joint: m.Skin.Bindings[v].Joints[0], Weight: 0.5})
		raw = m.Skin.Of(raw, (v+n/7)%n)
		for k := 0; wide && k < 5; k++ {
			j := (int(raw[0].Joint) + k) % len(m.Skeleton.Joints)
			raw = append(raw, skinning.Influence{Joint: uint16(j), Weight: 0.1 + 0.02*float32(k)})
		}
		twist.Append(raw, 0)
	}
	m.Skin.SetSecond(skinning.TwistSwing, twist)
	return &m
}

// turned returns a pose in which every joint is turned by 0.7 rad, about no axis of the model.
func turned(m *skinning.Model) testPose {
	p := m.NewPose()
	for j := range m.Skeleton.Joints {
		r := &p.Local[m.Skeleton.Joints[j].Node].Rotation
		*r = r.Mul(geom.AxisAngle(mgl64.Vec3{1, 2, 3}.Normalize(), 0.7))
	}
	return testPose{p, -1, "turned", 0}
}

// TestTwoSetsMatchCPU holds the shader of every method against the reference by every way of skinning, on models with
// a second weight set: with four influences a vertex, and with more in either set. Twist-swing must read that set,
// and the others must not.
func TestTwoSetsMatchCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, c := range []struct {
		name string
		wide bool
	}{{"demo:arm", false}, {"Fox.glb", true}, {"RobotExpressive.glb", true}, {"hostile/two_weight_sets.glb", true}} {
		t.Run(fmt.Sprint(c.name, " ", c.wide), func(t *testing.T) {
			m, r := twoSets(t, c.name, c.wide), newTestRenderer(t)
			one := *m
			one.Skin.SetSecond(skinning.TwistSwing, nil)
			poses := append(posesOf(m), turned(m))
			each := func(m *skinning.Model, do func(f *skinning.Frame, method skinning.Method, at testPose)) {
				setModel(t, r, m)
				f := skinning.NewFrame(m, nil)
				for _, at := range poses {
					if at.name != "turned" {
						m.SamplePose(at.pose, at.clip, at.seconds)
					}
					f.SetPose(at.pose)
					for _, method := range skinning.Methods() {
						do(f, method, at)
					}
				}
			}
			var single [][]skin.Vertex
			each(&one, func(f *skinning.Frame, method skinning.Method, _ testPose) {
				single = append(single, readPosed(t, r, f, method))
			})
			differs, n := false, 0
			each(m, func(f *skinning.Frame, method skinning.Method, at testPose) {
				compareToReference(t, r, f, method, at.String())
				same := slices.Equal(readPosed(t, r, f, method), single[n])
				n++
				if method != skinning.TwistSwing && !same {
					t.Errorf("%v, %v: the second weight set changes the result", method, at)
				}
				differs = differs || !same
			})
			if !differs {
				t.Error("no pose shows the second weight set: the test shows nothing")
			}
		})
	}
}

// TestTwoSetsCrowd holds every instance of a crowd against the model posed alone, as TestCrowdMatchesSingle.
func TestTwoSetsCrowd(t *testing.T) {
	m, r := twoSets(t, "Fox.glb", true), newTestRenderer(t)
	setModel(t, r, m)
	c := newTestCrowd(t, r, m, 2)
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	c.Pose(5, 0, 0.37*m.Clips[0].Seconds, skinning.TwistSwing.Reads())
	everyWay(t, r, func(way skin.Way) {
		got := readCrowd(t, r, c, f, skinning.TwistSwing)
		for i := range 5 {
			m.SamplePose(pose, 0, c.Time(i))
			f.SetPose(pose)
			compareInstance(t, r.modelOf(f).Model, got, readPosed(t, r, f, skinning.TwistSwing), c, i, way.String())
		}
	})
}
