// Package posefile reads and writes poses.
//
// A pose file is JSON. It has the differences from the static pose, by the names of the nodes, so it can be used with
// every model that has nodes of these names.
//
//	{"format": "skinlab pose", "version": 1, "model": "human_male.glb",
//	 "nodes": [{"name": "lowerarm_l", "index": 19, "rotation": [0, 0, 0.5, 0.8660254037844386]}],
//	 "morphs": [{"name": "smile", "index": 0, "weight": 0.5}]}
//
// Transforms are local, as in glTF: translation in the parent's units, rotation x, y, z, w, scale; one that is left out
// is static. The index distinguishes nodes of the same name, and identifies nodes without a name.
package posefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"skinlab/assets/atomicfile"
	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
	"skinlab/assets/textfile"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

const (
	poseFormat  = "skinlab pose"
	poseVersion = 1
	// maxPoseFile is far above the pose of 100,000 nodes in full.
	maxPoseFile = 32 << 20
	// maxPoseNumber is the largest magnitude of a coordinate, scale or weight: past it float32 skinning overflows.
	maxPoseNumber = 1e12
)

// errPose reports a file that is no pose.
var errPose = errors.New("not a pose")

type poseFile struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Model   string            `json:"model,omitempty"`
	Nodes   []json.RawMessage `json:"nodes"`
	Morphs  []json.RawMessage `json:"morphs,omitempty"`
}

type poseNode struct {
	Name        string    `json:"name"`
	Index       int       `json:"index"`
	Translation []float64 `json:"translation,omitempty"`
	Rotation    []float64 `json:"rotation,omitempty"`
	Scale       []float64 `json:"scale,omitempty"`
}

type poseMorph struct {
	Name   string   `json:"name"`
	Index  int      `json:"index"`
	Weight *float64 `json:"weight"`
}

// Write writes a pose of m to a file, as a whole or not at all (see [atomicfile.Write]). A number that is not finite
// is an error that names the node.
func Write(path string, m *skinning.Model, p *skinning.Pose) error {
	out := poseFile{Format: poseFormat, Version: poseVersion, Model: m.Name, Nodes: []json.RawMessage{}}
	for i := range m.Skeleton.Nodes {
		n := &m.Skeleton.Nodes[i]
		at := p.Local[i]
		one := poseNode{Name: n.Name, Index: i}
		if at.Translation != n.Rest.Translation {
			one.Translation = at.Translation[:]
		}
		if at.Rotation != n.Rest.Rotation {
			one.Rotation = at.Rotation[:]
		}
		if at.Scale != n.Rest.Scale {
			one.Scale = at.Scale[:]
		}
		if one.Translation == nil && one.Rotation == nil && one.Scale == nil {
			continue
		}
		text, err := json.Marshal(one)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path, fault.Element("node", i, n.Name), err)
		}
		out.Nodes = append(out.Nodes, text)
	}
	for i, slot := range m.MorphSlots {
		if p.Morphs[i] == slot.Default {
			continue
		}
		text, err := json.Marshal(poseMorph{slot.Name, i, &p.Morphs[i]})
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path, fault.Element("morph", i, slot.Name), err)
		}
		out.Morphs = append(out.Morphs, text)
	}
	return atomicfile.Write(path, out.write)
}

// write puts one node on a line, for people and for version control.
func (f *poseFile) write(w io.Writer) error {
	var b bytes.Buffer
	model, err := json.Marshal(f.Model)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "{\n\"format\": %q,\n\"version\": %d,\n\"model\": %s", f.Format, f.Version, model)
	for _, list := range []struct {
		name  string
		items []json.RawMessage
	}{{"nodes", f.Nodes}, {"morphs", f.Morphs}} {
		fmt.Fprintf(&b, ",\n%q: [", list.name)
		for i, item := range list.items {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.Write(item)
		}
		b.WriteString("\n]")
	}
	b.WriteString("\n}\n")
	_, err = w.Write(b.Bytes())
	return err
}

// Read reads a pose file into p, over the static pose. Nodes and morphs that m does not have are left out and listed as
// warnings. If the file cannot be understood, p is not changed and the error, which wraps [errPose], names the file and
// the node.
func Read(path string, m *skinning.Model, p *skinning.Pose) (warnings []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPoseFile+1))
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	out := m.NewPose()
	if warnings, err = decodePose(data, m, out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	copy(p.Local, out.Local)
	copy(p.Morphs, out.Morphs)
	return warnings, nil
}

func notPose(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errPose, fmt.Sprintf(format, args...))
}

// decodePose reads a pose into p, which holds the static pose.
func decodePose(data []byte, m *skinning.Model, p *skinning.Pose) ([]string, error) {
	if len(data) > maxPoseFile {
		return nil, notPose("more than %d MiB", maxPoseFile>>20)
	}
	var file poseFile
	if err := strictjson.Unmarshal(textfile.TrimMark(data), &file, strictjson.Options{}); err != nil {
		return nil, notPose("%v", err)
	}
	switch {
	case file.Format != poseFormat:
		return nil, notPose("format is %q, expected %q", fault.Shorten(file.Format), poseFormat)
	case file.Version != poseVersion:
		return nil, notPose("version %d, this reader reads %d", file.Version, poseVersion)
	case len(file.Nodes) > 2*len(m.Skeleton.Nodes)+100_000:
		return nil, notPose("%d nodes, the model has %d", len(file.Nodes), len(m.Skeleton.Nodes))
	}
	var lacking fault.Notes
	find := nodeFinder(m)
	taken := make(map[int]int)
	for k, text := range file.Nodes {
		var n poseNode
		if err := strictjson.Unmarshal(text, &n, strictjson.Options{}); err != nil {
			return nil, notPose("entry %d of nodes: %v", k, err)
		}
		i := find(n.Name, n.Index)
		if i < 0 {
			lacking.Add("%s: the model has no such node", fault.Element("entry", k, n.Name))
			continue
		}
		if first, ok := taken[i]; ok {
			return nil, notPose("%s: entry %d is of the same node", fault.Element("entry", k, n.Name), first)
		}
		taken[i] = k
		if err := n.put(&p.Local[i]); err != nil {
			return nil, notPose("%s: %v", fault.Element("entry", k, n.Name), err)
		}
	}
	for k, text := range file.Morphs {
		if err := readPoseMorph(text, m, p, &lacking); err != nil {
			return nil, notPose("entry %d of morphs: %v", k, err)
		}
	}
	return lacking.Lines(), nil
}

// nodeFinder returns a function that finds a node by its name. Among several nodes of that name it takes the one at the
// index, else the first. It returns −1 for none.
func nodeFinder(m *skinning.Model) func(name string, index int) int {
	nodes := m.Skeleton.Nodes
	first := make(map[string]int, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		first[nodes[i].Name] = i
	}
	return func(name string, index int) int {
		if index >= 0 && index < len(nodes) && nodes[index].Name == name {
			return index
		}
		if i, ok := first[name]; ok && name != "" {
			return i
		}
		return -1
	}
}

// put writes what the entry gives into a transform.
func (n *poseNode) put(t *geom.Transform) error {
	for _, v := range []struct {
		name     string
		have, to []float64
	}{
		{"translation", n.Translation, t.Translation[:]}, {"scale", n.Scale, t.Scale[:]},
		{"rotation", n.Rotation, t.Rotation[:]},
	} {
		if v.have != nil && len(v.have) != len(v.to) {
			return fmt.Errorf("%s has %d numbers, expected %d", v.name, len(v.have), len(v.to))
		}
		for _, x := range v.have {
			if !(math.Abs(x) <= maxPoseNumber) {
				return fmt.Errorf("%s: %g is out of range, expected at most %g", v.name, x, maxPoseNumber)
			}
		}
		copy(v.to, v.have)
	}
	length := math.Sqrt(t.Rotation.Dot(t.Rotation))
	if n.Rotation != nil && !(math.Abs(length-1) <= 0.01) {
		return fmt.Errorf("rotation is a quaternion of length %.4g, not 1", length)
	}
	if n.Rotation != nil && math.Abs(length-1) > 1e-12 { // so that written rotations are read back exactly
		t.Rotation = t.Rotation.Normalize()
	}
	return nil
}

func readPoseMorph(text []byte, m *skinning.Model, p *skinning.Pose, lacking *fault.Notes) error {
	var one poseMorph
	if err := strictjson.Unmarshal(text, &one, strictjson.Options{}); err != nil {
		return err
	}
	if one.Weight == nil || !(math.Abs(*one.Weight) <= maxPoseNumber) {
		return fmt.Errorf("%q has no weight, or one out of range", fault.Shorten(one.Name))
	}
	found := -1
	for i := range m.MorphSlots {
		if m.MorphSlots[i].Name == one.Name && (found < 0 || i == one.Index) {
			found = i
		}
	}
	if found < 0 {
		lacking.Add("morph %q: the model has no such morph target", fault.Shorten(one.Name))
		return nil
	}
	p.Morphs[found] = *one.Weight
	return nil
}
