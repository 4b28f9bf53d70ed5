package fitpage

import (
	"context"
	"strconv"
	"time"

	"skinlab/fit"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Choice is what can be shown beside the shown fit: another fit, or what a fit learns beside its models.
type Choice struct {
	Fit   *Fit // nil for nothing
	Other int  // index into the Others of the fit's row; −1 for its model
}

// Beside is how far a [fit.Other] that is chosen is.
type Beside struct {
	Ready bool          // it has been posed
	Late  bool          // the pose has changed since: it is posed when the time stands still
	Took  time.Duration // of the last pose
}

func (f *Fit) others() []fit.Other {
	if f.ran == nil {
		return nil
	}
	return f.ran.row.Others
}

// comparison is what stands beside the shown fit in place of a second file.
//
// What a fit learns beside its models is no palette. A goroutine learns it and poses it whenever the time stands
// still; no frame waits for it. The picture shows its last pose until the next one is there.
type comparison struct {
	Beside
	choice Choice
	second *models.Second // that shows it; nil before there is a pose

	name  string
	own   posing.Subject   // the fitted model in the pose that is asked for; of the goroutine while it works
	by    *fit.Deformation // nil until it has been learnt
	asked posing.Instant   // of the first file, in the pose that was asked for last
	poses desk.Job[learntPose]
}

type learntPose struct {
	by   *fit.Deformation
	skin *skinning.Frame
	took time.Duration
}

// Compare shows a choice beside the shown fit, or no more if it is shown there already.
func (p *Page) Compare(c Choice, name string) {
	if now, _ := p.Compared(); now == c {
		p.EndCompare()
		return
	}
	b := &comparison{choice: c, name: name}
	if c.Other >= 0 {
		p.EndCompare()
		m := c.Fit.model.Model
		b.own = posing.Subject{Model: m, Pose: m.NewPose(), Frame: fitted.LazyFrame(m, nil)}
		b.own.Under(p.Models.Edits)
		p.compared = b
		p.Wake()
		return
	}
	second := models.PrepareSecond(c.Fit.model.Written)
	second.Name = name
	if err := p.showBeside(b, second); err != nil {
		p.Complain("Could not show the fit", err)
	}
}

func (p *Page) showBeside(b *comparison, second *models.Second) error {
	if err := p.Models.ShowSecond(second, 1); err != nil {
		return err
	}
	if p.compared != b {
		p.forgetCompared()
	}
	p.compared, b.second = b, second
	p.State.Panes[0] = state.Pane{Method: state.Fitted}
	p.State.Activate(0)
	return nil
}

// comparison returns what is compared, nil for nothing: a second file may have taken its place.
func (p *Page) comparison() *comparison {
	if p.compared != nil && p.compared.second != p.Models.Second {
		p.forgetCompared()
	}
	return p.compared
}

func (p *Page) forgetCompared() {
	if b := p.compared; b != nil {
		b.poses.Stop()
		p.compared = nil
	}
}

// Compared returns the choice that is shown beside the fit, and how far it is.
func (p *Page) Compared() (Choice, Beside) {
	if b := p.comparison(); b != nil {
		return b.choice, b.Beside
	}
	return Choice{}, Beside{}
}

func (p *Page) EndCompare() {
	p.forgetCompared()
	p.Models.DropSecond()
}

// comparing reports whether a pose or a number that belongs to what is shown is still to come.
func (p *Page) comparing() bool {
	b := p.compared
	return b != nil && b.choice.Other >= 0 && (b.poses.Running() || !b.Ready)
}

// PoseCompared asks for the pose of this frame once the time stands still and nothing else is being posed.
func (p *Page) PoseCompared() {
	b := p.comparison()
	if b == nil || b.choice.Other < 0 {
		return
	}
	at := p.Models.File.At
	b.Late = !b.Ready || at != b.asked || b.poses.Running()
	if b.second != nil {
		b.second.Late = b.Late
	}
	if at == b.asked || p.State.Moving() || b.poses.Running() {
		return
	}
	b.asked = at
	b.own.Set(posing.Instant{Clip: at.Clip, Time: at.Time, LongWay: at.LongWay, OK: true})
	by, frame, fits, of, other := b.by, b.own.Frame, p.fits, b.choice.Fit.model.Written, b.choice.Other
	b.poses.Start(p.Context, p.WakeLater, func(ctx context.Context) (l learntPose, err error) {
		l.by = by
		if l.by == nil {
			if l.by, err = fits.Other(ctx, of, other); err != nil {
				return l, err
			}
		}
		start := time.Now()
		l.skin = frame.Snapshot(l.by.Pose(frame))
		l.took = time.Since(start)
		return l, nil
	})
}

func (p *Page) receiveCompared() {
	b := p.comparison()
	if b == nil {
		return
	}
	l, err, ok := b.poses.Take()
	if !ok {
		return
	}
	p.Wake()
	if err == nil {
		err = p.putCompared(b, &l)
	}
	if err != nil {
		p.Complain("Could not show what the fit has learnt", err)
		p.EndCompare()
		p.host.Amends()
	}
}

// putCompared shows a pose in the place of a second file.
func (p *Page) putCompared(b *comparison, l *learntPose) error {
	first, m := !b.Ready, l.skin.Model
	cost := strconv.Itoa(int(l.took.Milliseconds())) + " ms a pose, on the processor"
	second := &models.Second{Subject: posing.Subject{Model: m, Pose: m.NewPose(), Frame: l.skin},
		Name: p.list.NameOf(Choice{Fit: b.choice.Fit, Other: -1}), Fitted: true, Still: true, Late: b.Late,
		Card: models.NewCard(models.FitKey, b.name, b.name, "Slow: posed beside the loop, whenever the time stands still.", cost)}
	b.Ready, b.Took = true, l.took
	if !first {
		if err := p.Models.ShowSecondAgain(second, p.State.BesidePane()); err != nil {
			return err
		}
		b.second = second
		return nil
	}
	if err := p.showBeside(b, second); err != nil {
		return err
	}
	p.host.Amends()
	b.by = l.by
	return nil
}

// Sizes of the section, and the numbers of its items.
const (
	othersHeight = 30 + 2*16 + 8
	ItemOther    = 580
)

func (p *Page) heightOfOthers() float32 {
	if n := len(p.others()); n > 0 && p.job == nil {
		return othersHeight + float32(n)*rowHeight
	}
	return 0
}

// listOthers draws what the fit learns beside its models. A click shows a row beside the fit, or no more.
func (p *Page) listOthers(in *ui.Rect) {
	if p.heightOfOthers() == 0 || p.model == nil {
		return
	}
	u, px := p.UI, p.UI.Px
	p.CloseSection(in, 10, "BESIDE THE FIT")
	now, at := p.Compared()
	for k, o := range p.others() {
		c := Choice{p.Fit, k}
		note := ""
		switch {
		case now != c:
		case !at.Ready:
			note = "preparing"
		default:
			note = p.Line.Start().I(int(at.Took.Milliseconds())).S(" ms a pose").View()
		}
		if u.ListRow(ItemOther+k, in.CutTop(px(rowHeight)), o.Title, note, now == c, o.Help+".") {
			p.Compare(c, o.Title)
		}
	}
	text := "Each is posed on the processor, which is slow: whenever the time stands still."
	if now.Fit == p.Fit && now.Other >= 0 && at.Late {
		text = "The picture beside the fit is of an earlier pose: it is posed again when the time stands still."
	}
	in.CutTop(px(4))
	u.TextWrapped(in.CutTop(px(2*16)), ui.Small, ui.ColorDim, text)
}
