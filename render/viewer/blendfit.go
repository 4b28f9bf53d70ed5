package viewer

import (
	"context"
	"math"
	"slices"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// blendFit is the fit of blend bones, as the panel asks for it.
type blendFit struct{ BlendRequest }

func (*blendFit) name() string   { return "Blend bones" }
func (*blendFit) nouns() string  { return "blend bones" }
func (*blendFit) suffix() string { return "-blend" }

// Ranges of what the panel asks.
const (
	mostFitBones = 40
	leastFrames  = 2
	mostFrames   = 60
	usualFrames  = 24
	mostTargetEE = 20
	targetEEStep = 0.5
)

func (k *blendFit) ask(a *app, in *ui.Rect, changes bool) {
	ask := k.BlendRequest
	operators := &a.lists.operators
	chosen := max(slices.Index(operators.methods, ask.Operator), 0)
	chosen = a.ui.Segments(itemFitSource, a.fitRow(in, "Look like"), operators.names, chosen)
	ask.Operator = operators.methods[chosen]
	ask.Bones = int(a.fitSlider(itemFitSlider, in, "Most bones", a.line.Start().I(ask.Bones).View(), float64(ask.Bones), 1,
		mostFitBones, 1))
	target := "none"
	if ask.Target > 0 {
		target = a.line.Start().F(ask.Target, 1).S(" %").View()
	}
	ask.Target = a.fitSlider(itemFitSlider+1, in, "Target EE", target, ask.Target, 0, mostTargetEE, targetEEStep)
	ask.Frames, ask.Clip = a.askPoses(in, ask.Frames, ask.Clip)
	if changes {
		k.BlendRequest = ask
	}
}

func (k *blendFit) model(_ *skinning.Model, clip, _, _ int, operator skinning.Method) {
	k.Clip, k.Operator = clip, operator
}

func (k *blendFit) run(fit Fitter) func(context.Context, *skinning.Model, func(FitUpdate)) {
	request := k.BlendRequest
	return func(ctx context.Context, m *skinning.Model, update func(FitUpdate)) {
		fit.BlendBones(ctx, m, request, update)
	}
}

func (k *blendFit) shows() skinning.Method { return k.Operator }
func (k *blendFit) clip() int              { return -1 }
func (k *blendFit) most() int              { return k.Bones }

// done guesses: the share of its bones, or of the way to its target on a logarithmic scale, along which errors fall
// evenly.
func (k *blendFit) done(f *fitting) float64 {
	p := float64(f.now.Bones) / float64(max(k.Bones, 1))
	if len(f.history) == 0 {
		return p
	}
	if first := f.history[0].EE; k.Target > 0 && f.now.EE > 0 && first > k.Target {
		p = max(p, math.Log(first/f.now.EE)/math.Log(first/k.Target))
	}
	return p
}

func (k *blendFit) refining(f *fitting) string {
	if f.now.Bones >= k.Bones {
		return "refining"
	}
	return ""
}
