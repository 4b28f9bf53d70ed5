package gltf

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// Paths and Interpolations map the document's enumerations to those of a model. PathShapes has the type of a path's
// values.
var (
	Paths = [...]skinning.Path{gltf.TRSTranslation: skinning.PathTranslation, gltf.TRSRotation: skinning.PathRotation,
		gltf.TRSScale: skinning.PathScale, gltf.TRSWeights: skinning.PathWeights}
	PathShapes = [...]gltf.AccessorType{gltf.TRSTranslation: gltf.AccessorVec3, gltf.TRSRotation: gltf.AccessorVec4,
		gltf.TRSScale: gltf.AccessorVec3, gltf.TRSWeights: gltf.AccessorScalar}
	Interpolations = [...]skinning.Interpolation{gltf.InterpolationLinear: skinning.Linear,
		gltf.InterpolationStep: skinning.Step, gltf.InterpolationCubicSpline: skinning.CubicSpline}
)

// clips reads animations. Samplers of many channels and clips often share accessors, which are decoded once.
type clips struct {
	*Source
	times  map[int][]float32
	values map[int][]float32
	units  map[unitCheck]bool // rotation outputs whose keys have been checked
}

// unitCheck names one check of rotation keys: cubic outputs hold tangents beside the keys.
type unitCheck struct {
	accessor int
	cubic    bool
}

func (d *Source) readClips() error {
	c := clips{d, map[int][]float32{}, map[int][]float32{}, map[unitCheck]bool{}}
	for i, info := range d.Doc.Animations {
		if err := d.progress.at(stepClips, i, len(d.Doc.Animations)); err != nil {
			return err
		}
		clip, err := c.clip(info, i)
		if err != nil {
			return &located{fault.Element("animation", i, info.Name), err}
		}
		d.Model.Clips = append(d.Model.Clips, clip)
	}
	return nil
}

func (c *clips) clip(info *gltf.Animation, i int) (skinning.Clip, error) {
	clip := skinning.Clip{Name: skinning.Named(info.Name, "Clip", i)}
	where := fault.Element("animation", i, info.Name)
	type target struct {
		node int
		path skinning.Path
	}
	var begin float32
	at := map[target]int{} // where the channel of a target is in clip.Channels
	for k := range info.Channels {
		ch := info.Channels[k]
		if ch.Target.Node == nil {
			continue // defined by an extension, if at all (glTF 2.0, section 3.11)
		}
		if name, ok := c.Paths[&ch.Target]; ok {
			c.notes.Add("%s, channel %d: animates %q, which is not read; it is left out", where, k, fault.Shorten(name))
			continue
		}
		node, path := *ch.Target.Node, Paths[ch.Target.Path]
		width := PathShapes[ch.Target.Path].Components()
		if path == skinning.PathWeights {
			width = c.slots[node].count
		}
		if width == 0 {
			c.notes.Add("%s, channel %d: node %d has no morph targets that are drawn; it is left out", where, k, node)
			continue
		}
		out, err := c.channel(info.Samplers[ch.Sampler], ch.Target.Path, width)
		if err != nil {
			return clip, &located{fault.Element("channel", k, ""), err}
		}
		out.Node, out.FirstSlot = node, c.slots[node].first
		if path != skinning.PathWeights {
			out.FirstSlot = 0
		}
		begin = min(begin, out.Times[0])
		clip.Seconds = math.Max(clip.Seconds, float64(out.Times[len(out.Times)-1]))
		if old, twice := at[target{node, path}]; twice {
			c.notes.Add("%s, channel %d: animates %s of node %d a second time; the last channel counts", where, k,
				ch.Target.Path, node)
			clip.Channels[old] = out
			continue
		}
		at[target{node, path}] = len(clip.Channels)
		clip.Channels = append(clip.Channels, out)
	}
	if begin < 0 {
		c.notes.Add("%s: keys begin at %g s, before 0 s, where a clip starts to play", where, begin)
	}
	return clip, nil
}

// channel reads a sampler for a path of width numbers a key.
func (c *clips) channel(s *gltf.AnimationSampler, path gltf.TRSProperty, width int) (skinning.Channel, error) {
	ch := skinning.Channel{Path: Paths[path], Width: width, Interpolation: Interpolations[s.Interpolation]}
	var err error
	if ch.Times, err = c.keyTimes(s.Input); err != nil {
		return ch, fmt.Errorf("input: %w", err)
	}
	if ch.Values, err = c.keyValues(s.Output, path); err != nil {
		return ch, fmt.Errorf("output: %w", err)
	}
	want := int64(len(ch.Times)) * int64(width)
	if ch.Interpolation == skinning.CubicSpline {
		want *= 3
	}
	if int64(len(ch.Values)) != want {
		return ch, fault.Malformed("output: %d numbers for %d %s keys of %d numbers, expected %d",
			len(ch.Values), len(ch.Times), s.Interpolation, width, want)
	}
	if path == gltf.TRSRotation {
		if err := c.checkRotations(s.Output, &ch); err != nil {
			return ch, fmt.Errorf("output: %w", err)
		}
	}
	return ch, nil
}

// keyTimes reads key times: seconds, strictly rising. glTF has none before 0 s, but some programs write them. A clip
// plays from 0 s, so earlier keys only say how it begins.
func (c *clips) keyTimes(i int) ([]float32, error) {
	if t, ok := c.times[i]; ok {
		return t, nil
	}
	a := &c.Accessors[i]
	if a.Type != gltf.AccessorScalar || a.ComponentType != gltf.ComponentFloat {
		return nil, fault.Malformed("accessor %d is %s of %s, expected SCALAR of FLOAT", i, a.Type, a.ComponentType)
	}
	t, err := c.floats(i)
	if err != nil {
		return nil, err
	}
	for k := 1; k < len(t); k++ {
		if !(t[k] > t[k-1]) {
			return nil, fault.Malformed("key %d at %g s does not follow key %d at %g s", k, t[k], k-1, t[k-1])
		}
	}
	c.times[i] = t
	return t, nil
}

// keyValues reads the numbers of an output accessor.
func (c *clips) keyValues(i int, path gltf.TRSProperty) ([]float32, error) {
	if a := &c.Accessors[i]; a.Type != PathShapes[path] || a.ComponentType == gltf.ComponentUint {
		return nil, fault.Malformed("accessor %d is %s of %s, expected %s of FLOAT or normalised integers", i, a.Type,
			a.ComponentType, PathShapes[path])
	}
	if v, ok := c.values[i]; ok {
		return v, nil
	}
	v, err := c.floats(i)
	if err != nil {
		return nil, err
	}
	c.values[i] = v
	return v, nil
}

// floats reads a whole accessor.
func (c *clips) floats(i int) ([]float32, error) {
	r, err := c.Read(i)
	if err != nil {
		return nil, err
	}
	if err := c.budget.charge(int64(r.Count), 4*int64(r.width), "animation keys"); err != nil {
		return nil, err
	}
	out := make([]float32, 0, r.Count*r.width)
	var buf [16]float64
	v := buf[:r.width]
	for k := range r.Count {
		r.Value(v)
		if !finite(v) {
			return nil, fault.Malformed("accessor %d: element %d is %v, expected finite numbers", i, k, v)
		}
		for _, x := range v {
			out = append(out, float32(x))
		}
	}
	return out, nil
}

// checkRotations refuses keys that are no rotation. Tangents may be anything.
func (c *clips) checkRotations(accessor int, ch *skinning.Channel) error {
	check := unitCheck{accessor, ch.Interpolation == skinning.CubicSpline}
	if c.units[check] {
		return nil
	}
	for k := range ch.Times {
		at := 4 * k
		if check.cubic {
			at = 4 * (3*k + 1)
		}
		length := 0.0
		for _, x := range ch.Values[at : at+4] {
			length += float64(x) * float64(x)
		}
		if !(length > 1e-24) {
			return fault.Malformed("rotation key %d is a quaternion of length zero", k)
		}
	}
	c.units[check] = true
	return nil
}
