package viewer

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// prepared is a model with everything that is computed once for it. It needs no OpenGL, so another goroutine makes it.
type prepared struct {
	posing.Subject
	bones     *posing.Skeleton
	diagonal  float64         // metres
	mostSkin  int             // joint that moves the largest part of the skin, −1 for none
	fitted    *fitted.Model   // of a file with added bones; model then has only the weights of their masters
	reference skinning.Method // what errors are distances to, unless the user chooses
	why       string          // the reason for that, a sentence; "" where no joint scales
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
	vertices, triangles := len(m.Skin.Positions), len(m.Skin.Triangles)
	rigid := 0
	for i := range m.Rigid {
		rigid += len(m.Rigid[i].Positions)
		triangles += len(m.Rigid[i].Triangles)
	}
	tell := func(name string, value *ui.Line) {
		p.facts = append(p.facts, modelpage.Fact{Name: name, Value: text(value)})
	}
	tell("Vertices", line.Start().I(vertices+rigid))
	tell("Triangles", line.Start().I(triangles))
	if vertices > 0 {
		mean, most := m.Skin.Stats()
		if rigid > 0 {
			tell("Skinned vertices", line.Start().I(vertices))
		}
		tell("Joints", line.Start().I(m.Skeleton.JointNodes()))
		tell("Influences, mean", line.Start().F(mean, 2))
		tell("Influences, max", line.Start().I(most))
		if m.Skin.Twist != nil {
			mean, _ := m.Skin.Twist.Stats()
			tell("Twist influences, mean", line.Start().F(mean, 2))
		}
	}
	if p.fitted != nil {
		tell(p.fitted.Names.All, line.Start().I(len(m.Added())))
	}
	if n := len(m.Skin.Morphs); n > 0 {
		tell("Morph targets", line.Start().I(len(m.MorphSlots)))
	}
	tell("Size", line.Start().F(m.Diagonal(), 2).S(" m"))
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
