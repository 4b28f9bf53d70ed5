package skinning

import (
	"fmt"
	"slices"
	"sync"
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
	// Numbers are the same in every space: no map to rest space changes them.
	Components int
	// Make returns the numbers of a mesh that has none, Components a vertex; nil stands for zeros. In place of a weight
	// set that a mesh does not have, its influences serve.
	Make func(m *Mesh) []float32
}

// InputData are an input of all vertices of a mesh.
type InputData struct {
	*Input
	Weights Influences // of a weight set, one binding for each vertex
	Values  []float32  // Components for each vertex
}

// valuesPerVertex bounds the numbers that a method reads of a vertex, of all its inputs.
const valuesPerVertex = 4

// Inputs returns the inputs of all methods.
func Inputs() (all []*Input) {
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

// Method returns the first method that reads the input.
func (in *Input) Method() Method {
	return Method(slices.IndexFunc(methods, func(r methodRow) bool { return slices.Contains(r.inputs, in) }))
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
// go.
func (m *Mesh) SetWeights(weights Influences) {
	m.Influences = weights
	for _, in := range Inputs() {
		if in.Components == 0 {
			m.DropInput(in)
		}
	}
}

// MadeFor returns the method of which the mesh has an input: it was made for that one. ok is false where it has none.
func (m *Mesh) MadeFor() (method Method, ok bool) {
	if len(m.Inputs) == 0 {
		return LBS, false
	}
	return m.Inputs[0].Method(), true
}

// AllValues returns an input's numbers of all vertices: the mesh's own, or made where it has none.
func (m *Mesh) AllValues(in *Input) []float32 {
	values := make([]float32, in.Components*len(m.Positions))
	if d := m.Input(in); d != nil {
		values = d.Values
	} else if in.Make != nil {
		values = in.Make(m)
	}
	if len(values) != in.Components*len(m.Positions) {
		panic(fmt.Sprintf("skinning: input %s: %d numbers of %d vertices, expected %d of each", in.Name, len(values),
			len(m.Positions), in.Components))
	}
	return values
}

// Values returns the numbers of all inputs of a method for each vertex, as kernels and shaders read them; nil where the
// method reads none.
func (m *Mesh) Values(method Method) (all [][valuesPerVertex]float32) {
	first := 0
	for _, in := range method.Inputs() {
		n := in.Components
		if n == 0 {
			continue
		}
		if all == nil {
			all = make([][valuesPerVertex]float32, len(m.Positions))
		}
		values := m.AllValues(in)
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

// vertexValues are [Mesh.Values] of a model's skin, which are made when a frame first asks for them.
type vertexValues struct {
	once sync.Once
	of   [][][valuesPerVertex]float32 // by method
}

// values returns [Mesh.Values] of the model's skin. It makes them once for all frames of a model.
func (f *Frame) values(method Method) [][valuesPerVertex]float32 {
	if len(method.Inputs()) == 0 {
		return nil
	}
	c := &f.Centers.values
	c.once.Do(func() {
		for _, m := range Methods() {
			c.of = append(c.of, f.Model.Skin.Values(m))
		}
	})
	return c.of[method]
}
