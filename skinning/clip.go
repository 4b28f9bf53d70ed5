package skinning

import (
	"fmt"
	"slices"
	"sort"

	"skinlab/skinning/geom"
)

// Path is what a channel animates.
type Path uint8

// The animation paths of glTF.
const (
	PathTranslation Path = iota
	PathRotation
	PathScale
	PathWeights
)

// Interpolation is how a channel runs between its keys.
type Interpolation uint8

// The interpolations of glTF.
const (
	Linear Interpolation = iota // rotations by slerp along the shorter arc
	Step
	CubicSpline // three values a key: in-tangent, value, out-tangent; tangents are scaled by the interval
)

// Channel animates one property of one node.
type Channel struct {
	Node          int
	Path          Path
	Interpolation Interpolation
	FirstSlot     int // PathWeights: the first of Width morph slots
	Width         int // numbers a value: 3, 4 (rotation), or the number of morph weights
	Times         []float32
	Values        []float32 // len(Times)·Width, times 3 for CubicSpline
}

// Clip is a named set of channels.
type Clip struct {
	Name     string
	Seconds  float64 // time of the last key of any channel
	Channels []Channel
	Lost     int // how many channels of the file are left out
	Notes    []ClipNote
	Unlearnt bool   // the bones that a fit has added have no motion in it, so that files of the fit leave it out
	Motion   string // the file whose motion the clip is, where that is not the model's own: see package retarget
}

// LostAll reports whether every channel of the file's clip is left out: it plays nothing.
func (c *Clip) LostAll() bool { return c.Lost > 0 && len(c.Channels) == 0 }

// Stands reports whether the clip stands still between its keys.
func (c *Clip) Stands() bool {
	return len(c.Channels) > 0 && !slices.ContainsFunc(c.Channels, func(ch Channel) bool { return ch.Interpolation != Step })
}

// ClipNote says in a few words what a part of a clip shows, such as "forearms, 120°", for a timeline. Clips of files
// have none. Notes are in the order of time and do not overlap.
type ClipNote struct {
	From, To float64 // seconds in the clip
	Text     string
}

// NewClip returns a clip of channels that have keys.
func NewClip(name string, channels []Channel) Clip {
	c := Clip{Name: name, Channels: channels}
	for i := range channels {
		c.Seconds = max(c.Seconds, float64(channels[i].Times[len(channels[i].Times)-1]))
	}
	return c
}

// AddRotation appends a rotation to the values. Of its two signs it takes that which continues the value before.
func (c *Channel) AddRotation(q geom.Quat) {
	if n := len(c.Values); n > 0 {
		last := c.Values[n-4:]
		if q.Dot(geom.Quat{float64(last[0]), float64(last[1]), float64(last[2]), float64(last[3])}) < 0 {
			q = q.Scale(-1)
		}
	}
	for _, x := range q {
		c.Values = append(c.Values, float32(x))
	}
}

// Validate checks shapes and key times: a caller that builds channels itself calls it before sampling.
func (c *Channel) Validate() error {
	n := len(c.Times) * c.Width
	if c.Interpolation == CubicSpline {
		n *= 3
	}
	if len(c.Times) == 0 || len(c.Values) != n {
		return fmt.Errorf("%d keys of width %d with %d values, expected %d", len(c.Times), c.Width, len(c.Values), n)
	}
	for i := 1; i < len(c.Times); i++ {
		if !(c.Times[i] > c.Times[i-1]) {
			return fmt.Errorf("key %d at %g s does not follow key %d at %g s", i, c.Times[i], i-1, c.Times[i-1])
		}
	}
	return nil
}

// Sample writes the clip's values at time t seconds into p, clamped outside its range. Channels leave the rest of p
// alone. It allocates nothing.
func (c *Clip) Sample(p *Pose, t float64) {
	for i := range c.Channels {
		c.Channels[i].sample(p, t)
	}
}

// KeyTimes returns the sorted distinct key times of all channels, in seconds.
func (c *Clip) KeyTimes() []float64 {
	var all []float64
	for i := range c.Channels {
		for _, t := range c.Channels[i].Times {
			all = append(all, float64(t))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (c *Channel) sample(p *Pose, t float64) {
	n := len(c.Times)
	// next is the first key after t; the interval is [next−1, next].
	next := sort.Search(n, func(i int) bool { return float64(c.Times[i]) > t })
	key, u, dt := next-1, 0.0, 0.0
	switch {
	case next == 0:
		key = 0
	case next < n && c.Interpolation != Step:
		t0 := float64(c.Times[key])
		dt = float64(c.Times[next]) - t0
		u = (t - t0) / dt
	}
	if c.Path == PathWeights {
		for k := 0; k < c.Width; k++ {
			p.Morphs[c.FirstSlot+k] = c.number(key, k, u, dt)
		}
		return
	}
	l := &p.Local[c.Node]
	switch c.Path {
	case PathTranslation:
		for k := range l.Translation {
			l.Translation[k] = c.number(key, k, u, dt)
		}
	case PathScale:
		for k := range l.Scale {
			l.Scale[k] = c.number(key, k, u, dt)
		}
	case PathRotation:
		if c.Interpolation == Linear && u > 0 {
			l.Rotation = geom.Slerp(c.quat(key).Normalize(), c.quat(key+1).Normalize(), u)
			return
		}
		var q geom.Quat
		for k := range q {
			q[k] = c.number(key, k, u, dt)
		}
		l.Rotation = q.Normalize()
	}
}

// number returns component k at fraction u of the interval of dt seconds after key.
func (c *Channel) number(key, k int, u, dt float64) float64 {
	if c.Interpolation != CubicSpline {
		a := float64(c.Values[key*c.Width+k])
		if u == 0 {
			return a
		}
		return a + u*(float64(c.Values[(key+1)*c.Width+k])-a)
	}
	w := c.Width
	p0 := float64(c.Values[(3*key+1)*w+k])
	if u == 0 {
		return p0
	}
	m0 := dt * float64(c.Values[(3*key+2)*w+k])
	m1 := dt * float64(c.Values[(3*key+3)*w+k])
	p1 := float64(c.Values[(3*key+4)*w+k])
	u2, u3 := u*u, u*u*u
	return (2*u3-3*u2+1)*p0 + (u3-2*u2+u)*m0 + (3*u2-2*u3)*p1 + (u3-u2)*m1 // glTF 2.0, appendix C
}

func (c *Channel) quat(key int) geom.Quat {
	v := c.Values[4*key : 4*key+4]
	return geom.Quat{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}
}
