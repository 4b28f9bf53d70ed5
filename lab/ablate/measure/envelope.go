package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// examples makes a set of examples.
type examples func() (*training.Examples, error)

// held is which of four examples is kept from the training where there are no others to test on.
const held = 2

// envelope fits enveloping by a recipe to examples and tests it on others, nil for some kept from the training.
func envelope(recipe *enveloping.Recipe, proxies int, seen, unseen examples) (o Outcome, err error) {
	x, err := seen()
	if err != nil {
		return o, err
	}
	u := x
	if unseen == nil {
		x, u = pick(x, func(i int) bool { return i%4 != held }), pick(x, func(i int) bool { return i%4 == held })
	} else if u, err = unseen(); err != nil {
		return o, err
	}
	var r *enveloping.Result
	o.Seconds = cputime.Of(func() {
		r, err = enveloping.Fit(context.Background(), x, enveloping.Options{Recipe: recipe, Proxies: proxies, Workers: 1})
	}).Seconds()
	if err != nil {
		return o, err
	}
	o.Seen, o.BaseSeen = r.Fit.EE, r.SSD.EE
	o.Unseen, o.BaseUnseen = r.Model.Measure(u).EE, r.Trained.Measure(u).EE
	o.Added = r.Model.Proxies()
	for _, w := range r.Model.Weights {
		o.Influences += float64(len(w)) / float64(len(r.Model.Weights))
	}
	return o, nil
}

func pick(x *training.Examples, keep func(i int) bool) *training.Examples {
	var kept []int
	for i := range x.Targets {
		if keep(i) {
			kept = append(kept, i)
		}
	}
	return x.Pick(kept)
}

// shapes are a model's own at the keys of a clip.
func (s source) shapes(model, clip string) examples {
	return func() (*training.Examples, error) {
		m, err := s.open(model, "")
		if err != nil {
			return nil, err
		}
		c, err := m.ClipIndex(clip)
		if err != nil {
			return nil, err
		}
		return (&training.Set{Teacher: skinning.LBS, Clip: c, Times: m.Clips[c].KeyTimes()}).Examples(m)
	}
}

// taught makes n examples of a method at even times of a clip, "" for the range of motion; bulge adds displacements
// that no method makes.
func (s source) taught(model, clip string, n int, method skinning.Method, bulge float64) examples {
	return func() (*training.Examples, error) {
		m, err := s.open(model, clip)
		if err != nil {
			return nil, err
		}
		frames := training.RangeOfMotionPoses(m, n)
		if clip != "" {
			c, err := m.ClipIndex(clip)
			if err != nil {
				return nil, err
			}
			if frames, err = ofClip(m, c, n); err != nil {
				return nil, err
			}
		}
		targets := make([][]mgl64.Vec3, len(frames))
		for i, f := range frames {
			targets[i] = f.Positions(method)
		}
		x := training.NewExamples(m, frames, targets)
		if bulge > 0 {
			addBulges(m, x, bulge)
		}
		return x, nil
	}
}

// addBulges moves the surface as muscles do: along the normal in the middle of the parent's bone on one side, by 1 −
// cos of the joint's angle, and around the joint by the sine of its twist.
func addBulges(m *skinning.Model, x *training.Examples, size float64) {
	for i := range x.Targets {
		q := make([]geom.Quat, len(x.Parents))
		for j := range q {
			r, _ := geom.PolarDecompose(x.Palettes[i][j].Linear())
			q[j] = geom.QuatFromMat3(r)
		}
		target := append([]mgl64.Vec3(nil), x.Targets[i]...)
		for j, p := range x.Parents {
			if p < 0 || x.Parents[p] < 0 {
				continue
			}
			a, b := m.Skeleton.Joints[p].Position, m.Skeleton.Joints[j].Position
			along := b.Sub(a)
			l := along.Len()
			if l < 0.02*m.Diagonal() {
				continue
			}
			turn := q[p].Conjugate().Mul(q[j])
			theta := geom.RotationVector(turn)
			bend := (1 - math.Cos(theta.Len())) / 2
			twist := math.Sin(theta.Dot(along.Mul(1/l)) / 2)
			side := along.Cross(mgl64.Vec3{along[1], along[2], -along[0]}).Normalize()
			for v, rest := range x.Rest {
				d := rest.Sub(a.Add(b).Mul(0.5))
				wp, wj := 0.0, 0.0
				for _, s := range x.Rigged[v] {
					switch int(s.Joint) {
					case p:
						wp += s.Weight
					case j:
						wj += s.Weight
					}
				}
				n := geom.Vec64(m.Skin.Normals[v])
				g := wp * math.Exp(-d.Dot(d)/(0.12*l*l)) * math.Max(0, n.Dot(side))
				move := n.Mul(size * l * g * bend)
				move = move.Add(along.Mul(1 / l).Cross(rest.Sub(b)).Mul(size * 4 * wp * wj * twist))
				target[v] = target[v].Add(q[p].Rotate(move))
			}
		}
		x.Targets[i] = target
	}
}

// sequence pairs every step-th frame of the mesh sequence with its rig.
func (s source) sequence(first, step int) examples {
	return func() (*training.Examples, error) {
		m, err := s.open("sequences/bone_rig.glb", "")
		if err != nil {
			return nil, err
		}
		var info struct {
			Vertices int
			Fps      float64
		}
		all, err := s.meshes("sequences/bone_sequence", &info, &info.Vertices)
		if err != nil {
			return nil, err
		}
		var times []float64
		var targets [][]mgl64.Vec3
		for i := first; i < len(all); i += step {
			times, targets = append(times, float64(i)/info.Fps), append(targets, all[i])
		}
		return (&training.Set{Times: times, Targets: targets}).Examples(m)
	}
}

// meshes reads the shapes of a .f32 file, and what the .json file beside it says of them, their number of vertices too.
func (s source) meshes(name string, info any, vertices *int) (all [][]mgl64.Vec3, err error) {
	text, err := os.ReadFile(filepath.Join(s.folder, name+".json"))
	if err == nil {
		err = json.Unmarshal(text, info)
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(s.folder, name+".f32"))
	if err != nil {
		return nil, err
	}
	if *vertices < 1 || len(data)%(12**vertices) != 0 {
		return nil, fmt.Errorf("%s.f32: %d bytes, expected shapes of %d vertices", name, len(data), *vertices)
	}
	for len(data) > 0 {
		shape := make([]mgl64.Vec3, *vertices)
		for v := range shape {
			for c := range 3 {
				shape[v][c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data)))
				data = data[4:]
			}
		}
		all = append(all, shape)
	}
	return all, nil
}
