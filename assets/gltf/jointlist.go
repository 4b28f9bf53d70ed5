package gltf

import (
	"encoding/json"
	"fmt"
	"slices"

	"skinlab/assets/fault"
	"skinlab/skinning/geom"
)

// JointsKey is the key of the list of joints under extras.skinlab: a [ListedJoint] for every joint that the skin had
// when its rigs were written. Joint numbers of rigs are indices into that list. Files of [IndexVersion] have no list:
// there they are indices into the skin's joints, which other programs may bring into another order.
const JointsKey = "joints"

// ListedJoint says which joint an entry of the list means, in a way that outlives programs that rewrite the file.
type ListedJoint struct {
	Node int       `json:"node"` // index into nodes
	Name string    `json:"name"` // of the node
	Rest []float32 `json:"rest"` // FromRest, 3×4 numbers, row by row: from rest space to the joint's space
}

// fromRest returns Rest as a matrix.
func (l *ListedJoint) fromRest() (a geom.Affine) {
	for k := range a {
		a[k] = float64(l.Rest[k])
	}
	return a
}

// readJointList reads the list of joints from a skin's own extras; nil where they have none.
func readJointList(own map[string]json.RawMessage) (list []ListedJoint, err error) {
	if err := json.Unmarshal(own[JointsKey], &list); err != nil {
		return nil, fmt.Errorf("%s: not understood: %s", JointsKey, fault.Shorten(err.Error()))
	}
	for k := range list {
		if len(list[k].Rest) != len(geom.Affine{}) {
			return nil, fmt.Errorf("%s: entry %d has a rest matrix of %d numbers, expected %d", JointsKey, k, len(list[k].Rest),
				len(geom.Affine{}))
		}
	}
	return list, nil
}

// jointsNamed returns, by name, the joints of a skin whose nodes have it.
func (d *Source) jointsNamed(nodes []int) map[string][]int {
	named := map[string][]int{}
	for j, node := range nodes {
		name := d.Doc.Nodes[node].Name
		named[name] = append(named[name], j)
	}
	return named
}

// listedSpace returns the rest space in which a skin's list of joints was written, where most of its entries agree on
// one: A = R_j⁻¹·B_j, with the rest matrix R_j of an entry. Rigs are numbers of that space.
func (d *Source) listedSpace(i int, bind []geom.Affine) (best candidate, ok bool) {
	extras, _ := d.Doc.Skins[i].Extras.(json.RawMessage)
	own, err := ownExtras(extras)
	if err != nil || own[JointsKey] == nil {
		return best, false
	}
	list, err := readJointList(own) // readRigs reports errors
	if err != nil {
		return best, false
	}
	nodes := d.Doc.Skins[i].Joints
	named := d.jointsNamed(nodes)
	var all []candidate
	for k := range list {
		joints := named[list[k].Name]
		at := slices.IndexFunc(joints, func(j int) bool { return nodes[j] == list[k].Node })
		if at < 0 && len(joints) != 1 {
			continue
		}
		if back, ok := list[k].fromRest().Inverse(); ok {
			j := joints[max(at, 0)]
			all = appendCandidate(all, &back, &bind[j], j, 1)
		}
	}
	best, agree := bestCandidate(all, sameSpace)
	return best, agree > len(list)/2
}

// findJoints returns the model's joint for each entry of a skin's list: a joint of the skin with the entry's name and
// rest matrix, the one of its node where several have these. Where there is none it is −1, and why says so.
func (d *Source) findJoints(i int, list []ListedJoint) (joints []int, why []error) {
	nodes, first := d.Doc.Skins[i].Joints, d.Skins[i].First
	named := d.jointsNamed(nodes)
	joints, why = make([]int, len(list)), make([]error, len(list))
	for k := range list {
		l := &list[k]
		rest := l.fromRest()
		joints[k] = -1
		alike := 0
		for _, j := range named[l.Name] {
			if !sameSpace(&d.Model.Skeleton.Joints[first+j].FromRest, &rest) {
				continue
			}
			alike++
			if nodes[j] == l.Node {
				joints[k], alike = first+j, 1
				break
			}
			joints[k] = first + j
		}
		switch {
		case alike == 1:
			continue
		case len(named[l.Name]) == 0:
			why[k] = fmt.Errorf("joint %d, node %d %q: the skin has no joint of that name", k, l.Node, fault.Shorten(l.Name))
		case alike == 0:
			why[k] = fmt.Errorf("joint %d, node %d %q: is bound in another place than where the rig was made", k, l.Node,
				fault.Shorten(l.Name))
		default:
			why[k] = fmt.Errorf("joint %d, node %d %q: %d joints of the skin have that name and place", k, l.Node,
				fault.Shorten(l.Name), alike)
		}
		joints[k] = -1
	}
	return joints, why
}
