package skinning

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Input is what a method reads of each vertex besides its place, its normal and its influences: a second weight set, or
// numbers. A method's row lists its inputs. All that stores, reads, writes, copies or shows vertices goes through these
// lists, so that a new input is a row: streams of kernels, buffers of the GPU, attributes of files, benchmarks, panes.
//
// A kernel reads the weight set of its method as the second of its stream, and the numbers of all inputs, one after the
// other, as the stream's values; a shader likewise. So a method has at most one weight set and four numbers.
type Input struct {
	Name  string // in files, where an underscore comes before it: "TWIST" is read of _TWIST_JOINTS_0, ...
	Title string // for people, one of them: "Twist"
	// Mark is the key under extras.skinlab which says in a file that a skin was made for the method; "" for none.
	Mark string
	// Components is how many numbers a vertex has. It is 0 for a weight set: influences over the model's joints.
	Components int
	// Place says that the three numbers are a point: in a file one of the space of its mesh, as positions are, in a mesh
	// of rest space. Other numbers are the same in every space.
	Place bool
	// Make returns the numbers of a mesh that has none, Components a vertex; nil stands for zeros. It may report the
	// share that is done, from any goroutine; report may be nil. In place of a weight set that a mesh does not have, its
	// influences serve.
	Make func(m *Mesh, report func(share float64)) []float32
}

// InputData are an input of all vertices of a mesh.
type InputData struct {
	*Input
	Weights Influences // of a weight set, one binding for each vertex
	Values  []float32  // Components for each vertex
}

// valuesPerVertex bounds the numbers that a method reads of a vertex, of all its inputs.
const valuesPerVertex = 4

// OriginalWeights are the influences from before a fit added joints to the model. No method reads them as an input.
// [rig.Folded] makes them the influences again, and so a fitted file is measured.
var OriginalWeights = Input{Name: "ORIGINAL", Title: "Original"}

// Inputs returns the inputs of all methods, and the original weights.
func Inputs() (all []*Input) {
	all = append(all, &OriginalWeights)
	for i := range methods {
		for _, in := range methods[i].inputs {
			if !slices.Contains(all, in) {
				all = append(all, in)
			}
		}
	}
	return all
}

// Inputs returns what the method reads of each vertex besides its place, normal and influences.
func (m Method) Inputs() []*Input { return m.row().inputs }

// ReadsNumbers reports whether the method reads numbers of each vertex.
func (m Method) ReadsNumbers() bool {
	return slices.ContainsFunc(m.Inputs(), func(in *Input) bool { return in.Components > 0 })
}

// Method returns the first method that reads the input. ok is false where none does.
func (in *Input) Method() (method Method, ok bool) {
	at := slices.IndexFunc(methods, func(r methodRow) bool { return slices.Contains(r.inputs, in) })
	return Method(max(at, 0)), at >= 0
}

// Reader names the method that reads the input, or says that the input is of the time before a fit.
func (in *Input) Reader() string {
	if method, ok := in.Method(); ok {
		return method.String()
	}
	return "before the fit"
}

// weightSet returns the method's input that is a weight set, nil for none.
func (m Method) weightSet() *Input {
	for _, in := range m.Inputs() {
		if in.Components == 0 {
			return in
		}
	}
	return nil
}

// Input returns the mesh's data of an input, nil where it has none.
func (m *Mesh) Input(in *Input) *InputData {
	if i := slices.IndexFunc(m.Inputs, func(d InputData) bool { return d.Input == in }); in != nil && i >= 0 {
		return &m.Inputs[i]
	}
	return nil
}

// SetInput replaces the mesh's data of an input. Copies of the mesh keep theirs.
func (m *Mesh) SetInput(d InputData) {
	m.DropInput(d.Input)
	m.Inputs = append(m.Inputs, d)
}

// DropInput takes the data of an input away. Copies of the mesh keep theirs.
func (m *Mesh) DropInput(in *Input) {
	kept := m.Inputs
	if m.Input(in) == nil {
		m.Inputs = slices.Clip(kept)
		return
	}
	m.Inputs = nil
	for _, d := range kept {
		if d.Input != in {
			m.Inputs = append(m.Inputs, d)
		}
	}
}

// Second returns the second weight set that a method reads; nil where it reads none, or the mesh has none.
func (m *Mesh) Second(method Method) *Influences {
	if d := m.Input(method.weightSet()); d != nil {
		return &d.Weights
	}
	return nil
}

// SetSecond gives the mesh a second weight set for a method that reads one; nil takes it away.
func (m *Mesh) SetSecond(method Method, weights *Influences) {
	if in := method.weightSet(); weights == nil {
		m.DropInput(in)
	} else {
		m.SetInput(InputData{Input: in, Weights: *weights})
	}
}

// WeightSets returns all weight sets of the mesh, the first of which are its influences.
func (m *Mesh) WeightSets() []*Influences {
	sets := []*Influences{&m.Influences}
	for i := range m.Inputs {
		if d := &m.Inputs[i]; d.Components == 0 {
			sets = append(sets, &d.Weights)
		}
	}
	return sets
}

// SetWeights gives the mesh new weights, made for linear blending. Other weight sets, which belonged to the old ones,
// go, and numbers that can be made anew.
func (m *Mesh) SetWeights(weights Influences) {
	m.Influences = weights
	for _, in := range Inputs() {
		if in.Components == 0 || in.Make != nil {
			m.DropInput(in)
		}
	}
}

// MadeFor returns the method of which the mesh has an input: it was made for that one. ok is false where it has none.
func (m *Mesh) MadeFor() (method Method, ok bool) {
	for i := range m.Inputs {
		if method, ok = m.Inputs[i].Method(); ok {
			return method, ok
		}
	}
	return LBS, false
}

// AllValues returns an input's numbers of all vertices: the mesh's own, or made where it has none. Report is as in
// [Input.Make].
func (m *Mesh) AllValues(in *Input, report func(share float64)) []float32 {
	values := make([]float32, in.Components*len(m.Positions))
	if d := m.Input(in); d != nil {
		values = d.Values
	} else if in.Make != nil {
		values = in.Make(m, report)
	}
	if len(values) != in.Components*len(m.Positions) {
		panic(fmt.Sprintf("skinning: input %s: %d numbers of %d vertices, expected %d of each", in.Name, len(values),
			len(m.Positions), in.Components))
	}
	return values
}

// Values returns the numbers of all inputs of a method for each vertex, as kernels and shaders read them; nil where the
// method reads none. Report is as in [Input.Make].
func (m *Mesh) Values(method Method, report func(share float64)) (all [][valuesPerVertex]float32) {
	first := 0
	for _, in := range method.Inputs() {
		n := in.Components
		if n == 0 {
			continue
		}
		if all == nil {
			all = make([][valuesPerVertex]float32, len(m.Positions))
		}
		values := m.AllValues(in, report)
		for v := range all {
			copy(all[v][first:first+n], values[n*v:])
		}
		first += n
	}
	return all
}

// ValuesOf returns the numbers of a part's vertices.
func (d *InputData) ValuesOf(p *Part) []float32 {
	return d.Values[d.Components*p.FirstVertex:][:d.Components*p.VertexCount]
}

// Validate checks the data against the number of vertices and of joints.
func (d *InputData) Validate(vertices, joints int) error {
	if d.Components > 0 {
		if len(d.Values) != d.Components*vertices {
			return fmt.Errorf("%s: %d numbers for %d vertices, expected %d of each", d.Title, len(d.Values), vertices,
				d.Components)
		}
		return nil
	}
	if len(d.Weights.Bindings) != vertices {
		return fmt.Errorf("%d vertices in the second weight set, %d in the first", len(d.Weights.Bindings), vertices)
	}
	if err := d.Weights.Validate(joints); err != nil {
		return fmt.Errorf("second weight set: %w", err)
	}
	return nil
}

// vertexValues are [Mesh.Values] of a model's skin for a method, which are made when something first asks for them.
type vertexValues struct {
	once  sync.Once
	of    [][valuesPerVertex]float32
	made  atomic.Bool
	begun atomic.Bool   // by [CenterSets.Begin]
	share atomic.Uint64 // the share that is made, as the bits of a float64
}

// Values returns [Mesh.Values] of the skin whose sets these are. It makes them once for all frames of a model; one
// goroutine does while others wait. [CenterSets.MadeShare] says how far it is.
func (c *CenterSets) Values(skin *Mesh, method Method) [][valuesPerVertex]float32 {
	if !method.ReadsNumbers() {
		return nil
	}
	v := &c.values[method]
	v.once.Do(func() {
		v.of = skin.Values(method, func(share float64) { v.share.Store(math.Float64bits(share)) })
		v.made.Store(true)
	})
	return v.of
}

// MadeShare returns the share of [CenterSets.Values] that is made: 1 where they are there, or the method reads none.
func (c *CenterSets) MadeShare(method Method) float64 {
	if !method.ReadsNumbers() {
		return 1
	}
	v := &c.values[method]
	if v.made.Load() {
		return 1
	}
	return min(math.Float64frombits(v.share.Load()), 0.999)
}

// Begin makes [CenterSets.Values] on a goroutine of its own, at its first call for a method, and calls done after it.
func (c *CenterSets) Begin(skin *Mesh, method Method, done func()) {
	if c.MadeShare(method) < 1 && c.values[method].begun.CompareAndSwap(false, true) {
		go func() {
			c.Values(skin, method)
			done()
		}()
	}
}

// values returns [CenterSets.Values] of the model's skin.
func (f *Frame) values(method Method) [][valuesPerVertex]float32 {
	return f.Centers.Values(&f.Model.Skin, method)
}
