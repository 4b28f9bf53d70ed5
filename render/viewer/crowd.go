package viewer

import (
	"skinlab/render"
	"skinlab/render/skin"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// crowding is the first file many times over, so that a GPU has something to measure.
type crowding struct {
	most int // that can be asked for
	many int // asked for; 1 is the model alone

	drawn  int    // of each
	fits   int    // what the limits leave of those asked for
	reason string // why that are fewer; "" where they are not
	asked  crowdLimits

	own, fitted crowdOf
	posed       posed // what both hold
	size        int
	reads       skinning.Forms // of the methods that are seen
}

// crowdOf is a crowd of a model.
type crowdOf struct {
	*skin.Crowd
	model *skinning.Model
}

// crowdLimits is what the largest crowd depends on.
type crowdLimits struct {
	own, fitted *skinning.Model
	skinning    skin.Way
	reads       skinning.Forms
	many        int
}

// crowded reports whether there is more than one.
func (a *app) crowded() bool { return a.crowd.many > 1 }

// drop ends a crowd.
func (c *crowdOf) drop() {
	c.Close()
	*c = crowdOf{}
}

// of makes the crowd one of a model, nil for none.
func (c *crowdOf) of(gpu *render.Renderer, m *skinning.Model) {
	if c.model == m {
		return
	}
	c.drop()
	if m != nil {
		*c = crowdOf{gpu.NewCrowd(m, 0), m}
	}
}

// poseCrowds poses what is seen of crowds: the first of each as the model itself is, the others at other times of the
// clip. Turns that were made by hand and whole turns past 180° are for the model alone.
func (a *app) poseCrowds() {
	c, s := &a.crowd, &a.state
	var own, fitted *skinning.Model
	var reads skinning.Forms // of all methods that are seen
	if a.crowded() {
		for _, p := range s.Seen() {
			switch {
			case p.Beside:
			case p.Method == blendBones:
				if a.fitted != nil {
					fitted = a.fitted.model
				}
			default:
				own = a.shown.model
				reads |= p.Method.Reads()
			}
		}
	}
	want := posed{clip: s.Clip, time: s.Time, ok: true}
	kept := own == c.own.model && fitted == c.fitted.model && want == c.posed && reads == c.reads
	c.own.of(a.gpu, own)
	c.fitted.of(a.gpu, fitted)
	if c.drawn = 1; own == nil && fitted == nil {
		c.reason, c.asked = "", crowdLimits{}
		return
	}
	a.limitCrowd(crowdLimits{own, fitted, a.gpu.Way(), reads, c.many})
	c.drawn = c.fits
	if kept && c.size == c.drawn {
		return
	}
	c.posed, c.size, c.reads = want, c.drawn, reads
	if own != nil {
		c.own.Pose(c.drawn, s.Clip, s.Time, reads)
	}
	if fitted != nil {
		c.fitted.Pose(c.drawn, s.Clip, s.Time, skinning.LBS.Reads())
	}
}

// limitCrowd finds how many fit.
func (a *app) limitCrowd(asked crowdLimits) {
	c := &a.crowd
	if asked == c.asked {
		return
	}
	c.asked, c.fits, c.reason = asked, c.many, ""
	fit := func(crowd *skin.Crowd, reads skinning.Forms) {
		if n, why := a.gpu.CrowdLimit(crowd, reads); n < c.fits {
			c.fits, c.reason = n, why
		}
	}
	if asked.own != nil {
		fit(c.own.Crowd, asked.reads)
	}
	if asked.fitted != nil {
		fit(c.fitted.Crowd, skinning.LBS.Reads())
	}
}

// SetCrowd asks for a crowd. The camera stays: F frames it.
func (a *app) SetCrowd(many int) {
	if many = min(max(many, 1), a.crowd.most); many != a.crowd.many {
		a.crowd.many = many
		a.wake()
	}
}

// crowdIn returns the crowd that a pane shows, nil for none.
func (a *app) crowdIn(p state.Pane) *skin.Crowd {
	c := &a.crowd
	switch {
	case !a.crowded() || p.Beside && a.beside != nil:
		return nil
	case p.Method == blendBones && a.fitted != nil:
		return c.fitted.Crowd
	}
	return c.own.Crowd
}

// frameCrowd fits the camera to the crowd.
func (a *app) frameCrowd() {
	a.poseCrowds()
	for _, c := range [...]crowdOf{a.crowd.own, a.crowd.fitted} {
		if c.Crowd != nil {
			a.framing.lo, a.framing.hi = c.Bounds()
		}
	}
}

// refuseCrowd goes back to the model alone where a crowd cannot be drawn after all, and reports whether that was so.
func (a *app) refuseCrowd(err error) bool {
	if !a.crowded() {
		return false
	}
	a.crowd.many = 1
	a.complain("Could not draw the crowd", err)
	return true
}

// CrowdNote says what there is to know about the crowd. It holds until the line is used again.
func (a *app) CrowdNote() string {
	c := &a.crowd
	switch {
	case !a.crowded():
		return "The model many times over, each at a time of its own, from one buffer of palettes."
	case c.drawn < c.many && c.reason != "": // the limits of a size that has just been asked for come with its first frame
		return a.line.Start().S("Not all: ").S(c.reason).S(".").View()
	case c.own.Crowd != nil && !c.own.Shadows() || c.fitted.Crowd != nil && !c.fitted.Shadows():
		return "F frames them all. So many cast no shadows."
	}
	return "F frames them all."
}
