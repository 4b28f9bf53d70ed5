package models

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
	"skinlab/skinning/stress"
)

// File is a model with everything that is computed once for it. It needs no OpenGL, so another goroutine makes it.
type File struct {
	posing.Subject
	Origin    files.Source // empty for a model that comes from no file
	Bones     *posing.Skeleton
	Diagonal  float64 // metres
	mostSkin  int     // joint that moves the largest part of the skin, −1 for none
	names     jointNames
	Fitted    *fitted.Model   // of a file with added bones; Model then has only the weights of their masters
	Reference skinning.Method // the method that errors are measured against, unless the user chooses
	why       string          // the reason for it, a sentence; "" where no joint scales
	loses     string          // what a reference without scale loses, a sentence; "" for nothing
	Facts     []Fact
	Original  *skinning.Model // as in the file; Model has more clips
	Motions   []string        // files whose clips Original has too
	Own       int             // number of the file's clips; the stress clips follow them
	Seconds   []string        // length of each clip as text
	ClipNames []string        // name of each clip
	Outline   []mgl32.Vec3    // outermost points of the model over the clip that is shown first
}

// Place returns the middle of the posed joints, the origin where there are none.
func (f *File) Place() mgl32.Vec3 {
	var sum mgl64.Vec3
	for i := range f.Bones.Bones {
		sum = sum.Add(f.Bones.Place(f.Frame, i))
	}
	return geom.Vec32(sum.Mul(1 / float64(max(len(f.Bones.Bones), 1))))
}

type Fact struct{ Name, Value string }

// Prepare prepares a model that is shown in a clip first, −1 for the static pose.
func Prepare(m *skinning.Model, clip int) *File {
	p, own := &File{Original: m}, rig.Folded(m)
	blended := own != m
	own, p.Own = withStress(own)
	if blended {
		p.Fitted = fitted.New(withClips(m, own.Clips))
	}
	var why string
	p.Reference, why = compare.Reference(m)
	if p.Reference != skinning.DQS {
		p.why = "Chosen because " + why + "."
	}
	p.why = strings.TrimSpace(p.why + " " + compare.OfFit(m))
	if p.Reference == skinning.SDQS {
		p.loses = "This reference has no scale, and " + why + "."
	}
	p.Subject = posing.NewSubject(own, nil)
	p.Bones, p.Diagonal = posing.NewSkeleton(own, m.Added()), m.Diagonal()
	p.mostSkin, p.names = mostSkin(own), newJointNames(own)
	d := m.Describe()
	tell := func(there bool, name, value string) {
		if there {
			p.Facts = append(p.Facts, Fact{Name: name, Value: value})
		}
	}
	var line ui.Line
	number := func(n int) string { return strings.Clone(line.Start().I(n).View()) }
	decimals := func(x float64, unit string) string { return strings.Clone(line.Start().F(x, 2).S(unit).View()) }
	skinned := d.SkinnedVertices > 0
	if n := len(d.Scenes); n > 1 {
		tell(true, "Scene", fmt.Sprintf("%s, %d of %d", skinning.Named(d.Scenes[d.Scene], "Scene", d.Scene), d.Scene+1, n))
	}
	tell(true, "Vertices", number(d.Vertices))
	tell(true, "Triangles", number(d.Triangles))
	tell(skinned && d.Vertices > d.SkinnedVertices, "Skinned vertices", number(d.SkinnedVertices))
	tell(d.Joints > 0, "Joints", number(d.Joints))
	tell(skinned && d.JointsWithoutSkin > 0, "Joints without skin", number(d.JointsWithoutSkin))
	tell(skinned, "Influences, mean", decimals(d.Influences.Mean, ""))
	tell(skinned, "Influences, max", number(d.Influences.Max))
	for _, in := range d.Inputs {
		if in.Influences != nil {
			tell(skinned, in.Name+" influences, mean", decimals(in.Influences.Mean, ""))
		} else {
			tell(skinned, in.Name+", numbers", number(in.Components))
		}
	}
	if p.Fitted != nil {
		bones, _ := m.AddedBones()
		tell(true, p.Fitted.Names.All, number(bones))
	}
	tell(len(m.Skin.Morphs) > 0, "Morph targets", number(d.Morphs))
	tell(true, d.SizeName(), d.SizeText())
	for i := range own.Clips {
		p.Seconds = append(p.Seconds, decimals(own.Clips[i].Seconds, " s"))
		p.ClipNames = append(p.ClipNames, p.clipName(i))
	}
	var o skin.Outline
	o.AddClip(skinning.NewFrame(own, p.Frame.Centers), clip, ClipTimes(p.length(clip))...)
	p.Outline = o.Points()
	return p
}

// length returns the length of a clip in seconds, 0 if there is no such clip.
func (p *File) length(clip int) float64 {
	if clip < 0 || clip >= len(p.Model.Clips) {
		return 0
	}
	return p.Model.Clips[clip].Seconds
}

func ClipTimes(seconds float64) []float64 {
	const n = 12
	times := make([]float64, 0, n+1)
	for i := 0; i <= n; i++ {
		times = append(times, seconds*float64(i)/n)
	}
	return times
}

func (p *File) clipName(i int) string {
	name := p.Model.Clips[i].Name
	if _, made := stress.Name(name); made && i >= p.Own {
		_, name, _ = strings.Cut(name, ":") // the heading says it
	}
	return skinning.Named(name, "Clip", i)
}

// withStress returns a model with stress clips after its own, so that there is something to play, and its own number.
func withStress(m *skinning.Model) (all *skinning.Model, own int) {
	all = stress.Append(m)
	return all, stress.Own(all)
}

// withClips returns a model with the clips of another one that has the same nodes in the same order.
func withClips(m *skinning.Model, clips []skinning.Clip) *skinning.Model {
	out := *m
	out.Clips = clips
	return &out
}

// SameClip returns the clip of a newer version of a model with the name, else the index, of one of the older.
func SameClip(old *skinning.Model, clip int, now *skinning.Model) int {
	if clip < 0 || clip >= len(old.Clips) {
		return clip
	}
	if i := clipNamed(now, old.Clips[clip].Name); i >= 0 {
		return i
	}
	return min(clip, len(now.Clips)-1)
}

func clipNamed(m *skinning.Model, name string) int {
	return slices.IndexFunc(m.Clips, func(c skinning.Clip) bool { return c.Name == name })
}

// mostSkin returns the non-root joint that shares the largest area of skin with other joints, −1 if there is no skin.
// It is swept until the user picks a joint. Skin that one joint moves alone moves rigidly by any method.
func mostSkin(m *skinning.Model) int {
	if len(m.Skin.Positions) == 0 {
		return -1
	}
	share := make([]float64, len(m.Skeleton.Joints))
	for _, t := range m.Skin.Triangles {
		a, b, c := m.Skin.Positions[t[0]], m.Skin.Positions[t[1]], m.Skin.Positions[t[2]]
		area := float64(b.Sub(a).Cross(c.Sub(a)).Len())
		for _, v := range t {
			binding := &m.Skin.Bindings[v]
			for k, w := range binding.Weights {
				share[binding.Joints[k]] += float64(w*(1-w)) * area
			}
		}
	}
	best := -1
	for j := range share {
		if best < 0 || hangs(m, j) && !hangs(m, best) || hangs(m, j) == hangs(m, best) && share[j] > share[best] {
			best = j
		}
	}
	return best
}

func hangs(m *skinning.Model, joint int) bool { return m.Skeleton.Joints[joint].Parent >= 0 }
