package skin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Outline keeps the outermost of many points: the farthest ones along directions that cover the sphere evenly. A camera
// that has them in view has all points in view, but for some 2 % of their largest extent.
type Outline struct {
	// Hidden are the parts, as [skinning.Model.EachPart] counts them, whose vertices AddClip and AddFrame leave out;
	// nil for none.
	Hidden []bool

	points [2 * outlineAxes]mgl32.Vec3
	most   [2 * outlineAxes]float32
	any    bool
}

// outlineAxes is half the number of directions. They are 0.2 radians apart, so a ball reaches past its outermost points
// by 1 − cos 0.1, half a percent of its radius, and an elongated shape by a little more.
const outlineAxes = 128

// outlineDirections are points of a spiral over half of a sphere.
var outlineDirections = func() (axes [outlineAxes]mgl32.Vec3) {
	for i := range axes {
		y := (float64(i) + 0.5) / outlineAxes
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5))) // the golden angle
		r := math.Sqrt(1 - y*y)
		axes[i] = mgl32.Vec3{float32(r * c), float32(y), float32(r * s)}
	}
	return axes
}()

// Add adds a point.
func (o *Outline) Add(p mgl32.Vec3) {
	if !o.any {
		o.any = true
		for i, d := range &outlineDirections {
			at := d.Dot(p)
			o.points[2*i], o.points[2*i+1], o.most[2*i], o.most[2*i+1] = p, p, at, -at
		}
		return
	}
	for i, d := range &outlineDirections {
		at := d[0]*p[0] + d[1]*p[1] + d[2]*p[2]
		if at > o.most[2*i] {
			o.points[2*i], o.most[2*i] = p, at
		}
		if -at > o.most[2*i+1] {
			o.points[2*i+1], o.most[2*i+1] = p, -at
		}
	}
}

// AddClip adds the vertices of a frame's model at times of a clip, −1 for the static pose: the skin by linear blending
// and the rigid meshes. A vertex that is not finite is left out. The frame is posed anew.
func (o *Outline) AddClip(f *skinning.Frame, clip int, times ...float64) {
	pose, s := f.Model.NewPose(), newOutlined(f.Model, o.Hidden)
	defer s.close()
	for _, t := range times {
		f.Model.SamplePose(pose, clip, t)
		f.SetPose(pose)
		s.each(f, o.Add)
	}
}

// AddFrame adds the vertices that a frame poses, as [Outline.AddClip]. It solves the frame's proxy bones.
func (o *Outline) AddFrame(f *skinning.Frame) {
	s := newOutlined(f.Model, o.Hidden)
	defer s.close()
	s.each(f, o.Add)
}

// outlined poses the vertices of a model.
type outlined struct {
	deformer *skinning.Deformer // nil without a skin
	posed    []mgl32.Vec3
	seen     [][]skinning.Part // parts that are not hidden: of the skin, then of each rigid mesh
}

func newOutlined(m *skinning.Model, hidden []bool) *outlined {
	s := &outlined{seen: make([][]skinning.Part, 1+len(m.Rigid))}
	if len(m.Skin.Positions) > 0 {
		s.deformer, s.posed = skinning.NewDeformer(m, 1), make([]mgl32.Vec3, len(m.Skin.Positions))
	}
	if hidden == nil {
		s.seen[0] = []skinning.Part{{VertexCount: len(m.Skin.Positions)}}
		for i := range m.Rigid {
			s.seen[1+i] = []skinning.Part{{VertexCount: len(m.Rigid[i].Positions)}}
		}
		return s
	}
	k := 0
	m.EachPart(func(p *skinning.Part, rigid int) {
		if !hidden[k] {
			s.seen[1+rigid] = append(s.seen[1+rigid], *p)
		}
		k++
	})
	return s
}

func (s *outlined) close() {
	if s.deformer != nil {
		s.deformer.Close()
	}
}

// each poses a frame and gives f its finite vertices, or the places of its joints where it has no mesh.
func (s *outlined) each(frame *skinning.Frame, f func(p mgl32.Vec3)) {
	give := func(p mgl32.Vec3) {
		if p.Dot(p) < 1e30 { // no for NaN
			f(p)
		}
	}
	if s.deformer != nil {
		frame.SolveProxies()
		s.deformer.Deform(&skinning.Output{Positions: s.posed}, skinning.LBS, frame)
		for _, part := range s.seen[0] {
			for _, p := range s.posed[part.FirstVertex:][:part.VertexCount] {
				give(p)
			}
		}
	}
	for i := range frame.Model.Rigid {
		mesh := &frame.Model.Rigid[i]
		g, rest := &frame.Globals[mesh.Parts[0].Node], mesh.RestPositions(frame.Morphs)
		for _, part := range s.seen[1+i] {
			for _, p := range rest[part.FirstVertex:][:part.VertexCount] {
				give(geom.Vec32(g.Apply(p)))
			}
		}
	}
	if frame.Model.IsSkeleton() {
		for _, p := range frame.Model.Skeleton.JointPlaces(frame.Globals) {
			give(p)
		}
	}
}

// Points returns the outermost points, some of them more than once; none if none was added.
func (o *Outline) Points() []mgl32.Vec3 {
	if !o.any {
		return nil
	}
	return o.points[:]
}

// Posed returns the vertices that a frame poses: the skin by linear blending and the rigid meshes. It solves the
// frame's proxy bones.
func Posed(f *skinning.Frame) (all []mgl32.Vec3) {
	s := newOutlined(f.Model, nil)
	defer s.close()
	s.each(f, func(p mgl32.Vec3) { all = append(all, p) })
	return all
}
