// Package motionmap reads and writes the maps of joints by which a character follows the motion of another file.
//
// A map is JSON, made to be edited: a line for each joint of the character, and the joint of the motion that it follows,
// "" for a joint that stays at rest.
//
//	{"format": "skinlab motion map", "version": 1, "character": "Knight.glb", "motion": "walk.bvh",
//	 "joints": [{"joint": "upperarm.l", "follows": "LeftArm"}, {"joint": "toes.l", "follows": ""}],
//	 "unused": ["LThumb"]}
//
// A joint that is left out is matched by its name. Of joints of one name the first is meant, and by a second line the
// second. What stands under unused is for the reader: joints that clips of the motion move and that no joint follows.
package motionmap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"skinlab/assets/atomicfile"
	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
	"skinlab/assets/textfile"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/retarget"
)

const (
	mapFormat  = "skinlab motion map"
	mapVersion = 1
	maxSize    = 32 << 20
)

type mapFile struct {
	Format    string   `json:"format"`
	Version   int      `json:"version"`
	Character string   `json:"character,omitempty"`
	Motion    string   `json:"motion,omitempty"`
	Joints    []line   `json:"joints"`
	Unused    []string `json:"unused,omitempty"`
}

type line struct {
	Joint   string  `json:"joint"`
	Follows *string `json:"follows"`
}

// Write writes which joint follows which, as a whole or not at all (see [atomicfile.Write]).
func Write(path string, character, motion *skinning.Model, m *retarget.Matches) error {
	follows := make(map[int]string, len(m.Pairs))
	for _, p := range m.Pairs {
		follows[p.Node] = motion.Skeleton.Nodes[p.Source].Name
	}
	for _, i := range m.Rest {
		follows[i] = ""
	}
	head, err := json.Marshal(mapFile{mapFormat, mapVersion, character.Name, motion.Name, []line{}, nil})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(head, []byte("]}")))
	comma := ""
	for i := range character.Skeleton.Nodes { // of one name in the order of the file
		to, ok := follows[i]
		if name := character.Skeleton.Nodes[i].Name; ok && name != "" {
			text, err := json.Marshal(line{name, &to})
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s\n%s", comma, text)
			comma = ","
		}
	}
	unused := []string{}
	for _, i := range m.Unused {
		if name := motion.Skeleton.Nodes[i].Name; name != "" {
			unused = append(unused, name)
		}
	}
	text, err := json.Marshal(unused)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n],\n\"unused\": %s}\n", text)
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// Read reads a map as [retarget.NewMatches] takes it: by node of the character, the node of the motion that it follows,
// −1 for none. Errors name the file and the line of the map, and wrap [fault.ErrMalformed] or the os error.
func Read(path string, character, motion *skinning.Model) (map[int]int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	out, err := decode(data, character, motion)
	if err != nil {
		return nil, fmt.Errorf("%s: motion map: %w", path, err)
	}
	return out, nil
}

func decode(data []byte, character, motion *skinning.Model) (map[int]int, error) {
	if len(data) > maxSize {
		return nil, fault.Malformed("more than %d MiB", maxSize>>20)
	}
	var file mapFile
	if err := strictjson.Unmarshal(textfile.TrimMark(data), &file, strictjson.Options{}); err != nil {
		return nil, fault.Malformed("not a map of joints: %v", err)
	}
	switch {
	case file.Format != mapFormat:
		return nil, fault.Malformed("format is %q, expected %q", fault.Shorten(file.Format), mapFormat)
	case file.Version != mapVersion:
		return nil, fault.Malformed("version %d, this reader reads %d", file.Version, mapVersion)
	}
	joints, sources := byName(character), byName(motion)
	fixed := make(map[int]int, len(file.Joints))
	for k, l := range file.Joints {
		nodes := joints[l.Joint]
		if l.Joint == "" || l.Follows == nil {
			return nil, fault.Malformed("entry %d of joints: needs a joint and what it follows", k)
		}
		if len(nodes) == 0 {
			return nil, fault.Malformed("entry %d of joints: %s has no joint %q%s", k, character.Name,
				fault.Shorten(l.Joint), nearest(l.Joint, joints))
		}
		at := slices.IndexFunc(nodes, func(i int) bool { _, taken := fixed[i]; return !taken })
		if at < 0 {
			return nil, fault.Malformed("entry %d of joints: joint %q stands there already", k, fault.Shorten(l.Joint))
		}
		fixed[nodes[at]] = -1
		if *l.Follows == "" {
			continue
		}
		from := sources[*l.Follows]
		if len(from) == 0 {
			return nil, fault.Malformed("entry %d of joints: %q follows %q, which %s does not have%s", k,
				fault.Shorten(l.Joint), fault.Shorten(*l.Follows), motion.Name, nearest(*l.Follows, sources))
		}
		fixed[nodes[at]] = from[min(at, len(from)-1)]
	}
	return fixed, nil
}

// byName returns the nodes of each name in the order of the file, joints before other nodes.
func byName(m *skinning.Model) map[string][]int {
	isJoint := make([]bool, len(m.Skeleton.Nodes))
	for j := range m.Skeleton.Joints {
		isJoint[m.Skeleton.Joints[j].Node] = true
	}
	nodes := map[string][]int{}
	for _, joints := range []bool{true, false} {
		for i := range m.Skeleton.Nodes {
			if name := m.Skeleton.Nodes[i].Name; isJoint[i] == joints {
				nodes[name] = append(nodes[name], i)
			}
		}
	}
	return nodes
}

func nearest(name string, nodes map[string][]int) string {
	names := make([]string, 0, len(nodes))
	for n := range nodes {
		if n != "" {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return messages.Nearest(name, names)
}
