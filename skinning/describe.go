package skinning

import (
	"fmt"
	"io"

	"skinlab/skinning/messages"
)

// Description is what a file holds, in numbers.
type Description struct {
	Name            string            `json:"name"`
	Vertices        int               `json:"vertices"` // of all meshes
	Triangles       int               `json:"triangles"`
	SkinnedVertices int               `json:"skinned_vertices"`
	Joints          int               `json:"joints"` // nodes that are joints, those of two skins counted once
	Nodes           int               `json:"nodes"`
	Clips           []ClipDescription `json:"clips"`
	Influences      InfluenceCount    `json:"influences"`
	// Twist counts w_DLB, the second weight set of a model that was made for twist-swing; nil for a model without.
	Twist     *InfluenceCount `json:"twist_influences,omitempty"`
	Morphs    int             `json:"morphs"` // animatable morph weights
	Materials int             `json:"materials"`
	Textures  int             `json:"textures"`
	Size      [3]float32      `json:"size"` // of the rest pose, metres
	Warnings  []string        `json:"warnings"`
}

// InfluenceCount is how many influences a skinned vertex has.
type InfluenceCount struct {
	Mean float64 `json:"mean"`
	Max  int     `json:"max"`
}

// String is for people.
func (c InfluenceCount) String() string {
	return fmt.Sprintf("%.2f a vertex, at most %d", c.Mean, c.Max)
}

// ClipDescription is a clip's name and length.
type ClipDescription struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// Describe counts what the model holds.
func (m *Model) Describe() Description {
	d := Description{
		Name: m.Name, Vertices: len(m.Skin.Positions), SkinnedVertices: len(m.Skin.Positions),
		Triangles: len(m.Skin.Triangles),
		Joints:    m.Skeleton.JointNodes(), Nodes: len(m.Skeleton.Nodes), Clips: []ClipDescription{}, Morphs: len(m.MorphSlots),
		Materials: len(m.Materials), Textures: len(m.Textures), Warnings: append([]string{}, m.Warnings...),
	}
	for i := range m.Rigid {
		d.Vertices += len(m.Rigid[i].Positions)
		d.Triangles += len(m.Rigid[i].Triangles)
	}
	for _, c := range m.Clips {
		d.Clips = append(d.Clips, ClipDescription{c.Name, c.Seconds})
	}
	d.Influences.Mean, d.Influences.Max = m.Skin.Stats()
	if m.Skin.Twist != nil {
		d.Twist = &InfluenceCount{}
		d.Twist.Mean, d.Twist.Max = m.Skin.Twist.Stats()
	}
	lo, hi := m.RestBounds()
	d.Size = hi.Sub(lo)
	return d
}

// WriteText prints the description for people.
func (d *Description) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s\n  vertices    %d, of which %d skinned\n  triangles   %d\n  joints      %d\n", d.Name, d.Vertices,
		d.SkinnedVertices, d.Triangles, d.Joints)
	fmt.Fprintf(w, "  influences  %v\n", d.Influences)
	if d.Twist != nil {
		fmt.Fprintf(w, "  twist       %v: made for twist-swing with two weight sets\n", *d.Twist)
	}
	fmt.Fprintf(w, "  morphs      %d\n  materials   %d\n  textures    %d\n", d.Morphs, d.Materials, d.Textures)
	fmt.Fprintf(w, "  size        %.4g × %.4g × %.4g m\n", d.Size[0], d.Size[1], d.Size[2])
	for i, c := range d.Clips {
		fmt.Fprintf(w, "  clip %-5d  %s, %.3f s\n", i, messages.Printable(c.Name), c.Seconds)
	}
}
