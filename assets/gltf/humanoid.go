package gltf

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"skinlab/assets/fault"
)

// The extensions that say which node is which bone of a human body: of characters, of motion, and of VRM 0.x.
var humanoidExtensions = []string{"VRMC_vrm", "VRMC_vrm_animation"}

const oldHumanoidExtension = "VRM"

// readHumanoid reads which nodes are the bones of a human body. It changes neither shape nor motion, so that a fault in
// it is a warning.
func (d *Source) readHumanoid() error {
	bones, err := d.humanoidBones()
	switch {
	case err != nil:
		d.notes.Add("the bones of the humanoid are not read: %v", err)
	case len(bones) > 0:
		d.Model.Skeleton.Humanoid = bones
	}
	return nil
}

// humanoidBones returns the nodes of bones by the names of VRM 1.0.
func (d *Source) humanoidBones() (map[string]int, error) {
	bones := map[string]int{}
	for _, name := range humanoidExtensions {
		var x struct {
			Humanoid struct {
				Bones map[string]struct {
					Node int `json:"node"`
				} `json:"humanBones"`
			} `json:"humanoid,omitempty"`
		}
		if err := extension(d.Doc.Extensions, name, &x); err != nil {
			return nil, err
		}
		for bone, at := range x.Humanoid.Bones {
			bones[bone] = at.Node
		}
	}
	if err := d.readOldHumanoid(bones); err != nil {
		return nil, err
	}
	return bones, d.checkHumanoid(bones)
}

// readOldHumanoid reads the bones of VRM 0.x, whose thumbs have other names.
func (d *Source) readOldHumanoid(bones map[string]int) error {
	var x struct {
		Humanoid struct {
			Bones []struct {
				Bone string `json:"bone"`
				Node int    `json:"node"`
			} `json:"humanBones"`
		} `json:"humanoid,omitempty"`
	}
	if err := extension(d.Doc.Extensions, oldHumanoidExtension, &x); err != nil {
		return err
	}
	renamed := map[string]string{}
	for _, side := range []string{"left", "right"} {
		renamed[side+"ThumbProximal"], renamed[side+"ThumbIntermediate"] = side+"ThumbMetacarpal", side+"ThumbProximal"
	}
	for _, b := range x.Humanoid.Bones {
		if b.Node < 0 {
			continue // a bone that the model has not
		}
		if name, ok := renamed[b.Bone]; ok {
			b.Bone = name
		}
		bones[b.Bone] = b.Node
	}
	return nil
}

// checkHumanoid checks that bones are nodes, and no two the same one.
func (d *Source) checkHumanoid(bones map[string]int) error {
	taken := map[int]string{}
	for _, name := range slices.Sorted(maps.Keys(bones)) {
		node := bones[name]
		if err := inRange("node", node, len(d.Doc.Nodes)); err != nil {
			return fmt.Errorf("humanBones %q: %w", fault.Shorten(name), err)
		}
		if other, ok := taken[node]; ok {
			return errors.New("humanBones " + fault.Shorten(other) + " and " + fault.Shorten(name) + " are one node")
		}
		taken[node] = name
	}
	return nil
}
