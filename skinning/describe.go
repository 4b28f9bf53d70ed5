package skinning

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"skinlab/skinning/messages"
)

// Description is what a file holds, in numbers.
type Description struct {
	Name            string `json:"name"`
	Vertices        int    `json:"vertices"` // of all meshes
	Triangles       int    `json:"triangles"`
	SkinnedVertices int    `json:"skinned_vertices"`
	Joints          int    `json:"joints"` // nodes that are joints, those of two skins counted once
	// JointsWithoutSkin counts those that move no vertex.
	JointsWithoutSkin int                `json:"joints_without_skin"`
	Nodes             int                `json:"nodes"`
	Clips             []ClipDescription  `json:"clips"`
	Influences        InfluenceCount     `json:"influences"`
	Inputs            []InputDescription `json:"inputs,omitempty"` // of methods, those that the skin has
	Morphs            int                `json:"morphs"`           // animatable morph weights
	Materials         int                `json:"materials"`
	Textures          int                `json:"textures"`
	Scenes            []string           `json:"scenes,omitempty"` // their names, some of which may be empty
	Scene             int                `json:"scene"`            // the one that is shown
	Size              [3]float32         `json:"size"`             // of the rest pose, metres: of the skin alone where there is one

	JointList    []JointDescription    `json:"joint_list"`
	MaterialList []MaterialDescription `json:"material_list"`

	Fit *FitRecord `json:"fit,omitempty"` // of the fit that made the file, nil for none

	Warnings []string `json:"warnings"`
	Ignored  []string `json:"ignored"` // see [Model.Ignored]
}

// JointDescription is a joint of a skin.
type JointDescription struct {
	Name       string `json:"name"`
	Skin       int    `json:"skin"`
	Parent     int    `json:"parent"` // index into the list, −1 for none
	ParentName string `json:"parent_name"`
}

// MaterialDescription is what the pictures show of a material.
type MaterialDescription struct {
	Name        string     `json:"name"`
	BaseColor   [4]float32 `json:"base_color"` // linear RGBA
	Texture     string     `json:"texture"`    // its name, or its number where it has none; "" for none
	DoubleSided bool       `json:"double_sided"`
	Unlit       bool       `json:"unlit"`
	Metallic    float32    `json:"metallic"`
	Roughness   float32    `json:"roughness"`
	Maps        []string   `json:"maps,omitempty"` // further textures: normal, occlusion, ...
	Alpha       string     `json:"alpha"`          // opaque, mask or blend
}

func (m *Model) describeJoints() []JointDescription {
	out := make([]JointDescription, len(m.Skeleton.Joints))
	for i := range out {
		j := &m.Skeleton.Joints[i]
		out[i] = (JointDescription{Name: j.Name, Skin: j.Skin, Parent: j.Parent})
		if j.Parent >= 0 {
			out[i].ParentName = m.Skeleton.Joints[j.Parent].Name
		}
	}
	return out
}

func (m *Model) describeMaterials() []MaterialDescription {
	out := make([]MaterialDescription, len(m.Materials))
	for i := range out {
		from := &m.Materials[i]
		d := MaterialDescription{Name: Named(from.Name, "Material", i), BaseColor: from.BaseColor, DoubleSided: from.DoubleSided,
			Unlit: from.Unlit, Alpha: "opaque", Metallic: from.Metallic, Roughness: from.Roughness, Maps: from.MapNames()}
		switch {
		case from.Blend:
			d.Alpha = "blend"
		case from.AlphaCutoff > 0:
			d.Alpha = "mask"
		}
		if t := from.Texture; t >= 0 && t < len(m.Textures) {
			d.Texture = cmp.Or(m.Textures[t].Name, strconv.Itoa(t))
		}
		out[i] = d
	}
	return out
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

// InputDescription is a method's input that a skin has: a second weight set, or numbers for each vertex.
type InputDescription struct {
	Name       string          `json:"name"`
	Method     string          `json:"method,omitempty"`     // that reads it
	Influences *InfluenceCount `json:"influences,omitempty"` // of a weight set
	Components int             `json:"components,omitempty"` // numbers a vertex
}

// Text says for people what the skin has of the input.
func (d *InputDescription) Text() string {
	if d.Influences != nil {
		return d.Influences.String()
	}
	return messages.Count(d.Components, "number a vertex", "numbers a vertex")
}

// ClipDescription is a clip's name and length, and how many of the file's channels move it and how many are left out.
type ClipDescription struct {
	Name     string  `json:"name"`
	Seconds  float64 `json:"seconds"`
	Channels int     `json:"channels"`
	Lost     int     `json:"channels_left_out,omitempty"`
	Keys     int     `json:"keys"`                     // times at which any channel has a key
	Rate     float64 `json:"keys_per_second,omitzero"` // of keys at even distances; 0 for others
}

func describeClip(c *Clip) ClipDescription {
	times := c.KeyTimes()
	return ClipDescription{Name: c.Name, Seconds: c.Seconds, Channels: len(c.Channels), Lost: c.Lost, Keys: len(times),
		Rate: KeyRate(times)}
}

// KeyRate returns the keys a second at these times, and 0 where their distances are not even.
func KeyRate(times []float64) float64 {
	if n := len(times) - 1; onGrid(times, n) {
		return gridRate(times, n)
	}
	return 0
}

// FrameRate returns the frames a second of a clip with keys at these times, 0 for fewer than two. Frames are the finest
// even grid from the first to the last key that has a key at each point. Keys between them were added later.
func FrameRate(times []float64) float64 {
	for n := len(times) - 1; n > 0; n-- {
		if onGrid(times, n) {
			return gridRate(times, n)
		}
	}
	return 0
}

func gridRate(times []float64, n int) float64 { return float64(n) / (times[len(times)-1] - times[0]) }

// onGrid reports whether a key is at each point of n even steps from the first to the last: within a hundredth of a
// step, because frames of motion capture have their times in a few decimals.
func onGrid(times []float64, n int) bool {
	if n < 1 {
		return false
	}
	first, step, k := times[0], (times[len(times)-1]-times[0])/float64(n), 0
	for i := range n + 1 {
		at := first + float64(i)*step
		for k < len(times) && times[k] < at-step/100 {
			k++
		}
		if k == len(times) || times[k] > at+step/100 {
			return false
		}
	}
	return true
}

// Describe counts what the model holds.
func (m *Model) Describe() Description {
	d := Description{
		Name: m.Name, Vertices: len(m.Skin.Positions), SkinnedVertices: len(m.Skin.Positions),
		Triangles: len(m.Skin.Triangles),
		Joints:    m.Skeleton.JointNodes(), JointsWithoutSkin: m.JointsWithoutSkin(), Nodes: len(m.Skeleton.Nodes),
		Clips: []ClipDescription{}, Morphs: len(m.MorphSlots),
		Materials: len(m.Materials), Textures: len(m.Textures), Scenes: m.Scenes, Scene: m.Scene, Warnings: append([]string{}, m.Warnings...),
		Ignored:   append([]string{}, m.Ignored...),
		Fit:       m.Fit,
		JointList: m.describeJoints(), MaterialList: m.describeMaterials(),
	}
	for i := range m.Rigid {
		d.Vertices += len(m.Rigid[i].Positions)
		d.Triangles += len(m.Rigid[i].Triangles)
	}
	for _, c := range m.Clips {
		d.Clips = append(d.Clips, describeClip(&c))
	}
	d.Influences.Mean, d.Influences.Max = m.Skin.Stats()
	for i := range m.Skin.Inputs {
		in := &m.Skin.Inputs[i]
		described := InputDescription{Name: in.Title, Components: in.Components}
		if method, ok := in.Method(); ok {
			described.Method = method.String()
		}
		if in.Components == 0 {
			described.Influences = &InfluenceCount{}
			described.Influences.Mean, described.Influences.Max = in.Weights.Stats()
		}
		d.Inputs = append(d.Inputs, described)
	}
	lo, hi := m.RestBounds()
	d.Size = hi.Sub(lo)
	return d
}

// SizeName names the object whose size Size is. Errors are fractions of the skin's diagonal, which does not include
// rigid meshes.
func (d *Description) SizeName() string {
	if d.SkinnedVertices > 0 && d.SkinnedVertices < d.Vertices {
		return "Size of the skin"
	}
	return "Size"
}

// Diagonal returns that of the box of Size, metres.
func (d *Description) Diagonal() float64 {
	return math.Hypot(math.Hypot(float64(d.Size[0]), float64(d.Size[1])), float64(d.Size[2]))
}

// SizeText is the bounding box's size for people, below a decimetre in millimetres.
func (d *Description) SizeText() string {
	per, unit := 1.0, "m"
	if max(d.Size[0], d.Size[1], d.Size[2]) < 0.1 {
		per, unit = 1e3, "mm"
	}
	of := func(k int) float64 { return per * float64(d.Size[k]) }
	return fmt.Sprintf("%.4g × %.4g × %.4g %s", of(0), of(1), of(2), unit)
}

// JointsWithoutSkin returns the number of distinct nodes that are joints and move no vertex. Files have them as ends of
// fingers and hair, or for hand-held things.
func (m *Model) JointsWithoutSkin() (count int) {
	moves := make([]bool, len(m.Skeleton.Joints))
	for _, set := range m.Skin.WeightSets() {
		for _, buf := range set.All() {
			for _, in := range buf {
				moves[in.Joint] = true
			}
		}
	}
	node := make(map[int]bool, len(moves)) // whether it moves a vertex
	for j, joint := range m.Skeleton.Joints {
		node[joint.Node] = node[joint.Node] || moves[j]
	}
	for _, some := range node {
		if !some {
			count++
		}
	}
	return count
}

// isShown marks the scene that is shown among others.
var isShown = map[bool]string{true: ", shown"}

// WriteText prints the description for people.
func (d *Description) WriteText(w io.Writer) {
	fmt.Fprintln(w, d.Name)
	if d.Vertices == 0 && d.Joints > 0 {
		fmt.Fprintf(w, "  joints      %d: a skeleton without a mesh\n", d.Joints)
	} else {
		fmt.Fprintf(w, "  vertices    %d, of which %d skinned\n  triangles   %d\n  joints      %d", d.Vertices,
			d.SkinnedVertices, d.Triangles, d.Joints)
		if d.JointsWithoutSkin > 0 {
			fmt.Fprintf(w, ", of which %d without skin", d.JointsWithoutSkin)
		}
		fmt.Fprintf(w, "\n  influences  %v\n", d.Influences)
	}
	for i := range d.Inputs {
		in := &d.Inputs[i]
		of := "made for " + in.Method
		if in.Method == "" {
			of = "the weights from before the fit"
		}
		fmt.Fprintf(w, "  %-11s %s: %s\n", strings.ToLower(in.Name), in.Text(), of)
	}
	if d.Fit != nil {
		fmt.Fprintf(w, "  fit         %s\n", d.Fit.Text(d.Diagonal()))
	}
	fmt.Fprintf(w, "  morphs      %d\n  materials   %d\n  textures    %d\n", d.Morphs, d.Materials, d.Textures)
	for i, name := range d.Scenes {
		if len(d.Scenes) > 1 {
			fmt.Fprintf(w, "  scene %-4d  %s%s\n", i, messages.Printable(Named(name, "Scene", i)), isShown[i == d.Scene])
		}
	}
	fmt.Fprintf(w, "  size        %s%s\n", d.SizeText(), strings.TrimPrefix(d.SizeName(), "Size"))
	for i, c := range d.Clips {
		lost := ""
		if c.Lost > 0 {
			lost = fmt.Sprintf(", %d of %d channels left out", c.Lost, c.Channels+c.Lost)
		}
		keys := messages.Count(c.Keys, "key", "keys")
		if c.Rate > 0 {
			keys += fmt.Sprintf(", %.4g a second", c.Rate)
		}
		fmt.Fprintf(w, "  clip %-5d  %s, %.3f s, %s%s\n", i, messages.Printable(c.Name), c.Seconds, keys, lost)
	}
	for i := range d.MaterialList {
		fmt.Fprintf(w, "  material %-2d %s\n", i, &d.MaterialList[i])
	}
	for _, line := range d.Ignored {
		fmt.Fprintf(w, "  not read    %s\n", line)
	}
}

// String is for people.
func (m *MaterialDescription) String() string {
	words := []string{messages.Printable(m.Name)}
	if m.Texture != "" {
		words = append(words, "texture "+messages.Printable(m.Texture))
	} else {
		words = append(words, fmt.Sprintf("colour %.3g %.3g %.3g", m.BaseColor[0], m.BaseColor[1], m.BaseColor[2]))
	}
	words = append(words, fmt.Sprintf("metallic %.3g, roughness %.3g", m.Metallic, m.Roughness))
	for _, name := range m.Maps {
		words = append(words, name+" map")
	}
	if m.Alpha != "opaque" {
		words = append(words, "alpha "+m.Alpha)
	}
	if m.DoubleSided {
		words = append(words, "double-sided")
	}
	if m.Unlit {
		words = append(words, "unlit")
	}
	return strings.Join(words, ", ")
}

// WriteJoints prints the joints with their parents, for people.
func (d *Description) WriteJoints(w io.Writer) {
	for i := range d.JointList {
		j := &d.JointList[i]
		fmt.Fprintf(w, "  joint %-4d  %s", i, messages.Printable(j.Name))
		if j.Parent >= 0 {
			fmt.Fprintf(w, ", below %d %s", j.Parent, messages.Printable(j.ParentName))
		}
		fmt.Fprintln(w)
	}
}
