package distances

import (
	"fmt"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/state"
	"skinlab/skinning/metrics"
)

// Worst returns the largest distance of a pane's content over the clip, and the time of that pose. Ok is false until
// the clip is measured, and where no distance is more than rounding: of the reference itself, for example.
func (d *Distances) Worst(p state.Pane) (seconds, metres float64, ok bool) {
	if d.clip == nil {
		return 0, 0, false
	}
	row := &d.clip.Rows[measure.OfPane(p)]
	return row.WorstTime, row.Max, row.There && row.Max > metrics.KernelRounding*d.Size
}

// ToWorst pauses at the worst pose of the picture that is worked on. A clip that is not measured yet is measured first.
func (d *Distances) ToWorst() {
	if q := d.wholeClip(); q != d.clipFor {
		d.measureClip(q)
	}
	if d.clipJob.Running() {
		d.toWorst = true
		d.Notify(worstTitle, "The clip is being measured first.", desk.AdviceTime)
		return
	}
	d.seekWorst()
}

const worstTitle = "Worst pose" // of notices, of which the newest replaces the others

func (d *Distances) seekWorst() {
	p := d.State.Panes[d.State.Active]
	name, reference := d.models.PaneName(p), d.models.ReferenceName()
	seconds, metres, ok := d.Worst(p)
	switch {
	case ok:
		d.State.Playing = false
		d.State.Seek(seconds)
		d.view.Seek()
		d.Notify(worstTitle, fmt.Sprintf("%s at %.2f s: %s %s from %s.", name, seconds, d.DistanceOf(metres, d.models.Size(p)).View(),
			d.State.Unit.Mark(), reference), desk.NoticeTime)
	case d.models.IsReference(p):
		d.Notify(worstTitle, name+" is the reference: choose another method.", desk.NoticeTime)
	case d.clip != nil && d.clip.Rows[measure.OfPane(p)].There:
		d.Notify(worstTitle, name+" is nowhere off "+reference+" in this clip.", desk.NoticeTime)
	default:
		d.Notify(worstTitle, name+" is not measured over the clip.", desk.NoticeTime)
	}
	d.Wake()
}
