package viewer

import (
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/stress"
)

// prepared is a model with everything that is computed once for it. It needs no OpenGL, so another goroutine makes it.
type prepared struct {
	posing.Subject
	bones     *posing.Skeleton
	diagonal  float64         // metres
	mostSkin  int             // joint that moves the largest part of the skin, −1 for none
	fitted    *fitted.Model   // of a file with added bones; model then has only the weights of their masters
	reference skinning.Method // the method that errors are measured against, unless the user chooses
	why       string          // the reason for it, a sentence; "" where no joint scales
	loses     string          // what a reference without scale loses, a sentence; "" for nothing
	facts     []modelpage.Fact
	source    *skinning.Model // model as loaded; model has more clips
	own       int             // number of the file's clips; the stress clips follow them
	seconds   []string        // length of each clip as text
	clipNames []string        // name of each clip
	outline   []mgl32.Vec3    // outermost points of the model over the clip that is shown first
}

// prepare prepares a model that is shown in a clip first, −1 for the static pose.
func prepare(m *skinning.Model, clip int) *prepared {
	p := &prepared{}
	own := m
	p.source = m
	if len(m.Added()) > 0 {
		own = fitted.Masters(m)
	}
	blended := own != m
	if own, p.own = withStress(own); blended {
		p.fitted = fitted.New(withClips(m, own.Clips))
	}
	var why string
	if p.reference, why = compare.Reference(m); p.reference != skinning.DQS {
		p.why = "Chosen because " + why + "."
	}
	if p.reference == skinning.SDQS {
		p.loses = "This reference has no scale, and " + why + "."
	}
	p.Subject = posing.NewSubject(own, nil)
	p.bones, p.diagonal = posing.NewSkeleton(own, m.Added()), m.Diagonal()
	p.mostSkin = sweep.MostSkin(own)
	var line ui.Line
	text := func(l *ui.Line) string { return string(append([]byte(nil), l.View()...)) }
	d := m.Describe()
	tell := func(name string, value *ui.Line) {
		p.facts = append(p.facts, modelpage.Fact{Name: name, Value: text(value)})
	}
	tell("Vertices", line.Start().I(d.Vertices))
	tell("Triangles", line.Start().I(d.Triangles))
	if d.SkinnedVertices > 0 && d.Vertices > d.SkinnedVertices {
		tell("Skinned vertices", line.Start().I(d.SkinnedVertices))
	}
	if d.Joints > 0 {
		tell("Joints", line.Start().I(d.Joints))
	}
	if d.SkinnedVertices > 0 {
		if d.JointsWithoutSkin > 0 {
			tell("Joints without skin", line.Start().I(d.JointsWithoutSkin))
		}
		tell("Influences, mean", line.Start().F(d.Influences.Mean, 2))
		tell("Influences, max", line.Start().I(d.Influences.Max))
		if d.Twist != nil {
			tell("Twist influences, mean", line.Start().F(d.Twist.Mean, 2))
		}
	}
	if p.fitted != nil {
		tell(p.fitted.Names.All, line.Start().I(len(m.Added())))
	}
	if len(m.Skin.Morphs) > 0 {
		tell("Morph targets", line.Start().I(d.Morphs))
	}
	tell(d.SizeName(), line.Start().S(d.SizeText()))
	for i := range own.Clips {
		p.seconds = append(p.seconds, text(line.Start().F(own.Clips[i].Seconds, 2).S(" s")))
		p.clipNames = append(p.clipNames, p.clipName(i))
	}
	var o skin.Outline
	o.AddClip(skinning.NewFrame(own, p.Frame.Centers), clip, clipTimes(p.length(clip))...)
	p.outline = o.Points()
	return p
}

// length returns the length of a clip in seconds, 0 if there is no such clip.
func (p *prepared) length(clip int) float64 {
	if clip < 0 || clip >= len(p.Model.Clips) {
		return 0
	}
	return p.Model.Clips[clip].Seconds
}

// clipTimes returns a few times spread over a clip.
func clipTimes(seconds float64) []float64 {
	const n = 12
	times := make([]float64, 0, n+1)
	for i := 0; i <= n; i++ {
		times = append(times, seconds*float64(i)/n)
	}
	return times
}

// clipName returns the name of a clip as lists show it.
func (p *prepared) clipName(i int) string {
	name := p.Model.Clips[i].Name
	if _, made := stress.Name(name); made && i >= p.own {
		_, name, _ = strings.Cut(name, ": ") // the heading says it
	}
	return skinning.Named(name, "Clip", i)
}
