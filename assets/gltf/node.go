package gltf

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// readNodes builds the node tree at its static transforms and decides which nodes are drawn.
func (d *Source) readNodes() error {
	s := &d.Model.Skeleton
	s.Nodes = make([]skinning.Node, len(d.Doc.Nodes))
	for i := range s.Nodes {
		s.Nodes[i].Parent = -1
	}
	if err := each("node", d.Doc.Nodes, d.readNode); err != nil {
		return err
	}
	if err := s.SortNodes(); err != nil {
		return fault.Malformed("%w", err)
	}
	d.globals = make([]geom.Affine, len(s.Nodes))
	s.Globals(d.globals, d.Model.NewPose())
	err := each("node", d.Doc.Nodes, func(i int, _ *gltf.Node) error {
		if g := d.globals[i][:]; !finite(g) {
			return fault.Malformed("its global transform is beyond float32: %s", notFiniteOf(g))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.readScene()
}

func (d *Source) readNode(i int, info *gltf.Node) error {
	nodes := d.Model.Skeleton.Nodes
	err := inRanges(reference{"", "mesh", info.Mesh, len(d.Doc.Meshes)},
		reference{"", "skin", info.Skin, len(d.Doc.Skins)})
	if err != nil {
		return err
	}
	for _, child := range info.Children {
		if err := inRange("node", child, len(nodes)); err != nil {
			return fmt.Errorf("children: %w", err)
		}
		if p := nodes[child].Parent; p >= 0 {
			return fault.Malformed("node %d is a child of node %d and again of node %d: a node has one parent", child, p, i)
		}
		nodes[child].Parent = i
	}
	nodes[i].Name = info.Name
	return d.readTransform(i, info)
}

// readTransform reads matrix or translation, rotation and scale.
func (d *Source) readTransform(i int, info *gltf.Node) error {
	node := &d.Model.Skeleton.Nodes[i]
	for _, f := range []struct {
		name   string
		values []float64
	}{{"matrix", info.Matrix[:]}, {"translation", info.Translation[:]}, {"rotation", info.Rotation[:]},
		{"scale", info.Scale[:]}} {
		if !finite(f.values) {
			return fault.Malformed("%s has a number beyond float32: %s", f.name, notFiniteOf(f.values))
		}
	}
	if d.overruled[info] {
		d.notes.Add("%s: has a matrix as well as translation, rotation or scale; the matrix is used",
			fault.Element("node", i, info.Name))
	}
	if info.Matrix != gltf.DefaultMatrix {
		if !isAffine(&info.Matrix) {
			d.notes.Add("%s: the last row of its matrix is not 0 0 0 1 and is ignored", fault.Element("node", i, info.Name))
		}
		m := geom.AffineFromColumns(info.Matrix)
		rest, exact := geom.DecomposeAffine(m)
		node.Rest = rest
		if !finite(rest.Scale[:]) || !finite(rest.Rotation[:]) {
			return fault.Malformed("matrix is beyond float32: %s", notFiniteOf(info.Matrix[:]))
		}
		if !exact {
			node.Matrix = &m
		}
		return nil
	}
	q := geom.Quat(info.Rotation)
	length := math.Sqrt(q.Dot(q))
	if !(length > 1e-12) {
		return fault.Malformed("rotation is a quaternion of length zero")
	}
	if math.Abs(length-1) > 1e-3 {
		d.notes.Add("%s: its rotation has length %.4g and is normalised", fault.Element("node", i, info.Name), length)
	}
	node.Rest = geom.Transform{Translation: info.Translation, Rotation: q.Normalize(), Scale: info.Scale}
	return nil
}

// readScene marks the nodes that are drawn: those of the scene that was asked for, else of the default scene, else of
// the first scene, else all. A scene without any mesh, as some exporters write, is taken for all nodes too.
func (d *Source) readScene() error {
	if err := inRanges(reference{"", "scene", d.Doc.Scene, len(d.Doc.Scenes)}); err != nil {
		return err
	}
	nodes := d.Model.Skeleton.Nodes
	m := d.Model
	for i := range d.Doc.Scenes {
		m.Scenes = append(m.Scenes, d.Doc.Scenes[i].Name)
		for _, n := range d.Doc.Scenes[i].Nodes {
			if err := inRange("node", n, len(nodes)); err != nil {
				return fmt.Errorf("scene %d: %w", i, err)
			}
		}
	}
	d.drawn = make([]bool, len(nodes))
	if d.Doc.Scene != nil {
		m.Scene = *d.Doc.Scene
	}
	if d.scene != "" {
		var err error
		if m.Scene, err = m.SceneIndex(d.scene); err != nil {
			return err
		}
	}
	meshes, drawn := 0, 0
	if m.Scene < len(m.Scenes) {
		for _, n := range d.Doc.Scenes[m.Scene].Nodes {
			d.drawn[n] = true
		}
		for _, i := range d.Model.Skeleton.Order { // parents first
			if p := nodes[i].Parent; p >= 0 && d.drawn[p] {
				d.drawn[i] = true
			}
			if d.Doc.Nodes[i].Mesh != nil {
				meshes++
				if d.drawn[i] {
					drawn++
				}
			}
		}
	}
	if drawn == 0 {
		for i := range d.drawn {
			d.drawn[i] = true
		}
		if d.scene != "" && meshes > 0 {
			d.notes.Add("scene %d shows no mesh: all nodes are shown", m.Scene)
		}
	} else if drawn < meshes {
		d.notes.Add("scene %d shows %d of %d mesh nodes; the others are left out", m.Scene, drawn, meshes)
	}
	return d.hideNodes()
}

// hideNodes takes hidden nodes out of those that are drawn. The visibility of the static pose counts; clips that change
// it are not read.
func (d *Source) hideNodes() error {
	hidden, meshes := make([]bool, len(d.Doc.Nodes)), 0
	for _, i := range d.Model.Skeleton.Order { // parents first
		var visible struct {
			Visible *bool `json:"visible"`
		}
		if err := extension(d.Doc.Nodes[i].Extensions, visibilityExtension, &visible); err != nil {
			return &located{fault.Element("node", i, d.Doc.Nodes[i].Name), err}
		}
		p := d.Model.Skeleton.Nodes[i].Parent
		hidden[i] = visible.Visible != nil && !*visible.Visible || p >= 0 && hidden[p]
		if hidden[i] && d.drawn[i] && d.Doc.Nodes[i].Mesh != nil {
			meshes++
		}
		d.drawn[i] = d.drawn[i] && !hidden[i]
	}
	if meshes > 0 {
		d.notes.Add("%s hides %s, which are left out", visibilityExtension, messages.Count(meshes, "mesh node", "mesh nodes"))
	}
	return nil
}

// readSkeleton makes joints of nodes in a file without meshes and skins: of the nodes that clips move and all nodes
// below them, or of all nodes where no clip moves any.
func (d *Source) readSkeleton() error {
	m := d.Model
	if !m.IsSkeleton() || len(m.Skeleton.Joints) > 0 {
		return nil
	}
	if n := len(m.Skeleton.Nodes); n > maxJoints {
		d.notes.Add("the file holds no triangles, and its %d nodes are more than the %d that are shown as joints", n, maxJoints)
		return nil
	}
	isJoint, any := make([]bool, len(m.Skeleton.Nodes)), false
	for i := range m.Clips {
		for k := range m.Clips[i].Channels {
			isJoint[m.Clips[i].Channels[k].Node], any = true, true
		}
	}
	for _, i := range m.Skeleton.Order { // parents first
		p := m.Skeleton.Nodes[i].Parent
		isJoint[i] = isJoint[i] || !any || p >= 0 && isJoint[p]
	}
	m.BindNodes(isJoint)
	if len(m.Skeleton.Joints) == 0 {
		d.notes.Add("the file holds neither triangles nor joints")
	}
	return nil
}
