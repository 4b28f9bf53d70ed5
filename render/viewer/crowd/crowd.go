// Package crowd shows many copies of the first file, enough for a GPU to take a measurable time.
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

// Crowd is the model alone or many copies of it.
type Crowd struct {
	*desk.Desk
	gpu   *render.Renderer
	Most  int // largest number that can be asked for
	Many  int // number asked for; 1 is the model alone
	Drawn int // number drawn

	fits   int    // number of those asked for that the limits allow
	reason string // why that is fewer than asked for; "" if it is not
	asked  limits

	own, fitted crowdOf
	posed       posing.Instant // pose of both crowds
	size        int
	reads       skinning.Forms // palette forms that the seen methods read
}

type crowdOf struct {
	*skin.Crowd
	model *skinning.Model
}

// limits are what the largest possible crowd depends on.
type limits struct {
	own, fitted *skinning.Model
	skinning    skin.Way
	reads       skinning.Forms
	many        int
}

func New(d *desk.Desk, gpu *render.Renderer) *Crowd {
	return &Crowd{Desk: d, gpu: gpu, Most: skin.MaxInstances, Many: 1}
}

func (c *Crowd) On() bool { return c.Many > 1 }

// Close releases the crowd. It is nil-safe.
func (c *Crowd) Close() {
	if c != nil {
		c.own.drop()
		c.fitted.drop()
	}
}

func (c *crowdOf) drop() {
	c.Close()
	*c = crowdOf{}
}

// of makes the crowd one of a model. nil removes it. Centers are as in [render.Renderer.NewCrowd].
func (c *crowdOf) of(gpu *render.Renderer, m *skinning.Model, centers *skinning.CenterSets) {
	if c.model == m {
		return
	}
	c.drop()
	if m != nil {
		*c = crowdOf{gpu.NewCrowd(m, centers, 0), m}
	}
}

// Pose poses the crowds that are seen: of the first file's model, of which a frame is given, and of its fit; nil for one that is not seen. The
// first instance plays as the model alone does, the others at other times of the clip. A crowd ignores joints posed by
// hand and rotations past 180°.
func (c *Crowd) Pose(frame *skinning.Frame, fit *skinning.Model) {
	s := c.State
	var own, fitted *skinning.Model
	var reads skinning.Forms // of all methods that are seen
	if c.On() {
		for _, p := range s.Seen() {
			switch {
			case p.Beside:
			case p.Method == state.Fitted:
				fitted = fit
			case p.Method == state.Examples: // of the poses of the clip alone
			default:
				own = frame.Model
				reads |= p.Method.Reads()
			}
		}
	}
	want := posing.Instant{Clip: s.Clip, Time: s.Time, OK: true}
	kept := own == c.own.model && fitted == c.fitted.model && want == c.posed && reads == c.reads
	c.own.of(c.gpu, own, frame.Centers)
	c.fitted.of(c.gpu, fitted, nil)
	c.Drawn = 1
	if own == nil && fitted == nil {
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

// PoseAnew makes the next frame pose the crowd again even if it stands still.
func (c *Crowd) PoseAnew() { c.posed.OK = false }

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

// Set asks for a number of instances. It does not move the camera.
func (c *Crowd) Set(many int) {
	many = min(max(many, 1), c.Most)
	if many != c.Many {
		c.Many = many
		c.Wake()
	}
}

// Of returns the crowd of the first file's model or of its fit; nil for none.
func (c *Crowd) Of(fitted bool) *skin.Crowd {
	switch {
	case !c.On():
		return nil
	case fitted:
		return c.fitted.Crowd
	}
	return c.own.Crowd
}

func (c *Crowd) Bounds() (lo, hi mgl32.Vec3, ok bool) {
	for _, c := range [...]crowdOf{c.own, c.fitted} {
		if c.Crowd != nil {
			lo, hi = c.Bounds()
			ok = true
		}
	}
	return lo, hi, ok
}

// Refuse goes back to the model alone if an error says that the crowd cannot be drawn. It reports whether it did.
func (c *Crowd) Refuse(err error) bool {
	if !c.On() {
		return false
	}
	c.Many = 1
	c.Complain("Could not draw the crowd", err)
	return true
}

// Note describes the crowd's limits or costs. It is valid until the line is used again.
func (c *Crowd) Note() string {
	switch {
	case !c.On():
		return "The model many times over, each at a time of its own, from one buffer of palettes."
	case c.Drawn < c.Many && c.reason != "": // the limits of a new size come with its first frame
		return c.Line.Start().S("Not all: ").S(c.reason).S(".").View()
	case c.own.Crowd != nil && !c.own.Shadows() || c.fitted.Crowd != nil && !c.fitted.Shadows():
		return "F frames them all. So many cast no shadows."
	}
	return "F frames them all."
}
