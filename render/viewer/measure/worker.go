package measure

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// worker is what the live goroutine owns.
type worker struct {
	own, fitted, beside subject
	rest, want, got     []mgl32.Vec3
	wantOf              *subject // whose pose want is, at this request
	rigid               float64  // Σ‖want − C_r·rest‖² over the vertices
	reading             Reading

	region      *skinning.Region // round the joint that was asked for, nil for none
	regionOf    *skinning.Model
	regionJoint int
	regionRest  float64 // its volume at rest
}

// subject is a model that is posed.
type subject struct {
	frame      *skinning.Frame
	deformer   *skinning.Deformer
	restVolume float64
	size       float64 // the rest pose's diagonal, metres
	open       int
}

// use takes a request's frame. What depends on the model alone is made anew where that is new.
func (s *subject) use(f *skinning.Frame) {
	if f == nil {
		s.close()
		return
	}
	if s.frame == nil || s.frame.Model != f.Model {
		old := s.frame
		s.close()
		s.deformer = skinning.NewDeformer(f.Model, 1) // the other processors are the picture's
		mesh := &f.Model.Skin
		if old == nil || !sameSkin(&old.Model.Skin, mesh) { // a fit makes a model of the same skin many times a second
			s.restVolume = skinning.Volume32(mesh.Positions, mesh.Triangles)
			s.size = f.Model.Diagonal()
			s.open = skinning.OpenEdges(mesh.Positions, mesh.Triangles)
		}
	}
	s.frame = f
}

// sameSkin reports whether two meshes are the same in memory.
func sameSkin(a, b *skinning.Mesh) bool {
	return len(a.Positions) == len(b.Positions) && len(a.Triangles) == len(b.Triangles) &&
		(len(a.Positions) == 0 || &a.Positions[0] == &b.Positions[0]) &&
		(len(a.Triangles) == 0 || &a.Triangles[0] == &b.Triangles[0])
}

func (s *subject) close() {
	if s.deformer != nil {
		s.deformer.Close()
	}
	s.deformer, s.frame = nil, nil
}

// pose poses the subject's skin into dst.
func (s *subject) pose(dst []mgl32.Vec3, m skinning.Method) {
	s.deformer.Deform(&skinning.Output{Positions: dst}, m, s.frame)
}

func (s *subject) vertices() int { return len(s.frame.Model.Skin.Positions) }

func (w *worker) use(q *slot) {
	w.own.use(q.Own)
	w.fitted.use(q.Fitted)
	w.beside.use(q.Beside)
	most := w.own.vertices()
	if q.Beside != nil {
		most = max(most, w.beside.vertices())
	}
	if len(w.want) < most {
		w.rest, w.want, w.got = make([]mgl32.Vec3, most), make([]mgl32.Vec3, most), make([]mgl32.Vec3, most)
	}
}

func (w *worker) close() {
	w.own.close()
	w.fitted.close()
	w.beside.close()
}

// measure fills the reading.
func (w *worker) measure(q *slot) {
	w.reading = Reading{Serial: q.serial, Reference: q.Reference, OpenEdges: [2]int{w.own.open, w.beside.open}}
	w.wantOf = nil
	w.surround(q)
	direct, blend := &w.own, &w.fitted
	if q.Fitted == nil {
		blend = nil
	}
	w.file(q, 0, direct, blend, &w.own, true)
	if q.Beside == nil {
		return
	}
	direct, blend = &w.beside, nil
	reference := &w.beside
	if q.BesideFitted {
		direct, blend, reference = nil, &w.beside, nil
	}
	if q.SameSkin {
		reference = &w.own
	}
	w.file(q, perFile, direct, blend, reference, q.SameSkin)
}

// surround finds the region round the request's joint, where that is another one than before.
func (w *worker) surround(q *slot) {
	m := w.own.frame.Model
	if q.Joint < 0 || q.Joint >= len(m.Skeleton.Joints) {
		w.region = nil
		return
	}
	if w.region == nil || w.regionOf != m || w.regionJoint != q.Joint {
		w.region, w.regionOf, w.regionJoint = skinning.NewRegion(m, q.Joint), m, q.Joint
		w.regionRest = w.region.Volume(m.Skin.Positions)
	}
}

// file measures the wanted rows of one file against a reference, nil for none. Named says that the request's vertex is one of its.
func (w *worker) file(q *slot, first int, direct, blend, reference *subject, named bool) {
	for i := range perFile {
		if !q.Want[first+i] {
			continue
		}
		who, method := direct, skinning.Method(i)
		if i == directs {
			who, method = blend, skinning.LBS
		}
		if who == nil || who.vertices() == 0 {
			continue
		}
		if reference != nil && w.wantOf != reference {
			w.refer(q, reference)
		}
		row := &w.reading.Rows[first+i]
		n := who.vertices()
		got := w.got[:n]
		if who == reference && method == q.Reference {
			got = w.want[:n]
		} else {
			who.pose(got, method)
		}
		row.There = true
		row.Volume = ratio(skinning.Volume32(got, who.frame.Model.Skin.Triangles), who.restVolume)
		if named && w.region != nil {
			row.Local = ratio(w.region.Volume(got), w.regionRest)
		}
		if named && q.Vertex >= 0 && q.Vertex < n {
			row.Vertex, row.HasVertex = got[q.Vertex], true
		}
		if reference != nil {
			w.compare(row, got, q.Vertex)
		}
	}
}

// refer poses the reference, and measures what one joint per vertex would leave of it: the denominator of EE, which is the same for
// all methods.
func (w *worker) refer(q *slot, s *subject) {
	w.wantOf = s
	n := s.vertices()
	want := w.want[:n]
	s.pose(want, q.Reference)
	f := s.frame
	rest := f.Model.Skin.Positions
	if len(f.Model.Skin.Morphs) > 0 {
		rest = w.rest[:n]
		f.Model.Skin.RestRange(rest, 0, f.Morphs)
	}
	w.rigid = 0
	for v := range want {
		p, x := skinning.Vec64(want[v]), skinning.Vec64(rest[v])
		least := math.Inf(1)
		for j := range f.Matrices { // most joints are out after one row: the vertex is farther from theirs along x alone
			c := &f.Matrices[j]
			d := p[0] - (c[0]*x[0] + c[1]*x[1] + c[2]*x[2] + c[3])
			if d2 := d * d; d2 < least {
				d = p[1] - (c[4]*x[0] + c[5]*x[1] + c[6]*x[2] + c[7])
				if d2 += d * d; d2 < least {
					d = p[2] - (c[8]*x[0] + c[9]*x[1] + c[10]*x[2] + c[11])
					least = min(least, d2+d*d)
				}
			}
		}
		w.rigid += least
	}
}

// noise is the RMS, as a share of the size, that float32 kernels may be apart for rounding alone: an EE of it would be rounding over
// rounding.
const noise = 1e-6

// compare measures posed vertices against the reference.
func (w *worker) compare(row *Row, got []mgl32.Vec3, vertex int) {
	row.Compared = true
	sum, most := 0.0, 0.0
	for v := range got {
		d := skinning.Vec64(w.want[v]).Sub(skinning.Vec64(got[v]))
		d2 := d.Dot(d)
		sum += d2
		if d2 > most {
			most, row.Worst = d2, v
		}
	}
	row.RMS, row.Max = math.Sqrt(sum/float64(len(got))), math.Sqrt(most)
	if row.RMS > noise*w.wantOf.size {
		row.EE = 100 * math.Sqrt(sum/w.rigid)
	}
	if row.HasVertex {
		row.Off = skinning.Vec64(w.want[vertex]).Sub(skinning.Vec64(got[vertex])).Len()
	}
}

func ratio(v, rest float64) float64 {
	if rest == 0 || math.IsNaN(v/rest) || math.IsInf(v/rest, 0) {
		return 0
	}
	return v / rest
}

// pick finds the vertex under a ray.
func (w *worker) pick(q *slot, r *Ray) Picked { return Picked{-1, -1} }
