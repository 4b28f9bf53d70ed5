// Package crowd is the first file many times over, so that a GPU has something to measure.
package crowd

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render"
	"skinlab/render/skin"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Crowd is the model itself, or many of it.
type Crowd struct {
	*desk.Desk
	gpu   *render.Renderer
	Most  int // that can be asked for
	Many  int // asked for; 1 is the model alone
	Drawn int // of each

	fits   int    // what the limits leave of those asked for
	reason string // why that are fewer; "" where they are not
	asked  limits

	own, fitted crowdOf
	posed       posing.Instant // what both hold
	size        int
	reads       skinning.Forms // of the methods that are seen
}

// crowdOf is a crowd of a model.
type crowdOf struct {
	*skin.Crowd
	model *skinning.Model
}

// limits is what the largest crowd depends on.
type limits struct {
	own, fitted *skinning.Model
	skinning    skin.Way
	reads       skinning.Forms
	many        int
}

// New returns the model alone.
func New(d *desk.Desk, gpu *render.Renderer) *Crowd {
	return &Crowd{Desk: d, gpu: gpu, Most: skin.MaxInstances, Many: 1}
}

// On reports whether there is more than one.
func (c *Crowd) On() bool { return c.Many > 1 }

// Close releases the crowd. It is nil-safe.
func (c *Crowd) Close() {
	if c != nil {
		c.own.drop()
		c.fitted.drop()
	}
}

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

// Pose poses what is seen of crowds of the first file's model and of what a fit has made of it, nil for nothing: the
// first of each as the model itself is, the others at other times of the clip. Turns that were made by hand and whole
// turns past 180° are for the model alone.
func (c *Crowd) Pose(model, fit *skinning.Model) {
	s := c.State
	var own, fitted *skinning.Model
	var reads skinning.Forms // of all methods that are seen
	if c.On() {
		for _, p := range s.Seen() {
			switch {
			case p.Beside:
			case p.Method == state.BlendBones:
				fitted = fit
			default:
				own = model
				reads |= p.Method.Reads()
			}
		}
	}
	want := posing.Instant{Clip: s.Clip, Time: s.Time, OK: true}
	kept := own == c.own.model && fitted == c.fitted.model && want == c.posed && reads == c.reads
	c.own.of(c.gpu, own)
	c.fitted.of(c.gpu, fitted)
	if c.Drawn = 1; own == nil && fitted == nil {
		c.reason, c.asked = "", limits{}
		return
	}
	c.limit(limits{own, fitted, c.gpu.Way(), reads, c.Many})
	c.Drawn = c.fits
	if kept && c.size == c.Drawn {
		return
	}
	c.posed, c.size, c.reads = want, c.Drawn, reads
	if own != nil {
		c.own.Pose(c.Drawn, s.Clip, s.Time, reads)
	}
	if fitted != nil {
		c.fitted.Pose(c.Drawn, s.Clip, s.Time, skinning.LBS.Reads())
	}
}

// PoseAnew lets the next frame pose the crowd, whether or not it stands still.
func (c *Crowd) PoseAnew() { c.posed.OK = false }

// limit finds how many fit.
func (c *Crowd) limit(asked limits) {
	if asked == c.asked {
		return
	}
	c.asked, c.fits, c.reason = asked, c.Many, ""
	fit := func(crowd *skin.Crowd, reads skinning.Forms) {
		if n, why := c.gpu.CrowdLimit(crowd, reads); n < c.fits {
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

// Set asks for a crowd. The camera stays: F frames it.
func (c *Crowd) Set(many int) {
	if many = min(max(many, 1), c.Most); many != c.Many {
		c.Many = many
		c.Wake()
	}
}

// Of returns the crowd of the first file's model, or of what a fit has made of it; nil for none.
func (c *Crowd) Of(fitted bool) *skin.Crowd {
	switch {
	case !c.On():
		return nil
	case fitted:
		return c.fitted.Crowd
	}
	return c.own.Crowd
}

// Bounds returns the box of the crowd, where there is one.
func (c *Crowd) Bounds() (lo, hi mgl32.Vec3, ok bool) {
	for _, c := range [...]crowdOf{c.own, c.fitted} {
		if c.Crowd != nil {
			lo, hi = c.Bounds()
			ok = true
		}
	}
	return lo, hi, ok
}

// Refuse goes back to the model alone where a crowd cannot be drawn after all, and reports whether that was so.
func (c *Crowd) Refuse(err error) bool {
	if !c.On() {
		return false
	}
	c.Many = 1
	c.Complain("Could not draw the crowd", err)
	return true
}

// Note says what there is to know about the crowd. It holds until the line is used again.
func (c *Crowd) Note() string {
	switch {
	case !c.On():
		return "The model many times over, each at a time of its own, from one buffer of palettes."
	case c.Drawn < c.Many && c.reason != "": // the limits of a size that has just been asked for come with its first frame
		return c.Line.Start().S("Not all: ").S(c.reason).S(".").View()
	case c.own.Crowd != nil && !c.own.Shadows() || c.fitted.Crowd != nil && !c.fitted.Shadows():
		return "F frames them all. So many cast no shadows."
	}
	return "F frames them all."
}
