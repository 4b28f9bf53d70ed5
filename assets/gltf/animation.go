package gltf

import (
	"errors"
	"fmt"
	"math"
	"strings"

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
	times  map[int]keyTimes
	values map[int][]float32
}

// keyTimes are the keys of an input accessor that can be played.
type keyTimes struct {
	times []float32 // strictly rising
	keys  []int     // their places in the accessor; nil for all of them
	note  string    // what is unusual about the others; "" for nothing
}

func (d *Source) readClips() error {
	c := clips{d, map[int]keyTimes{}, map[int][]float32{}}
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

// clip reads an animation. A channel that cannot be played is left out with a warning, and the clip counts it.
func (c *clips) clip(info *gltf.Animation, i int) (skinning.Clip, error) {
	clip := skinning.Clip{Name: skinning.Named(info.Name, "Clip", i)}
	where := fault.Element("animation", i, info.Name)
	at := map[Target]int{} // where the channel of a target is in clip.Channels
	var begin float32
	for k, ch := range info.Channels {
		note := func(format string, args ...any) {
			c.notes.Add("%s, channel %d: %s", where, k, fmt.Sprintf(format, args...))
		}
		targets, err := c.Targets(&ch.Target)
		read := 0
		for n := 0; n < len(targets) && err == nil; n++ {
			var out skinning.Channel
			var unusual string
			if out, unusual, err = c.channel(info.Samplers[ch.Sampler], targets[n]); err != nil {
				break
			}
			if unusual != "" {
				note("%s", unusual)
			}
			read++
			begin = min(begin, out.Times[0])
			clip.Seconds = math.Max(clip.Seconds, float64(out.Times[len(out.Times)-1]))
			if old, twice := at[targets[n]]; twice {
				note("animates %s of node %d a second time; the last channel counts", targets[n].Path, targets[n].Node)
				clip.Channels[old] = out
				continue
			}
			at[targets[n]] = len(clip.Channels)
			clip.Channels = append(clip.Channels, out)
		}
		if errors.Is(err, fault.ErrUnsupported) { // more than the file may take
			return clip, &located{fault.Element("channel", k, ""), err}
		}
		if err != nil {
			note("%v; it is left out", err)
		}
		if read == 0 && (err != nil || len(targets) > 0) {
			clip.Lost++
		}
	}
	if clip.Lost > 0 {
		c.notes.Add("%s: %d of %d channels are left out", where, clip.Lost, len(info.Channels))
	}
	if begin < 0 {
		c.notes.Add("%s: keys begin at %g s, before 0 s, where a clip starts to play", where, begin)
	}
	return clip, nil
}

// channel reads a sampler for a target. Unusual is what was left out of it; "" for nothing.
func (c *clips) channel(s *gltf.AnimationSampler, t Target) (ch skinning.Channel, unusual string, err error) {
	ch = skinning.Channel{Node: t.Node, Path: Paths[t.Path], Width: PathShapes[t.Path].Components(),
		Interpolation: Interpolations[s.Interpolation]}
	if ch.Path == skinning.PathWeights {
		slots := c.slots[t.Node]
		ch.FirstSlot, ch.Width = slots.first, slots.count
		if t.Weight >= 0 && t.Weight < slots.count {
			ch.FirstSlot, ch.Width = slots.first+t.Weight, 1
		}
		if slots.count == 0 || t.Weight >= slots.count {
			return ch, "", fmt.Errorf("node %d has no morph targets that are drawn", t.Node)
		}
	}
	keys, err := c.keyTimes(s.Input)
	if err != nil {
		return ch, "", fmt.Errorf("input: %w", err)
	}
	if ch.Values, err = c.keyValues(s.Output, t.Path); err != nil {
		return ch, "", fmt.Errorf("output: %w", err)
	}
	ch.Times, unusual = keys.times, keys.note
	size := ch.Width // numbers a key
	if ch.Interpolation == skinning.CubicSpline {
		size *= 3
	}
	count := c.Accessors[s.Input].Count
	if want := int64(count) * int64(size); int64(len(ch.Values)) != want {
		return ch, "", fault.Malformed("output: %d numbers for %d %s keys of %d numbers, expected %d",
			len(ch.Values), count, s.Interpolation, ch.Width, want)
	}
	if keys.keys != nil {
		values := make([]float32, 0, len(keys.keys)*size)
		for _, k := range keys.keys {
			values = append(values, ch.Values[k*size:(k+1)*size]...)
		}
		ch.Values = values
	}
	if bad := dropUnsound(&ch, size); bad != "" {
		unusual = strings.TrimPrefix(unusual+"; "+bad, "; ")
	}
	if len(ch.Times) == 0 {
		return ch, "", fault.Malformed("no key can be played: %s", unusual)
	}
	return ch, unusual, nil
}

// dropUnsound leaves out keys of size numbers whose value is not finite, or no rotation. It says which, "" for none.
// Tangents of rotations may be anything that is finite.
func dropUnsound(ch *skinning.Channel, size int) (note string) {
	keep := make([]int, 0, len(ch.Times))
	for k := range ch.Times {
		key := ch.Values[k*size : (k+1)*size]
		what := ""
		for _, x := range key {
			if x-x != 0 {
				what = "is not finite"
			}
		}
		if ch.Path == skinning.PathRotation && what == "" {
			length := 0.0
			for _, x := range key[(size-4)/2 : (size+4)/2] { // the middle one of tangent, value, tangent
				length += float64(x) * float64(x)
			}
			if !(length > 1e-24) {
				what = "is a quaternion of length zero"
			}
		}
		if what == "" {
			keep = append(keep, k)
		} else if note == "" {
			note = fmt.Sprintf("output: the key at %g s %s; it is left out", ch.Times[k], what)
		}
	}
	if n := len(ch.Times) - len(keep); n > 1 {
		note += fmt.Sprintf(", and so are %d more", n-1)
	}
	if len(keep) < len(ch.Times) {
		times, values := make([]float32, 0, len(keep)), make([]float32, 0, len(keep)*size)
		for _, k := range keep {
			times, values = append(times, ch.Times[k]), append(values, ch.Values[k*size:(k+1)*size]...)
		}
		ch.Times, ch.Values = times, values
	}
	return note
}

// keyTimes reads key times: seconds, strictly rising. glTF has none before 0 s, but some programs write them. A clip
// plays from 0 s, so earlier keys only say how it begins. Where two keys have one time, the value jumps there, as in
// other programs: the second key comes at the next float32. A key that comes before its predecessor is left out.
func (c *clips) keyTimes(i int) (keyTimes, error) {
	if t, ok := c.times[i]; ok {
		return t, nil
	}
	a := &c.Accessors[i]
	if a.Type != gltf.AccessorScalar || a.ComponentType != gltf.ComponentFloat {
		return keyTimes{}, fault.Malformed("accessor %d is %s of %s, expected SCALAR of FLOAT", i, a.Type, a.ComponentType)
	}
	all, err := c.floats(i)
	if err != nil {
		return keyTimes{}, err
	}
	out := keyTimes{times: make([]float32, 0, len(all)), keys: make([]int, 0, len(all))}
	var last float32 // of the file, of the keys that are kept
	for k, t := range all {
		n := len(out.times)
		switch {
		case t-t != 0:
			out.note = fmt.Sprintf("input: key %d is at %g s; it is left out", k, t)
			continue
		case n > 0 && t < last:
			out.note = fmt.Sprintf("input: key %d at %g s does not follow key %d at %g s; it is left out", k, t, out.keys[n-1], last)
			continue
		case n > 0 && t <= out.times[n-1]:
			out.note = fmt.Sprintf("input: keys %d and %d are both at %g s; the value jumps there", out.keys[n-1], k, t)
			out.times = append(out.times, math.Nextafter32(out.times[n-1], math.MaxFloat32))
		default:
			out.times = append(out.times, t)
		}
		last, out.keys = t, append(out.keys, k)
	}
	if len(out.keys) == len(all) {
		out.keys = nil
	}
	if len(out.times) == 0 {
		return out, fault.Malformed("no key can be played: %s", out.note)
	}
	c.times[i] = out
	return out, nil
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

// floats reads a whole accessor, whose numbers may be anything.
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
	for range r.Count {
		r.Value(v)
		for _, x := range v {
			out = append(out, float32(x))
		}
	}
	return out, nil
}
