package helperpage

import (
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/skinning/rig"
)

// group is a part of a motion that the table shows at once.
type group struct {
	title    string
	first, n int     // its columns of the motion
	scale    float64 // from the file's unit to the shown one
	unit     string
	decimals int
	perPixel float64 // change of a number in the shown unit that is dragged by a design pixel
}

// groups are the choices above the table. Coefficients are for angles in radians, as in the file.
var groups = [...]group{
	{"Move", 0, 3, 1e3, "mm", 2, 0.05},
	{"Turn", 3, 3, 1, "rad", 3, 0.002},
	{"Size", 6, 1, 1e2, "%", 2, 0.05},
}

var groupChoices = []ui.Segment{
	{Label: groups[0].title, Tip: "Shows how the bone moves in its parent's axes."},
	{Label: groups[1].title, Tip: "Shows how the bone turns in its parent's axes, in radians."},
	{Label: groups[2].title, Tip: "Shows how the bone grows, in %."},
}

// inUnits returns a group in the units of the window: a move in percent of the model's size where distances are that.
func (p *Page) inUnits(g int) *group {
	s := &p.units[g]
	*s = groups[g]
	if g == 0 && p.State.Unit == state.OfSize {
		s.scale, s.unit, s.decimals, s.perPixel = 100/p.Size, p.State.Unit.Mark(), 3, 0.005
	}
	return s
}

var columnNames = [...]string{"move x", "move y", "move z", "turn x", "turn y", "turn z", "size"}

// groupOf returns the group of a column.
func groupOf(column int) int {
	for g := range groups {
		if column < groups[g].first+groups[g].n {
			return g
		}
	}
	panic("helperpage: a motion has no such column")
}

// line is a line of the table: the heading of an input's terms, or a term.
type line struct {
	label string
	term  int // index into the chosen bone's terms; −1 for the constant, headLine for a heading
	input int // of a term
}

const headLine = -2

// tabulate lists the terms of the chosen bone by the joints that they read. In every group it lists those terms alone
// that have, or were fitted with, a coefficient there that is not 0.
func (p *Page) tabulate() {
	r, g := p.edits.now, &groups[p.group]
	b, was := &r.Bones[p.Chosen], &p.edits.fitted.Bones[p.Chosen]
	p.lines = append(p.lines[:0], line{"at rest", -1, -1})
	for i := range r.Inputs {
		in := &r.Inputs[i]
		headed := false
		for t := range b.Terms {
			if b.Terms[t].Input != i || !g.has(&b.Terms[t].Coefficients) && !g.has(&was.Terms[t].Coefficients) {
				continue
			}
			if !headed {
				headed = true
				p.lines = append(p.lines, line{p.Models.JointName(in.Joint), headLine, i})
			}
			p.lines = append(p.lines, line{monomial(in, b.Terms[t].Powers), t, i})
		}
	}
}

// has reports whether a motion has a coefficient of the group that is not 0.
func (g *group) has(m *rig.HelperMotion) bool {
	for _, c := range m[g.first:][:g.n] {
		if c != 0 {
			return true
		}
	}
	return false
}

// monomial writes a product of an input's variables: "x²", "x·y".
func monomial(in *rig.HelperInput, powers [3]uint8) string {
	var s strings.Builder
	for k, power := range powers {
		if power == 0 {
			continue
		}
		if s.Len() > 0 {
			s.WriteString("·")
		}
		s.WriteString(axisName(in, k))
		s.WriteString([...]string{"", "", "²", "³"}[power])
	}
	return s.String()
}

// axisName names an input's axis x, y or z where it is one of the joint's bind frame, either way, else u, v or w.
func axisName(in *rig.HelperInput, axis int) string {
	const straight = 0.999 // the cosine of 2.6 degrees
	for k, name := range [...]string{"x", "y", "z"} {
		unit := mgl64.Vec3{}
		unit[k] = 1
		if math.Abs(in.Axes[axis].Dot(unit)) >= straight {
			return name
		}
	}
	return [...]string{"u", "v", "w"}[axis]
}

// Sizes of the table in design pixels.
const (
	lineHeight = 24
	labelWidth = 48
	cellGap    = 4
)

// table draws the coefficients of the chosen bone, a line for each term.
func (p *Page) table(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	r := in.CutTop(px(26))
	if g := u.Segments(itemGroup, r, groupChoices, p.group); g != p.group {
		p.group = g
		p.choose(p.Chosen)
	}
	g := p.inUnits(p.group)
	head := in.CutTop(px(20))
	u.Text(head.CutLeft(px(labelWidth)), ui.Small, ui.ColorFaint, ui.Left, g.unit)
	for k := range g.n {
		name := "uniform"
		if g.n == 3 {
			name = axisLetters[k]
		}
		u.Text(g.cell(head, k, px(cellGap)), ui.Small, ui.ColorFaint, ui.Center, name)
	}
	for i := range p.lines {
		l := &p.lines[i]
		if l.term == headLine {
			row := in.CutTop(px(lineHeight - 4))
			u.Text(row, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().S(l.label).S(", per radian").View())
			p.tipInput(row, l.input)
			continue
		}
		row := in.CutTop(px(lineHeight))
		row.H -= px(2)
		label := row.CutLeft(px(labelWidth))
		u.Text(label, ui.Body, ui.ColorText, ui.Left, l.label)
		if l.term < 0 {
			u.Tip(label, "The bone's own motion where all its joints are as in the bind pose.")
		} else {
			u.Tip(label, terms.Coefficient.Tip())
		}
		for k := range g.n {
			p.number(ItemNumber(i, k), g.cell(row, k, px(cellGap)), coefficient{p.Chosen, l.term, g.first + k})
		}
	}
}

var axisLetters = [...]string{"x", "y", "z"}

func (g *group) cell(row ui.Rect, k int, gap float32) ui.Rect {
	if g.n == 3 {
		return row.Third(k, gap)
	}
	return row
}

func (p *Page) tipInput(r ui.Rect, input int) {
	in := &p.edits.now.Inputs[input]
	text := p.Line.Start().S("Angles of ").S(p.Models.JointName(in.Joint)).S(" against its parent, in its bind frame.")
	for k, axis := range in.Axes {
		text.S(" ").S(axisName(in, k)).S(" about (").F(axis[0], 2).S(", ").F(axis[1], 2).S(", ").F(axis[2], 2).S(") from ").
			F(in.Least[k]*180/math.Pi, 0).S("° to ").F(in.Most[k]*180/math.Pi, 0).S("°.")
	}
	p.UI.Tip(r, text.View())
}

func (p *Page) number(id int, r ui.Rect, c coefficient) {
	u, px, g := p.UI, p.UI.Px, p.inUnits(p.group)
	x := *c.of(p.edits.now)
	ink := ui.AxisColors[c.column%3]
	switch {
	case p.edits.edited(c):
		ink = ui.ColorWarning
	case x == 0:
		ink = ui.ColorEdge
	}
	tip := u.Words().S("A coefficient in ").S(g.unit).S(", of angles in radians. Drag sideways, or click and type.")
	if p.edits.edited(c) {
		tip.S(" Fitted: ").F(*c.of(p.edits.fitted)*g.scale, g.decimals).S(" ").S(g.unit)
	}
	n := u.Number(id, r, ui.NumberField{Tip: tip.View(), Value: x * g.scale, PerPixel: g.perPixel / float64(u.Scale()),
		Decimals: g.decimals, Ink: ink, Faint: x == 0 && !p.edits.edited(c)})
	if c == p.picked {
		u.Outline(r, ui.ColorAccent, px(4))
	}
	if n.Begun {
		p.picked = c
	}
	if n.Changed {
		p.edits.set(c, n.Value/g.scale)
		p.install()
		if !p.State.Shows(state.Fitted) { // an edit that no picture shows seems to do nothing
			p.Models.SetMethod(state.Fitted)
		}
	}
}
