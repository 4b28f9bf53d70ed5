package bake

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// corner is a rig of one joint that moves evenly to a place while its master turns, and from there evenly back.
type corner struct {
	skinning.Rig  // nil: the baker calls none of its methods
	joint, master int
	turn          float64 // of the master at the place, radians
}

func (r *corner) Key() string              { return "corner" }
func (r *corner) Names() skinning.RigNames { return skinning.RigNames{} }
func (r *corner) Joints() []int            { return []int{r.joint} }
func (r *corner) Reads() []int             { return []int{r.master} }

func (r *corner) Shares(int) ([]uint16, []float64) { return []uint16{uint16(r.master)}, []float64{1} }

func (r *corner) Validate(*skinning.Skeleton) error { return nil }

func (r *corner) NewDriver(*skinning.Skeleton, simd.Level) skinning.RigDriver { return r }

// Drive moves the joint up by a metre for each radian between the turn of its master and r.turn.
func (r *corner) Drive(f *skinning.Frame) {
	m := geom.IdentityAffine()
	m[7] = math.Abs(turnOf(&f.Matrices[r.master]) - r.turn)
	f.SetMatrix(r.joint, &m)
}

// turnOf returns the angle of a rotation, radians.
func turnOf(m *geom.Affine) float64 { return math.Acos(max(-1, min(1, (m[0]+m[5]+m[10]-1)/2))) }

// TestBakeCorner: what is stated is the largest error between keys, also where a bone turns a corner late between two
// samples. Its error there is half as large again as in the middle, and the middle is within the tolerance.
func TestBakeCorner(t *testing.T) {
	m, err := demo.New("demo:box")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	turn := func(seconds float64) float64 {
		m.SamplePose(pose, clip, seconds)
		frame.SetPose(pose)
		return turnOf(&frame.Matrices[1])
	}
	const (
		step  = 1.0 / 32 // between samples, of eight in the quarter of a second between two keys of the clip
		late  = 0.78     // of the way between two samples
		place = (11 + late) * step
	)
	slope := (turn(place+1e-3) - turn(place-1e-3)) / 2e-3
	skin := m.Skin.Influences
	skin.Bindings = append([]skinning.Binding(nil), skin.Bindings...)
	skin.Bindings[0].Joints[0] = uint16(len(m.Skeleton.Joints))
	rig := &corner{joint: len(m.Skeleton.Joints), master: 1, turn: turn(place)}
	fitted, err := m.WithRig(rig, []mgl64.Vec3{m.Skeleton.Joints[1].Position}, skin)
	if err != nil {
		t.Fatal(err)
	}
	middle := (1 - late) * slope * step // the error there, of keys at the samples
	bone := Bone{Joint: rig.joint, Beside: rig.master, Parent: -1, Fallback: -1}
	b := New(t.Context(), fitted, []Bone{bone}, settings(1.1*middle, 1))
	baked, _ := b.bake(clip)
	p, worst := &baked.Tracks[0][translationPath], 0.0
	keys := boneKeys{times: p.Times}
	for _, v := range p.Values {
		keys.keys = append(keys.keys, Key{Translation: mgl64.Vec3(v[:3])})
	}
	for k := range 20 * int(leastRate*m.Clips[clip].Seconds) {
		seconds := float32(k) / (20 * leastRate)
		at := keys.at(seconds).Translation[1] - baked.Tracks[0][translationPath].Values[0][1]
		live := math.Abs(turn(float64(seconds))-rig.turn) - math.Abs(turn(0)-rig.turn)
		worst = max(worst, math.Abs(at-live))
	}
	if !(slope > 0.1) || !(worst <= 1.1*baked.Error) || baked.Error > baked.Allowed {
		t.Errorf("%g m off, %g stated, %g allowed", worst, baked.Error, baked.Allowed)
	}
}
