// Package posepage is the page on which the user poses joints: a tree of the joints, the angles of the picked one,
// actions on the pose, and pose files.
package posepage

import (
	"math"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

type Host interface {
	NotLoaded(path string, err error) // says why a file could not be loaded
	Undo(back bool)                   // undoes a step, or does it again
	UndoSteps() (back, forth int)     // numbers of steps that can be undone and redone
}

// Files writes and reads pose files.
type Files struct {
	Save Save // nil if poses cannot be saved
	Load Load // nil if poses cannot be loaded
}

type Page struct {
	pages.Room
	pages.Still
	host  Host
	files Files
	Edits *posing.Edits // user's edits of the first file's pose

	Search  *ui.Filter
	version uint64 // of the filter's rows for which Rows was made
	path    *ui.TextField
	Rows    []int32 // bones in the tree
	folded  []bool  // per bone
	listed  bool
	scroll  bool // scroll the tree to the picked bone

	InPicture, inTree int // bone under the mouse, −1 for none; package skeleton sets InPicture

	euler     [3]float64 // angles of eulerBone
	near      [3]float64 // the angles that the user has set last; 0 after undo
	eulerBone int
	mirror    *anatomy.Mirror // nil until it is needed
	limb      anatomy.Limb    // that ends at limbBone
	limbBone  int             // that was asked for last, −1 for none
	noLimb    string          // why no limb ends there; "" if one does
	before    *skinning.Pose  // reused
	after     *skinning.Pose
}

func New(room pages.Room, host Host, files Files) *Page {
	return &Page{Room: room, host: host, files: files, Search: ui.NewFilter(), path: ui.NewTextField(FileName)}
}

func (p *Page) Forget() {
	m, n := p.Models.File.Model, len(p.Models.File.Bones.Bones)
	p.Edits = posing.NewEdits(m)
	p.Rows, p.listed = p.Rows[:0], false
	p.Search.SetNames(n, func(i int) string { return p.Models.File.Bones.Bones[i].Name })
	p.folded = make([]bool, n)
	p.inTree, p.InPicture, p.eulerBone = -1, -1, -1
	p.mirror, p.limbBone = nil, -1
	p.before, p.after = m.NewPose(), m.NewPose()
	p.State.Joint = -1
}

func (p *Page) Close() {
	p.Search.Delete()
	p.path.Delete()
}

// Numbers of the page's buttons, from ItemButton on.
const (
	buttonResetJoint = iota
	ButtonResetAll
	ButtonClip
	buttonMirror
	ButtonToRight
	buttonToLeft
	buttonUndo
	buttonRedo
	ButtonSave
	ButtonLoad
)

// Numbers of the page's items. Rows of the tree count up by two from the last one.
const (
	ItemSearch = 1 + iota*10
	ItemNumber
	itemAxes
	ItemHandle
	ItemMoveAll
	ItemHold
	ItemPath
	ItemButton
	itemTreeScroll
	itemScroll
	ItemTree = 1000
)

const (
	leastTree = 5 // rows
	numberRow = 26
	whereRow  = 16 // says where pose files go
)

var (
	handles = []ui.Segment{
		{Label: "Turn", Tip: "The rings in the picture turn the joint, each one of its angles; with Ctrl held by steps of 15°."},
		{Label: "Move", Tip: "The arrows in the picture move the joint, where it may move."},
		{Label: "Reach", Tip: "Drag a hand or a foot in the picture: the limb bends so that it gets there."},
	}
	axes = [...]string{"X", "Y", "Z"}
	// The tips explain the angles and the position of a joint, by axis.
	angleTips = [...]string{
		"Angle about the joint's x axis against its rest, in degrees: drag sideways, or click and type.",
		"Angle about the joint's y axis against its rest, in degrees: drag sideways, or click and type.",
		"Angle about the joint's z axis against its rest, in degrees: drag sideways, or click and type.",
	}
	placeTips = [...]string{
		"Position along x in the parent's axes, in metres: drag sideways, or click and type.",
		"Position along y in the parent's axes, in metres: drag sideways, or click and type.",
		"Position along z in the parent's axes, in metres: drag sideways, or click and type.",
	}
)

func (p *Page) Draw(in ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.inTree = -1
	if len(p.Models.File.Bones.Bones) == 0 {
		p.Section(&in, "JOINTS")
		u.TextWrapped(in, ui.Body, ui.ColorFaint, "This model has no joints to pose.")
		return
	}
	below := p.fixedHeight()
	rows := max(float32(int((in.H-below)/px(desk.RowHeight))), leastTree)
	scrolls := rows*px(desk.RowHeight)+below > in.H
	content, whole := in, in
	if scrolls {
		content = u.BeginScroll(itemScroll, in)
		content.W -= px(12) // room for the scroll bar
	}
	in = ui.Rect{X: content.X, Y: content.Y + px(10), W: content.W, H: whole.H}
	u.Filter(ItemSearch, in.CutTop(px(desk.RowHeight)), p.Search, "Filter joints",
		"Lists the joints whose names have all of these words.")
	in.CutTop(px(6))
	p.jointTree(in.CutTop(rows * px(desk.RowHeight)))
	p.jointNumbers(&in)
	p.actions(&in)
	p.fileRows(&in)
	if scrolls {
		u.EndScroll(content, in.Y+px(desk.Inset))
	}
}

// fixedHeight returns the height of the page without the tree.
func (p *Page) fixedHeight() float32 {
	px := p.UI.Px
	rows := float32(8) // angles, position, handles, three of buttons, two of the file
	if p.files.Save == nil && p.files.Load == nil {
		rows -= 2
	}
	return px(10+6) + px(desk.RowHeight) + 2*px(34) + rows*(px(numberRow)+px(5)) + px(whereRow) + px(desk.Inset)
}

// jointTree lists the joints as a tree, or those whose names have the filter's words.
func (p *Page) jointTree(r ui.Rect) {
	u, px, s := p.UI, p.UI.Px, p.Models.File.Bones
	p.listBones()
	u.Fill(r, ui.ColorInset, px(4))
	if len(p.Rows) == 0 {
		u.Text(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(desk.RowHeight)}.Inset(px(9), 0), ui.Body, ui.ColorFaint, ui.Left,
			"No joint of that name")
		return
	}
	content := u.BeginScroll(itemTreeScroll, r)
	height := px(desk.RowHeight)
	if p.scroll {
		p.scroll = false
		for k, i := range p.Rows {
			if int(i) == p.Bone() {
				u.ScrollTo(height*float32(k), height*float32(k+1), r.H)
			}
		}
	}
	overflow := float32(len(p.Rows))*height > r.H
	w := r.W
	if overflow {
		w -= px(11)
	}
	// Only visible rows are drawn, because a rig may have a thousand joints.
	first := max(int((r.Y-content.Y)/height), 0)
	last := min(int((r.Bottom()-content.Y)/height)+1, len(p.Rows))
	for k := first; k < last; k++ {
		i := int(p.Rows[k])
		b := &s.Bones[i]
		row := ui.TreeRow{Label: b.Name, Depth: b.Depth, Chosen: i == p.Bone(), Lit: i == p.InPicture,
			Mark: p.Edits.Edited(b.Node), Tip: "Picks this joint, or lets it go. A dot marks a joint that you have posed."}
		if p.Search.Narrows() {
			row.Depth = 0
			if b.Parent >= 0 {
				row.Note = s.Bones[b.Parent].Name
			}
		} else if !s.Leaf(i) {
			row.Fold = ui.Open
			if p.folded[i] {
				row.Fold = ui.Closed
			}
		}
		at := ui.Rect{X: r.X, Y: content.Y + height*float32(k), W: w, H: height}
		act := u.TreeRow(ItemTree+2*i, at, &row)
		switch {
		case act.Folded:
			p.folded[i], p.listed = !p.folded[i], false
		case act.Picked && i == p.Bone():
			p.Pick(-1)
		case act.Picked:
			p.Pick(i)
			p.scroll = false // it is visible now
		}
		if act.Over && r.Contains(u.Mouse()) {
			p.inTree = i
		}
	}
	u.EndScroll(content, content.Y+height*float32(len(p.Rows)))
}

func (p *Page) listBones() {
	s := p.Models.File.Bones
	if p.listed && p.version == p.Search.Version {
		return
	}
	p.listed, p.version = true, p.Search.Version
	p.Rows = p.Rows[:0]
	if p.Search.Narrows() {
		p.Rows = append(p.Rows, p.Search.Rows...)
		return
	}
	for i := 0; i < len(s.Bones); i++ {
		p.Rows = append(p.Rows, int32(i))
		if p.folded[i] {
			i = s.Bones[i].End - 1
		}
	}
}

// jointNumbers draws the picked joint's angles from rest, its position, and what the handles in the picture do.
func (p *Page) jointNumbers(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	line := func() ui.Rect {
		r := in.CutTop(px(numberRow))
		in.CutTop(px(5))
		return r
	}
	i := p.Bone()
	if i < 0 {
		p.Section(in, "JOINT")
		note := line()
		note.H += line().H
		u.TextWrapped(note, ui.Small, ui.ColorDim, "Click a joint in the list or in the picture.")
		p.handles(line(), i)
		return
	}
	b := &p.Models.File.Bones.Bones[i]
	p.Section(in, b.Name)
	e := p.Angles(i)
	row := line()
	for k := range e {
		n := u.Number(ItemNumber+k, row.Third(k, px(5)), ui.NumberField{Value: e[k] * 180 / math.Pi, PerPixel: 0.5,
			Decimals: 1, Unit: "°", Label: axes[k], Ink: ui.AxisColors[k], Tip: angleTips[k]})
		if n.Begun {
			p.stand()
		}
		if n.Changed {
			e[k] = n.Value * math.Pi / 180
			p.SetAngles(i, e)
		}
	}
	row = line()
	if p.Moves(i) {
		p.placeNumbers(i, row)
	} else if u.Switch(ItemMoveAll, row, "Let joints move that no clip moves", false,
		"Joints that clips move, and the root, may move. This lets all others move against their parents too.") {
		p.State.MoveAll = true
	}
	row = line()
	p.handles(row, i)
}

// handles draws what the handles in the picture do, and about which axes.
func (p *Page) handles(r ui.Rect, bone int) {
	u, px := p.UI, p.UI.Px
	world := r.Third(2, px(5))
	r.W = world.X - px(5) - r.X
	p.State.Handle = state.Handle(u.Segments(ItemHandle, r, handles, int(p.State.Handle)))
	if p.State.Handle == state.Reach && bone >= 0 {
		if _, why := p.Limb(bone); why != "" {
			u.Text(world, ui.Small, ui.ColorWarning, ui.Left, "No limb ends here")
			u.Tip(world, why)
			return
		}
	}
	if u.Chip(itemAxes, world, "World axes", p.State.WorldAxes,
		"The handles have the axes of the world, not the joint's own: a ring may change all three angles.\tA") {
		p.State.WorldAxes = !p.State.WorldAxes
	}
}

func (p *Page) placeNumbers(i int, row ui.Rect) {
	px := p.UI.Px
	at := p.local(i).Translation
	for k := range at {
		n := p.UI.Number(ItemNumber+3+k, row.Third(k, px(5)), ui.NumberField{Value: at[k], PerPixel: p.Size / 500,
			Decimals: 3, Unit: " m", Label: axes[k], Ink: ui.AxisColors[k], Tip: placeTips[k]})
		if n.Begun {
			p.stand()
		}
		if n.Changed {
			at[k] = n.Value
			p.Move(i, at)
		}
	}
}

// Angles returns the angles of a bone relative to its rest pose, each within a whole turn. Many triples of angles give
// the same rotation. Angles returns those nearest to what the user has set last, or to 0.
func (p *Page) Angles(i int) [3]float64 {
	q := p.restRotation(i).Conjugate().Mul(p.local(i).Rotation).Normalize()
	if p.eulerBone != i {
		p.eulerBone, p.near = i, [3]float64{}
	} else if posing.SameRotation(posing.FromEuler(p.euler), q) {
		return p.euler
	}
	p.euler = posing.EulerNear(q, p.near)
	p.wrap()
	return p.euler
}

// SetAngles turns a bone to angles relative to its rest pose, see [Page.Angles].
func (p *Page) SetAngles(i int, e [3]float64) {
	p.eulerBone, p.euler = i, e
	p.wrap()
	p.near = p.euler
	p.Turn(i, p.restRotation(i).Mul(posing.FromEuler(e)).Normalize())
}

// wrap takes whole turns from the angles.
func (p *Page) wrap() {
	for k := range p.euler {
		p.euler[k] = math.Mod(p.euler[k], 2*math.Pi)
	}
}

func (p *Page) restRotation(i int) geom.Quat {
	return p.Edits.Model.Skeleton.Nodes[p.Models.File.Bones.Bones[i].Node].Rest.Rotation.Normalize()
}

func (p *Page) actions(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "POSE")
	if p.buttonRow(in, buttonResetJoint, [3]button{
		{"Reset joint", ui.PlainIf(p.Bone() >= 0), (*Page).ResetBone, "Returns the picked joint to its rest.\tDel"},
		{"Reset all", ui.Plain, (*Page).ResetAll, "Returns all joints to their rest.\tCtrl Del"},
		{"To the clip", ui.PlainIf(p.Edits.Active()), (*Page).toClip, "Drops your changes, so that the clip poses the model."},
	}) {
		return
	}
	sides := ui.PlainIf(p.mirrorOf().HasSides())
	if p.buttonRow(in, buttonMirror, [3]button{
		{"Mirror", ui.Plain, (*Page).MirrorPose, "Mirrors the pose: left and right change places.\tM"},
		{"Left to right", sides, func(p *Page) { p.CopySide(true) }, "The right side becomes the mirror image of the left."},
		{"Right to left", sides, func(p *Page) { p.CopySide(false) }, "The left side becomes the mirror image of the right."},
	}) {
		return
	}
	back, forth := p.host.UndoSteps()
	hold := in.Third(2, px(5))
	hold.H = px(numberRow)
	if p.buttonRow(in, buttonUndo, [3]button{
		{"Undo", ui.PlainIf(back > 0), func(p *Page) { p.host.Undo(true) },
			"Takes the last change back: of the pose, a setting, a fit or a file.\tCtrl Z"},
		{"Redo", ui.PlainIf(forth > 0), func(p *Page) { p.host.Undo(false) }, "Does again what was undone.\tCtrl Shift Z"},
	}) {
		return
	}
	if u.Chip(ItemHold, hold, "Hold", p.State.HoldPose,
		"Keeps the joints that you have posed while the clip moves the others.") {
		p.State.HoldPose = !p.State.HoldPose
	}
}

type button struct {
	label string
	look  ui.Look
	run   func(*Page)
	tip   string
}

// buttonRow draws up to three buttons side by side and runs the one that is clicked.
func (p *Page) buttonRow(in *ui.Rect, first int, row [3]button) (ran bool) {
	px := p.UI.Px
	r := in.CutTop(px(numberRow))
	in.CutTop(px(5))
	for k := range row {
		if row[k].run != nil && p.UI.Button(ItemButton+first+k, r.Third(k, px(5)), row[k].label, row[k].look, 0, row[k].tip) {
			row[k].run(p)
			ran = true
		}
	}
	return ran
}
