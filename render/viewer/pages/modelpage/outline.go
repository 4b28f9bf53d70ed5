package modelpage

import (
	"cmp"
	"slices"
	"strconv"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
)

// entry is a node of the file, or a part of a node's mesh: one primitive.
type entry struct {
	label, note        string
	node, part, parent int32 // part is −1 for a node, parent −1 for a root
	depth, end         int32 // the entries below are the next ones up to end, exclusive
	joint              bool  // the node is one
	eyes               bool  // it is a part, or there are parts below
}

// outline is the tree of a model's nodes, with an eye for every part and for every node that has parts below.
type outline struct {
	entries []entry
	folded  []bool
	eyes    []ui.Eye
	rows    []int32 // the entries that are listed
	listed  bool
	filter  *ui.Filter
	version uint64 // of the filter's rows
	hidden  []bool // per part; replaced, never changed; nil while all are seen
	parts   int
}

// set lists nodes depth first, parts before nodes below. Joints, and nodes without parts below, are folded.
func (o *outline) set(m *skinning.Model) {
	nodes := m.Skeleton.Nodes
	parts, joint, names := make([][]int32, len(nodes)), make([]bool, len(nodes)), make([]string, len(nodes))
	var all []*skinning.Part
	m.EachPart(func(p *skinning.Part, _ int) {
		parts[p.Node] = append(parts[p.Node], int32(len(all)))
		all = append(all, p)
	})
	for i := range m.Skeleton.Joints {
		j := &m.Skeleton.Joints[i]
		joint[j.Node], names[j.Node] = true, j.Name
	}
	o.entries, o.hidden, o.parts = o.entries[:0], nil, len(all)
	at := make([]int32, len(nodes)) // entry of each node
	for node := range posing.DepthFirst(nodes) {
		n := &nodes[node]
		e := entry{label: skinning.Named(cmp.Or(n.Name, names[node]), "Node", node), node: int32(node), part: -1,
			parent: -1, joint: joint[node]}
		if n.Parent >= 0 {
			e.parent = at[n.Parent]
			e.depth = o.entries[e.parent].depth + 1
		}
		at[node] = int32(len(o.entries))
		o.entries = append(o.entries, e)
		for _, k := range parts[node] {
			p := all[k]
			part := entry{label: p.Name, note: "no material", node: int32(node), part: k, parent: at[node], depth: e.depth + 1,
				eyes: true}
			if part.label == "" {
				part.label = "mesh"
			}
			if len(parts[node]) > 1 {
				part.label += ", primitive " + strconv.Itoa(p.Primitive+1)
			}
			if p.Material >= 0 {
				part.note = skinning.Named(m.Materials[p.Material].Name, "Material", p.Material)
			}
			o.entries = append(o.entries, part)
		}
	}
	o.folded = slices.Grow(o.folded[:0], len(o.entries))[:len(o.entries)]
	for i, e := range slices.Backward(o.entries) {
		o.entries[i].end = max(e.end, int32(i+1))
		o.folded[i] = !e.eyes || e.joint
		if e.parent >= 0 {
			up := &o.entries[e.parent]
			up.end, up.eyes = max(up.end, o.entries[i].end), up.eyes || e.eyes
		}
	}
	o.filter.SetNames(len(o.entries), func(i int) string { return o.entries[i].label })
	o.listed = false
	o.look()
}

// look finds the state of every eye.
func (o *outline) look() {
	seen, shut := make([]int32, len(o.entries)), make([]int32, len(o.entries))
	o.eyes = slices.Grow(o.eyes[:0], len(o.entries))[:len(o.entries)]
	for i, e := range slices.Backward(o.entries) {
		if e.part >= 0 {
			if o.hidden != nil && o.hidden[e.part] {
				shut[i]++
			} else {
				seen[i]++
			}
		}
		switch {
		case shut[i] == 0:
			o.eyes[i] = ui.EyeOpen
		case seen[i] == 0:
			o.eyes[i] = ui.EyeClosed
		default:
			o.eyes[i] = ui.EyePartly
		}
		if e.parent >= 0 {
			seen[e.parent] += seen[i]
			shut[e.parent] += shut[i]
		}
	}
}

// toggle hides all parts at an entry and below, or shows them if all are hidden.
func (o *outline) toggle(i int) {
	hidden := make([]bool, o.parts)
	copy(hidden, o.hidden)
	hide := o.eyes[i] != ui.EyeClosed
	for _, e := range o.entries[i:o.entries[i].end] {
		if e.part >= 0 {
			hidden[e.part] = hide
		}
	}
	o.hide(hidden)
}

// hide hides some parts, none for nil.
func (o *outline) hide(hidden []bool) {
	o.hidden = hidden
	if !slices.Contains(hidden, true) {
		o.hidden = nil
	}
	o.look()
}

// list updates the rows. It allocates nothing while nothing changes.
func (o *outline) list() {
	if o.listed && o.version == o.filter.Version {
		return
	}
	o.listed, o.version = true, o.filter.Version
	if o.filter.Narrows() {
		o.rows = append(o.rows[:0], o.filter.Rows...)
		return
	}
	o.rows = o.rows[:0]
	for i := 0; i < len(o.entries); i++ {
		o.rows = append(o.rows, int32(i))
		if o.folded[i] {
			i = int(o.entries[i].end) - 1
		}
	}
}

// fewRows is the number of rows that need no filter.
const fewRows = 12

func (p *Page) drawOutline(in *ui.Rect) {
	u, px, o := p.UI, p.UI.Px, &p.outline
	if len(o.entries) > fewRows {
		u.Filter(ItemFilter, in.CutTop(px(desk.RowHeight)), o.filter, "Filter nodes and meshes",
			"Lists the nodes and meshes whose names have all of these words.")
		in.CutTop(px(4))
	}
	o.list()
	if len(o.rows) == 0 {
		u.Text(in.CutTop(px(desk.RowHeight)).Inset(px(8), 0), ui.Body, ui.ColorFaint, ui.Left, "No node of that name")
		return
	}
	picked := int32(-1)
	if joints := p.Models.File.Model.Skeleton.Joints; p.State.Joint >= 0 && p.State.Joint < len(joints) {
		picked = int32(joints[p.State.Joint].Node)
	}
	first, last, all := p.inSight(in, len(o.rows))
	for k := first; k < last; k++ {
		i := int(o.rows[k])
		e := &o.entries[i]
		at := all
		at.Y, at.H = all.Y+float32(k)*px(desk.RowHeight), px(desk.RowHeight)
		eye := at.CutRight(px(26))
		row := ui.TreeRow{Label: e.label, Note: e.note, Depth: int(e.depth), Chosen: e.joint && e.node == picked}
		switch {
		case e.part >= 0:
			row.Tip = "A mesh, with its material at the right. A click hides or shows it."
		case e.joint:
			row.Tip = "A joint. A click picks it."
		default:
			row.Tip = "A node. A click shows or hides the rows below."
		}
		if o.filter.Narrows() {
			row.Depth = 0
			if e.part < 0 && e.parent >= 0 {
				row.Note = o.entries[e.parent].label
			}
		} else if int(e.end) > i+1 {
			row.Fold = ui.Open
			if o.folded[i] {
				row.Fold = ui.Closed
			}
		}
		if e.eyes {
			tip := "Hides or shows this mesh in the picture."
			if e.part < 0 {
				tip = "Hides or shows all meshes below this node in the picture."
			}
			if u.Eye(ItemTree+3*i+2, eye, o.eyes[i], tip) {
				p.toggle(i)
			}
		}
		switch act := u.TreeRow(ItemTree+3*i, at, &row); {
		case act.Folded, act.Picked && !e.joint && e.part < 0:
			o.folded[i], o.listed = !o.folded[i], false
		case act.Picked && e.joint:
			p.host.PickNode(int(e.node))
		case act.Picked:
			p.toggle(i)
		}
	}
}

func (p *Page) toggle(i int) {
	p.outline.toggle(i)
	p.Models.Hide(p.outline.hidden)
	p.Wake()
}

// inSight cuts a number of rows off in. It returns which of them are in sight, and the place of all.
func (p *Page) inSight(in *ui.Rect, rows int) (first, last int, all ui.Rect) {
	h := p.UI.Px(desk.RowHeight)
	all = in.CutTop(float32(rows) * h)
	first = min(max(int((p.seen.Y-all.Y)/h), 0), rows)
	last = min(max(int((p.seen.Bottom()-all.Y)/h)+1, first), rows)
	return first, last, all
}
