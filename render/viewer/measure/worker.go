package measure

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

type worker struct {
	own, fitted, beside, examples subject
	want, got                     []mgl32.Vec3
	wantOf                        *subject // the subject that posed want for this request
	meter                         metrics.Meter
	reading                       Reading

	turns   *metrics.HalfTurns // of the first file's model
	turnsOf *skinning.Model

	regions   []region // by joint
	regionsOf *skinning.Model
}

// region is the part of the skin that bends at a joint. Its rest volume is 0 where it encloses none.
type region struct {
	body *metrics.Body
	rest float64
}

type subject struct {
	frame      *skinning.Frame
	deformer   *skinning.Deformer
	whole      *metrics.Body // the skin
	restVolume float64
}

// use takes the frame of a request. It rebuilds the data that depends on the model if the model is new.
func (s *subject) use(f *skinning.Frame) {
	if f == nil {
		s.close()
		return
	}
	if s.frame == nil || s.frame.Model != f.Model {
		old := s.frame
		s.close()
		s.deformer = skinning.NewDeformer(f.Model, 1) // one worker, because drawing needs the other processors
		mesh := &f.Model.Skin
		if old == nil || !sameSkin(&old.Model.Skin, mesh) { // a fit makes a model of the same skin many times a second
			s.whole = metrics.SkinBody(f.Model)
			s.restVolume = metrics.RestVolume(metrics.Volume(s.whole, mesh.Positions), f.Model.Diagonal())
		}
	}
	f.SolveProxies() // the window leaves this to the GPU
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

func (s *subject) pose(dst []mgl32.Vec3, m skinning.Method) {
	s.deformer.Deform(&skinning.Output{Positions: dst}, m, s.frame)
}

func (s *subject) edges() (open, against int) {
	if s.whole == nil {
		return 0, 0
	}
	return s.whole.OpenEdges(), s.whole.EdgesAgainst()
}

func (s *subject) vertices() int { return len(s.frame.Model.Skin.Positions) }

func (w *worker) use(q *slot) {
	w.own.use(q.Own)
	w.fitted.use(q.Fitted)
	w.beside.use(q.Beside)
	w.examples.use(q.Examples)
	if q.Still && q.Beside != nil {
		w.beside.restVolume, w.beside.whole = w.own.restVolume, w.own.whole
	}
	most := w.own.vertices()
	if q.Beside != nil {
		most = max(most, w.beside.vertices())
	}
	if len(w.want) < most {
		w.want, w.got = make([]mgl32.Vec3, most), make([]mgl32.Vec3, most)
	}
}

func (w *worker) close() {
	w.own.close()
	w.fitted.close()
	w.beside.close()
	w.examples.close()
}

func (w *worker) measure(q *slot) {
	if w.reading.Rows == nil {
		w.reading.Rows, w.reading.Distances = make([]Row, Rows()), make([][]float32, Rows())
	}
	clear(w.reading.Rows)
	for i, d := range w.reading.Distances {
		w.reading.Distances[i] = d[:0]
	}
	w.reading = Reading{Serial: q.serial, Reference: q.Reference, Rows: w.reading.Rows, Distances: w.reading.Distances}
	for i, s := range []*subject{&w.own, &w.beside} {
		w.reading.OpenEdges[i], w.reading.EdgesAgainst[i] = s.edges()
	}
	w.wantOf = nil
	if m := w.own.frame.Model; w.turnsOf != m {
		w.turns, w.turnsOf = metrics.NewHalfTurns(m), m
	}
	w.reading.HalfTurn, w.reading.Turned = w.turns.Of(w.own.frame)
	w.surround()
	direct, blend := &w.own, &w.fitted
	if q.Fitted == nil {
		blend = nil
	}
	refer := &w.own
	switch {
	case q.Reference == state.Examples && q.Examples == nil:
		refer = nil
	case q.Reference == state.Examples:
		refer = &w.examples
	case q.ReferBeside:
		refer = &w.beside
	}
	w.file(q, 0, direct, blend, refer, true)
	if q.Examples != nil && q.Want[examples] {
		w.row(q, examples, &w.examples, skinning.LBS, refer, true)
	}
	if q.Beside == nil {
		return
	}
	direct, blend = &w.beside, nil
	reference := &w.beside
	if q.BesideFitted {
		direct, blend, reference = nil, &w.beside, nil
	}
	if q.Reference == state.Examples {
		reference = nil
	}
	if q.SameSkin {
		reference = refer
	}
	w.file(q, second, direct, blend, reference, q.SameSkin)
}

// surround finds the regions of the first file's joints if the file has changed.
func (w *worker) surround() {
	m := w.own.frame.Model
	if w.regionsOf == m {
		return
	}
	w.regions, w.regionsOf = make([]region, len(m.Skeleton.Joints)), m
	for j := range w.regions {
		body := metrics.NewRegion(m, j)
		w.regions[j] = region{body, metrics.RestVolume(metrics.Volume(body, m.Skin.Positions), m.Diagonal())}
	}
}

// volumes measures the regions of a row: the one at the request's joint, and the one that loses most.
func (w *worker) volumes(row *Row, got []mgl32.Vec3, joint int) {
	for j := range w.regions {
		r := &w.regions[j]
		if r.rest == 0 {
			continue
		}
		now := ratio(metrics.Volume(r.body, got), r.rest)
		if j == joint {
			row.Local = now
		}
		if row.Least == 0 || now < row.Least {
			row.Least, row.LeastAt = now, j
		}
	}
}

// file measures the wanted rows of a file against a reference, nil for none; named: the vertex is this file's.
func (w *worker) file(q *slot, first int, direct, blend, reference *subject, named bool) {
	for i := range directs + 1 {
		if !q.Want[first+i] {
			continue
		}
		who, method := direct, skinning.Method(i)
		if i == directs {
			who, method = blend, q.FittedMethod
			if first > 0 {
				method = skinning.LBS
			}
		}
		if who != nil {
			w.row(q, first+i, who, method, reference, named)
		}
	}
}

// row measures a row, of a file's skin by a method, as [worker.file] says.
func (w *worker) row(q *slot, i int, who *subject, method skinning.Method, reference *subject, named bool) {
	n := who.vertices()
	if n == 0 {
		return
	}
	if reference != nil && w.wantOf != reference {
		w.refer(q, reference)
	}
	row := &w.reading.Rows[i]
	got := w.got[:n]
	if who == reference && (method == q.Reference || reference == &w.examples) {
		got = w.want[:n]
	} else {
		who.pose(got, method)
	}
	row.There = true
	row.Volume = ratio(metrics.Volume(who.whole, got), who.restVolume)
	if named {
		w.volumes(row, got, q.Joint)
	}
	if named && q.Vertex >= 0 && q.Vertex < n {
		row.Vertex, row.HasVertex = got[q.Vertex], true
	}
	if reference == nil {
		return
	}
	w.compare(row, got, q.Vertex)
	if q.Each[i] {
		d := w.reading.Distances[i]
		for v := range got {
			d = append(d, w.want[v].Sub(got[v]).Len())
		}
		w.reading.Distances[i] = d
	}
}

// refer poses the reference. EE is relative to the best rigid motion of a skin without the examples' morph targets.
func (w *worker) refer(q *slot, s *subject) {
	w.wantOf = s
	want := w.want[:s.vertices()]
	frame := s.frame
	if s == &w.examples {
		s.pose(want, skinning.LBS)
		frame = w.own.frame
	} else if method, ok := q.Reference.(skinning.Method); ok {
		s.pose(want, method)
	} else {
		for v, p := range q.Reference.Positions(s.frame) {
			want[v] = geom.Vec32(p)
		}
	}
	w.meter.SetReference(want, frame)
}

func (w *worker) compare(row *Row, got []mgl32.Vec3, vertex int) {
	m := w.meter.Measure(got)
	row.Compared = true
	row.RMS, row.Max, row.Top, row.Worst, row.EE = m.RMS, m.Max, m.Top, m.Worst, m.EE
	if row.HasVertex {
		row.Off = geom.Vec64(w.want[vertex]).Sub(geom.Vec64(got[vertex])).Len()
	}
}

func ratio(v, rest float64) float64 {
	if rest == 0 || math.IsNaN(v/rest) || math.IsInf(v/rest, 0) {
		return 0
	}
	return v / rest
}
