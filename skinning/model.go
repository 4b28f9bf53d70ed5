package skinning

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// Model is the content of a file that skinlab shows: one skin (all skinned meshes of the file, in rest space), the
// rigid meshes, the skeleton and the clips. It is read-only once loaded; poses and frames live outside.
type Model struct {
	Name       string
	Skin       Mesh // all skinned vertices; empty in a file without skins
	Rigid      []Mesh
	Skeleton   Skeleton
	Clips      []Clip
	MorphSlots []MorphSlot
	Materials  []Material
	Textures   []Texture
	Scenes     []string // names of the file's scenes, some of which may be empty; nil in a file without scenes
	Scene      int      // the one that the model shows
	Rigs       []Rig    // what drives joints that fits have added, in the order of driving: see [Model.SetRig]
	Folded     []bool   // joints that rigs drove before their weights were given to other joints; nil for none
	Fit        *FitRecord
	Warnings   []string // unusual elements of the file, and how each was read
	Ignored    []string // parts of the file that the model leaves out: cameras, lights, unreferenced elements
}

// PartCount returns the number of parts of all meshes: the skin's, then those of the rigid meshes.
func (m *Model) PartCount() int {
	n := len(m.Skin.Parts)
	for i := range m.Rigid {
		n += len(m.Rigid[i].Parts)
	}
	return n
}

// EachPart calls f with every part of all meshes: the skin's first, then those of the rigid meshes, in the order in
// which PartCount counts them. Rigid is the index of the mesh, −1 for the skin.
func (m *Model) EachPart(f func(part *Part, rigid int)) {
	for i := range m.Skin.Parts {
		f(&m.Skin.Parts[i], -1)
	}
	for i := range m.Rigid {
		for k := range m.Rigid[i].Parts {
			f(&m.Rigid[i].Parts[k], i)
		}
	}
}

// Diagonal returns the diagonal of the box of RestBounds in metres. Errors are quoted as fractions of it.
func (m *Model) Diagonal() float64 {
	lo, hi := m.RestBounds()
	return geom.Vec64(hi.Sub(lo)).Len()
}

// RestBounds returns the bounding box of the skin at rest, without morph targets. A model without a skin gives the
// box of its rigid meshes in the static pose, with the morph weights of that pose, and one without meshes the box of
// its joints.
func (m *Model) RestBounds() (lo, hi mgl32.Vec3) {
	if len(m.Skin.Positions) > 0 {
		return geom.Bounds(m.Skin.Positions)
	}
	globals, pose := make([]geom.Affine, len(m.Skeleton.Nodes)), m.NewPose()
	m.Skeleton.Globals(globals, pose)
	if len(m.Rigid) == 0 {
		return geom.Bounds(m.Skeleton.JointPlaces(globals))
	}
	var all []mgl32.Vec3
	for i := range m.Rigid {
		g := globals[m.Rigid[i].Parts[0].Node]
		for _, p := range m.Rigid[i].RestPositions(pose.Morphs) {
			all = append(all, geom.Vec32(g.Apply(p)))
		}
	}
	return geom.Bounds(all)
}

// A rest pose is far from the origin if its distance exceeds farRest diagonals. At that distance float32 resolves a
// millionth of its size.
const farRest = 8

// RestMiddle returns the middle of the rest pose's bounding box, in metres, and whether it is so far from the origin
// that transforms from there should not be stored in float32.
func (m *Model) RestMiddle() (middle mgl64.Vec3, far bool) {
	lo, hi := m.RestBounds()
	middle = geom.Vec64(lo).Add(geom.Vec64(hi)).Mul(0.5)
	return middle, middle.Len() > farRest*m.Diagonal()
}

// Named returns the name of the i-th element of a kind in a file. An element without a name is called after its kind
// and its place, counted from 1: "Clip 1".
func Named(name, kind string, i int) string {
	if name == "" {
		return kind + " " + strconv.Itoa(i+1)
	}
	return name
}

// ClipIndex finds a clip by name, else by index written as a decimal number, from 0 on, as 3 or #3. An exact name wins,
// so that a clip named "3" is found before clip number 3. A
// name that several clips have is an error.
func (m *Model) ClipIndex(name string) (int, error) {
	names := make([]string, len(m.Clips))
	for i := range names {
		names[i] = m.Clips[i].Name
	}
	return indexOf("clip", names, name)
}

// SceneIndex finds a scene as ClipIndex finds a clip, one without a name as [Named] calls it.
func (m *Model) SceneIndex(name string) (int, error) {
	names := make([]string, len(m.Scenes))
	for i := range names {
		names[i] = Named(m.Scenes[i], "Scene", i)
	}
	return indexOf("scene", names, name)
}

// indexOf finds one of several things of a kind by its name or its index.
func indexOf(kind string, names []string, name string) (int, error) {
	var named []int
	for i := range names {
		if names[i] == name {
			named = append(named, i)
		}
	}
	switch {
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1:
		return 0, fmt.Errorf("%s %q: %d %ss have this name: choose one by its index, %s", kind, messages.Shortened(name),
			len(named), kind, messages.Indices(named))
	}
	if i, err := strconv.Atoi(strings.TrimPrefix(name, "#")); err == nil && i >= 0 && i < len(names) {
		return i, nil
	}
	name = messages.Shortened(name)
	if len(names) == 0 {
		return 0, fmt.Errorf("%s %q: the model has no %ss", kind, name, kind)
	}
	names = slices.Clone(names)
	for i := range names {
		names[i] = cmp.Or(names[i], "#"+strconv.Itoa(i))
	}
	list, count := messages.List(names)
	if count < len(names) {
		return 0, fmt.Errorf("%s %q: not one of the %d %ss; among them: %s%s", kind, name, len(names), kind, list,
			messages.Nearest(name, names))
	}
	return 0, fmt.Errorf("%s %q: not one of %s%s", kind, name, list, messages.Nearest(name, names))
}

// WithoutMorphs returns the model whose skin has no morph targets. Those of a file with examples show them: methods are
// compared with these, and fits learn them, without.
func (m *Model) WithoutMorphs() *Model {
	bare := *m
	bare.Skin.Morphs = nil
	return &bare
}

// ExampleClip is the name of the clip of an example set: at key i the pose of example i, and weight 1 for morph target
// i alone.
const ExampleClip = "examples"

// ShowsShapes reports whether a clip animates morph targets of the skin, so that its poses have shapes of their own.
func (m *Model) ShowsShapes(clip int) bool {
	return len(m.Skin.Morphs) > 0 && slices.ContainsFunc(m.Clips[clip].Channels, func(c Channel) bool {
		return c.Path == PathWeights
	})
}

// ShowsExamples reports whether a clip, −1 for none, shows shapes of a model that has an example set. Methods pose the
// skin without its morph targets there: these hold what the weights do not give.
func (m *Model) ShowsExamples(clip int) bool {
	if clip < 0 || clip >= len(m.Clips) || !m.ShowsShapes(clip) {
		return false
	}
	set := slices.IndexFunc(m.Clips, func(c Clip) bool { return c.Name == ExampleClip })
	return set >= 0 && m.ShowsShapes(set)
}
