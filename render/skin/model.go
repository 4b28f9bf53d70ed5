package skin

import (
	"fmt"
	"math"
	"slices"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// LeastSize is the least size of what is drawn, metres. float32 holds its square too.
const LeastSize = 1e-12

// Model holds what posing needs of one model on the GPU: its vertices, their bindings to joints, and its morph targets.
type Model struct {
	owner    gpu.Owner
	Source   *skinning.Model
	Streams  *Streams
	own      *Binding
	fitted   *Binding // nil without a fitted model
	morphs   *morphs
	Rings    *rings  // nil until normals are recomputed
	Diagonal float32 // of the rest pose including rigid meshes, at least LeastSize
	Floor    float32 // height of the floor: the lowest point of the static pose, of a skeleton alone where its first clip begins
}

// NewModel uploads a model. On an error it frees everything it made. Limit is the largest texture buffer in texels. If
// a model's data exceeds it, the CPU adds the morph targets or solves for the proxy bones.
func NewModel(m *skinning.Model, limit int) (*Model, error) {
	if err := checkPalette(m); err != nil {
		return nil, err
	}
	g := &Model{Source: m}
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	streams, rest, tangents := newStreams(&g.owner, m)
	g.Streams = streams
	g.morphs = newMorphs(&g.owner, m, g.Streams.First, rest, tangents, limit)
	own, err := newBinding(m, g.Streams, centers, limit)
	if err != nil {
		g.owner.Delete()
		return nil, err
	}
	g.owner.Own(own.Delete)
	g.own = own
	// This poses the vertices one by one. The boxes of [bounds] include each morph target at weight 1, which may reach
	// far below the static pose.
	still := skinning.NewFrame(m, centers)
	if m.IsSkeleton() && len(m.Clips) > 0 { // files of motion have their skeleton at the origin, and stand it up in clips
		pose := m.NewPose()
		m.SamplePose(pose, 0, 0)
		still.SetPose(pose)
	}
	lo, hi := PosedBounds(still)
	g.Diagonal = max(Box{lo, hi}.Diagonal(), LeastSize)
	g.Floor = lo[1]
	return gpu.Made(g, &g.owner)
}

// checkPalette reports a model whose joints and rigid meshes are too many for a 16-bit index.
func checkPalette(m *skinning.Model) error {
	if n := len(m.Skeleton.Joints) + len(m.Rigid); n > math.MaxUint16+1 {
		return fmt.Errorf("render: %q has %d joints and rigid meshes, the palette holds %d", m.Name, n, math.MaxUint16+1)
	}
	return nil
}

// Of returns the binding that poses frames of m. It is nil if m is neither the file's model nor the fitted one.
func (g *Model) Of(m *skinning.Model) *Binding {
	switch {
	case m == g.own.model:
		return g.own
	case g.fitted != nil && m == g.fitted.model:
		return g.fitted
	}
	return nil
}

// AddsMorphs reports whether the CPU adds the morph targets because they exceed the driver's limit.
func (g *Model) AddsMorphs() bool { return g.morphs.base != nil }

// SolvedRig returns the rig of the file's or the fitted model m whose proxy bones the GPU solves for. It is nil if the
// GPU does not.
func (g *Model) SolvedRig(m *skinning.Model) *skinning.LinearSystem {
	if p := g.Of(m).proxies; p != nil {
		return &p.rig
	}
	return nil
}

// Fits reports whether m can be a second binding of the skin: it has the same vertices and rigid meshes, and the same
// joints or more, and no inputs of methods of its own. A fit that makes a mesh or a skeleton of its own does not.
func (g *Model) Fits(m *skinning.Model) bool {
	own := g.own.model
	return sameInputs(&m.Skin, &own.Skin) && len(m.Rigid) == len(own.Rigid) &&
		len(m.Skeleton.Joints) >= len(own.Skeleton.Joints) &&
		len(m.Skeleton.Nodes) >= len(own.Skeleton.Nodes) && slices.Equal(m.Skin.Positions, own.Skin.Positions)
}

// sameInputs reports whether meshes share their inputs of methods.
func sameInputs(a, b *skinning.Mesh) bool {
	for _, in := range skinning.Inputs() {
		x, y := a.Input(in), b.Input(in)
		if _, read := in.Method(); read && x != y {
			return false
		}
	}
	return true
}

// SetFitted uploads a second binding of the skin, the binding of m. M's skin has the same vertices, and the same joints
// followed by added ones. A nil m removes it. On an error the previous one stays.
func (g *Model) SetFitted(m *skinning.Model, tints []Tint, limit int) error {
	if m == nil {
		g.fitted.Delete()
		g.fitted = nil
		return nil
	}
	own := g.own.model
	if m == own || len(m.Skin.Bindings) != g.Streams.SkinVertices || len(m.Rigid) != len(own.Rigid) ||
		len(m.Skeleton.Joints) < len(own.Skeleton.Joints) || (tints != nil && len(tints) != g.Streams.SkinVertices) {
		panic(fmt.Sprintf("render: SetFitted: %d bindings, %d tints, %d rigid meshes, %d joints for a model of %d, %d and %d",
			len(m.Skin.Bindings), len(tints), len(m.Rigid), len(m.Skeleton.Joints),
			g.Streams.SkinVertices, len(own.Rigid), len(own.Skeleton.Joints)))
	}
	if err := checkPalette(m); err != nil {
		return err
	}
	b, err := newBinding(m, g.Streams, nil, limit)
	if err != nil {
		return err
	}
	if err := b.setTints(tints, g.Streams.All); err != nil {
		b.Delete()
		return err
	}
	g.fitted.Delete()
	g.fitted = b
	return nil
}

// SetTints sets the tints of the skin for drawing the file's or the fitted model m, one per vertex; nil removes them.
// It copies them.
func (g *Model) SetTints(m *skinning.Model, tints []Tint) error {
	return g.Of(m).setTints(tints, g.Streams.All)
}

// Delete is nil-safe.
func (g *Model) Delete() {
	if g != nil {
		g.fitted.Delete()
		g.owner.Delete()
	}
}
