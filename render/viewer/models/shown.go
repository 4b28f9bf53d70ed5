// Package models holds the models that the window shows: the first file's, a fit of it, and a second one beside them.
// It poses them, and describes them to pages and overlays.
package models

import (
	"cmp"
	"slices"
	"strings"

	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

type Shown struct {
	File     *File
	Second   *Second        // nil without one
	Reveal   func(clip int) // is told of each clip that is to be played
	Fitting  func() bool    // whether a fit is under way
	Examples int            // clip of the first file's own examples, −1 for none
	Amends   func()         // is called where a clip changes what is shown: undo has no step for that
	Keys     []float64      // times of the shown clip's keys
	Notes    []ui.Span      // what parts of that clip show
	Edits    *posing.Edits  // of the first file's pose, which all models show
	Hidden   []bool         // parts of the first file that are left out of the pictures; nil for none

	desk         *desk.Desk
	gpu          *render.Renderer
	fitted       *fitted.Model // nil without added bones
	card         Card          // of fitted
	cards        cards
	teacher      string // of the shown fit
	note         string // of the reference
	noteOf       noteOf
	mush         *mush             // of the models that are shown
	offered      []skinning.Method // reused by Offered
	references   []skinning.Method // reused by References
	shortestPath bool
}

// New makes what shows no model yet. Rotations of clips take the shorter way round if shortestPath says so.
func New(d *desk.Desk, gpu *render.Renderer, shortestPath bool) *Shown {
	return &Shown{desk: d, gpu: gpu, shortestPath: shortestPath, cards: newCards(), mush: new(mush),
		offered: skinning.Methods(), references: skinning.Methods()}
}

// Put shows a first file in place of another, whose fit goes; a second stays. On an error the old one stays.
func (s *Shown) Put(f *File) error {
	if err := s.gpu.SetModel(f.Model); err != nil {
		return err
	}
	s.File, s.fitted, s.Hidden, s.teacher = f, nil, nil, ""
	s.desk.SetSize(f.Diagonal)
	s.mush = new(mush)
	t := s.desk.State
	t.CloseFitted()
	t.Bare = f.Model.IsSkeleton() && len(f.Bones.Bones) > 0
	if !t.ReferenceChosen {
		t.Reference = f.Reference
	}
	if b := s.Second; b != nil {
		b.shareStress(f)
		b.shares = sameSkin(f.Model, b.Model)
		t.ReferenceBeside = s.fromBeside()
	}
	return nil
}

// fromBeside reports whether the first file's fit seems to come from the second: same vertices and no fit.
func (s *Shown) fromBeside() bool {
	return (s.File.Fitted != nil || s.File.Original.Fit != nil) && s.CanReferBeside() && s.Second.Model.Fit == nil
}

// CanReferBeside reports whether a method on the second file can be the reference, and RefersBeside whether it is.
func (s *Shown) CanReferBeside() bool {
	b := s.Second
	return b != nil && b.shares && !b.Fitted && !b.Still
}
func (s *Shown) RefersBeside() bool {
	t := s.desk.State
	return t.ReferenceBeside && t.Reference != state.Examples && s.CanReferBeside()
}

// Teach says what the shown fit has learnt from: a method's name, or [skinning.Examples]; "" where nobody knows.
func (s *Shown) Teach(teacher string) { s.teacher, s.noteOf = teacher, noteOf{} }

// Refer fits the reference and the pictures to the clip. In a clip that shows examples, these are the reference unless
// the user has chosen another. In other clips they are neither the reference nor in a picture.
func (s *Shown) Refer() {
	t, there := s.desk.State, s.examples() != nil
	switch {
	case there && !t.ReferenceChosen:
		t.Reference = state.Examples
	case !there && t.Reference == state.Examples:
		t.Reference, t.ReferenceChosen = s.File.Reference, false
	}
	if !there {
		t.CloseExamples()
	}
}

// examples returns what shows examples in the state's clip, nil for nothing: the first file, else a second one that has
// its vertices.
func (s *Shown) examples() *posing.Subject {
	clip := s.desk.State.Clip
	switch b := s.Second; {
	case s.File.Model.ShowsExamples(clip):
		return &s.File.Subject
	case b != nil && b.shares && !b.Still && b.Model.ShowsExamples(b.ClipOf(s.File.Model, clip)):
		return &b.Subject
	}
	return nil
}

// ExampleModel returns the model whose examples the state's clip shows, and its clip; nil where it shows none.
func (s *Shown) ExampleModel() (m *skinning.Model, clip int) {
	switch of := s.examples(); {
	case of == nil:
		return nil, -1
	case of == &s.File.Subject:
		return of.Model, s.desk.State.Clip
	}
	return s.Second.Model, s.Second.ClipOf(s.File.Model, s.desk.State.Clip)
}

// ExampleFrame returns the frame of the examples, nil where the state's clip shows none.
func (s *Shown) ExampleFrame() *skinning.Frame {
	if of := s.examples(); of != nil {
		return of.Frame
	}
	return nil
}

// Scan returns the method that shows the shapes of the first file's clip: the examples, else linear blending.
func (s *Shown) Scan() skinning.Method {
	if s.examples() != nil {
		return state.Examples
	}
	return skinning.LBS
}

// SetClip plays a clip of the first file from its start, −1 for none. The camera stays.
func (s *Shown) SetClip(clip int) {
	t := s.desk.State
	t.SetClip(clip, s.File.length(clip))
	was := t.Settings()
	if s.Refer(); t.Settings() != was {
		s.Amends()
	}
	s.Reveal(clip)
	s.File.At.OK, s.Keys, s.Notes = false, nil, nil
	if clip >= 0 {
		s.Keys = s.File.Model.Clips[clip].KeyTimes()
		t.KeyRate = skinning.FrameRate(s.Keys)
		for _, n := range s.File.Model.Clips[clip].Notes {
			s.Notes = append(s.Notes, ui.Span(n))
		}
	}
}

func (s *Shown) Under(e *posing.Edits) {
	s.Edits = e
	s.File.Under(e)
	if s.Second != nil {
		s.Second.Under(e)
	}
}

// PutFitted shows a model with added bones from now on. If the GPU has no room for it, the previous one stays.
func (s *Shown) PutFitted(f *fitted.Model) {
	f.Whole = !s.gpu.Binds(f.Model)
	if f.Whole {
		for v := range f.Tints { // seen where it lies over a scan
			f.Tints[v] = fitted.Clay
		}
	} else {
		f.Paint(s.desk.State.PaintView, -1)
	}
	if err := s.gpu.SetFitted(f.Model, f.Tints); err != nil {
		s.desk.Complain("Could not show the added bones", err)
		return
	}
	s.fitted, s.card = f, fittedCard(f.Written)
	if f.Whole && len(f.Written.Skin.Inputs) == 0 {
		s.card = rigCard(skinning.RigNames{Title: "Decomposed"},
			"Plain linear blending over bones that clips move. Any engine plays it.")
	}
	f.Under(s.Edits)
	s.desk.Wake()
}

func (s *Shown) DropFitted() {
	if s.fitted == nil {
		return
	}
	s.fitted = nil
	s.desk.State.CloseFitted()
	if err := s.gpu.SetFitted(nil, nil); err != nil {
		s.desk.Complain("Could not drop the fit", err)
	}
	s.desk.Wake()
}

// ShowSecond puts a second file into a pane beside the first one. On an error the previous one stays.
func (s *Shown) ShowSecond(b *Second, pane int) error {
	b.shareStress(s.File)
	if err := s.gpu.SetBeside(b.Model); err != nil {
		return err
	}
	t := s.desk.State
	t.CloseBeside()
	s.Second = b
	b.Under(s.Edits)
	b.shares = sameSkin(s.File.Model, b.Model)
	t.ReferenceBeside = s.fromBeside()
	s.Hide(s.Hidden)
	if t.Layout == state.One {
		t.SetLayout(state.Two)
	}
	if pane < 1 || pane >= t.Layout.Panes() {
		pane = 1
	}
	p := &t.Panes[pane]
	p.Beside = true
	switch {
	case b.Fitted:
		p.Method = state.Fitted
	case p.Method == state.Fitted:
		p.Method = skinning.LBS
	}
	s.Refer()
	s.desk.Wake()
	return nil
}

// ShowSecondAgain puts a second file in place of an older version of itself: the panes stay.
func (s *Shown) ShowSecondAgain(b *Second, pane int) error {
	was := *s.desk.State
	if err := s.ShowSecond(b, pane); err != nil {
		return err
	}
	s.desk.State.ReferenceBeside = was.ReferenceBeside
	s.desk.State.KeepPanes(&was, func(q state.Pane) bool { return !q.Beside || b.Fitted == (q.Method == state.Fitted) })
	return nil
}

func (s *Shown) DropSecond() {
	if s.Second != nil {
		s.Second = nil
		s.desk.State.CloseBeside()
		s.Refer()
		s.desk.Wake()
	}
	if err := s.gpu.SetBeside(nil); err != nil {
		s.desk.Complain("Could not close the second file", err)
	}
}

// Pose poses the frames that are seen at the state's clip and time, with the user's edits. It allocates nothing.
func (s *Shown) Pose() {
	t := s.desk.State
	want := posing.Instant{Clip: t.Clip, Time: t.Time, LongWay: s.LongWay(), OK: true}
	s.File.Set(want) // overlays read it too
	if b := s.Second; b != nil && !b.Still {
		other := want
		other.Clip, other.Baked = b.ClipOf(s.File.Model, t.Clip), t.Baked && b.Fitted
		b.Set(other)
	}
	if s.fitted != nil && (t.Shows(state.Fitted) || t.ShowsErrors()) {
		want.Baked, want.Clip = t.Baked && s.fitted.Baked, s.FittedClip()
		s.fitted.Set(want)
	}
}

// PoseAnew makes the next frame pose everything again.
func (s *Shown) PoseAnew() {
	s.File.At.OK = false
	if s.fitted != nil {
		s.fitted.At.OK = false
	}
	if s.Second != nil {
		s.Second.At.OK = false
	}
}

// LongWay reports whether rotations are followed past 180 degrees: the user or the shown fit wants it.
func (s *Shown) LongWay() bool {
	return !s.shortestPath || s.fitted != nil && s.fitted.Model.LongWay()
}

func (s *Shown) ModelName() string { return cmp.Or(s.File.Model.Name, "Untitled model") }
func (s *Shown) JointName(j int) string {
	return skinning.Named(s.File.Model.Skeleton.Joints[j].Name, "Joint", j)
}

// SweptJoint returns the picked joint, else the one that moves the largest part of the skin, −1 for none.
func (s *Shown) SweptJoint() int {
	if j := s.desk.State.Joint; j >= 0 && j < len(s.File.Model.Skeleton.Joints) {
		return j
	}
	return s.File.mostSkin
}

// ReferenceNote says why the reference was chosen, or what a reference that the user has chosen loses, and which fits
// have learnt from something else; "" for nothing.
func (s *Shown) ReferenceNote() string {
	of := noteOf{s.File, s.Second, s.desk.State.Reference, s.RefersBeside()}
	if of != s.noteOf {
		s.noteOf, s.note = of, s.referenceNote()
	}
	return s.note
}

// noteOf is what the note of the reference depends on.
type noteOf struct {
	file   *File
	second *Second
	of     skinning.Method
	beside bool
}

func (s *Shown) referenceNote() string {
	var text string
	name, reference := s.referenceWord(), s.desk.State.Reference
	switch {
	case s.RefersBeside() && s.fromBeside():
		text = "Of the second file: the fit comes from it."
	case reference == state.Examples && s.examples() != &s.File.Subject:
		text = "The shapes that the second file has for this clip, in its poses alone. Methods pose the skin without them."
	case reference == state.Examples:
		text = "The shapes of this clip, in its poses alone. Methods pose the skin without them."
	case reference == state.DeltaMush:
		text = "Smooths what linear blending poses, and puts the detail back, as Maya does and Blender's Corrective Smooth."
	case reference == s.File.Reference:
		text = s.File.why
	case reference.LosesScale():
		text = s.File.loses
	}
	fits := []*skinning.Model{s.File.Original}
	if b := s.Second; b != nil && b.Model != s.File.Original {
		fits = append(fits, b.Model)
	}
	text = strings.TrimSpace(text + " " + compare.Learnt(name, fits...))
	if s.File.Fitted == nil && s.teacher != "" && s.teacher != name {
		text = strings.TrimSpace(text + " The fit learnt from " + s.teacher + ", not from this reference.")
	}
	return text
}

// referenceWord is the name of the reference as fits record their teachers.
func (s *Shown) referenceWord() string {
	if s.desk.State.Reference == state.Examples {
		return skinning.Examples
	}
	return s.Reference().String()
}

// OtherTeacher returns what the fit that a pane shows has learnt from, "" where that is the reference, or nobody knows.
func (s *Shown) OtherTeacher(p state.Pane) (teacher string) {
	switch {
	case p.Method != state.Fitted:
	case p.Beside && s.Second != nil:
		teacher = teacherOf(s.Second.Model)
	case s.File.Fitted != nil:
		teacher = teacherOf(s.File.Original)
	default:
		teacher = s.teacher
	}
	if teacher == s.referenceWord() {
		return ""
	}
	return teacher
}

func teacherOf(m *skinning.Model) string {
	if m.Fit == nil {
		return ""
	}
	return m.Fit.Teacher
}

func (s *Shown) Reference() skinning.Reference {
	if s.desk.State.Reference == state.DeltaMush {
		return s.mush
	}
	return s.desk.State.Reference
}

// Hide hides parts of the first file, and of a second one that has the same.
func (s *Shown) Hide(parts []bool) {
	s.Hidden = parts
	s.gpu.SetHidden(s.File.Model, parts)
	if s.Second != nil {
		s.gpu.SetHidden(s.Second.Model, s.HiddenBeside())
	}
}

// HiddenBeside returns the hidden parts of the second file: those of the first where it has the same.
func (s *Shown) HiddenBeside() []bool {
	if s.Second.shares && s.Second.Model.PartCount() == len(s.Hidden) {
		return s.Hidden
	}
	return nil
}

// Fitted returns the model with added bones, nil for none, and FittedClip the clip in which it is posed.
func (s *Shown) Fitted() *fitted.Model { return s.fitted }
func (s *Shown) FittedClip() int {
	return s.fitted.ClipOf(s.File.Model, s.desk.State.Clip, s.Examples)
}

// Fit returns the fitted model where it has the vertices and joints of the first file's, and more behind these.
func (s *Shown) Fit() *skinning.Model {
	if s.fitted == nil || s.fitted.Whole {
		return nil
	}
	return s.fitted.Model
}

// FinishedFit is Fit, but nil while a fit runs: that makes a new model several times a second.
func (s *Shown) FinishedFit() *skinning.Model {
	if s.Fitting() {
		return nil
	}
	return s.Fit()
}

// ComparesFitted reports whether the fitted model has the vertices of the first file's.
func (s *Shown) ComparesFitted() bool {
	return s.fitted != nil && len(s.fitted.Model.Skin.Positions) == len(s.File.Model.Skin.Positions)
}

// Painted reports whether a visible pane shows paint.
func (s *Shown) Painted() bool {
	t := s.desk.State
	return s.Fit() != nil && (t.Paint || s.fitted.Chosen >= 0) && t.Shows(state.Fitted)
}

// Size is the diagonal of a picture's model at rest, metres.
func (s *Shown) Size(p state.Pane) float64 {
	if p.Beside && s.Second != nil {
		return s.Second.size
	}
	return s.File.Diagonal
}

// SharesSkin reports whether the second file has the first one's vertices.
func (s *Shown) SharesSkin() bool { return s.Second != nil && s.Second.shares }

// Beside returns the second file's model, nil for none.
func (s *Shown) Beside() *skinning.Model {
	if s.Second == nil {
		return nil
	}
	return s.Second.Model
}

// Offered returns the methods that can show the first file, the fit last, until the next call.
func (s *Shown) Offered() []skinning.Method {
	s.offered = s.offered[:len(s.cards.direct)]
	if s.Examples >= 0 || s.examples() != nil {
		s.offered = append(s.offered, state.Examples)
	}
	if s.fitted != nil {
		s.offered = append(s.offered, state.Fitted)
	}
	return s.offered
}

// References returns what errors can be measured from in the clip, until the next call.
func (s *Shown) References() []skinning.Method {
	s.references = append(s.references[:len(s.cards.direct)], state.DeltaMush)
	if s.examples() != nil {
		s.references = append(s.references, state.Examples)
	}
	return s.references
}

func (s *Shown) NextReference() {
	all := s.References()
	s.desk.State.ChooseReference(all[(slices.Index(all, s.desk.State.Reference)+1)%len(all)])
}

// Bare reports whether there is no skin that a method could pose: a skeleton alone is shown.
func (s *Shown) Bare() bool { return s.desk.State.Bare && s.Second == nil }

// SetMethod shows a method in the active pane if it can show the pane's file. The file's examples bring their clip.
func (s *Shown) SetMethod(m skinning.Method) {
	t, offered := s.desk.State, m != state.Fitted && !s.Bare() || s.fitted != nil
	if b := s.Second; b != nil && t.Panes[t.Active].Beside {
		offered = b.Fitted == (m == state.Fitted) && m != state.Examples
	}
	if m == state.Examples && offered && s.examples() == nil {
		if s.Examples < 0 {
			return
		}
		s.SetClip(s.Examples)
	}
	if offered {
		t.SetMethod(m)
	}
}

// ShowPane shows a method of a file in the active pane, or in another that shows the file.
func (s *Shown) ShowPane(p state.Pane) {
	t := s.desk.State
	if t.Panes[t.Active].Beside != p.Beside {
		for i, seen := range t.Seen() {
			if seen.Beside == p.Beside {
				t.Activate(i)
				break
			}
		}
	}
	if t.Panes[t.Active].Beside == p.Beside {
		s.SetMethod(p.Method)
	}
}

// IsReference reports whether a pane shows the reference itself.
func (s *Shown) IsReference(p state.Pane) bool {
	beside := s.RefersBeside()
	return p.Method == s.desk.State.Reference && (p.Beside == beside || p.Beside && !s.SharesSkin())
}

func (s *Shown) subject(p state.Pane) *posing.Subject {
	switch {
	case p.Beside && s.Second != nil:
		return &s.Second.Subject
	case p.Method == state.Fitted && s.fitted != nil:
		return &s.fitted.Subject
	}
	return &s.File.Subject
}

// Of returns the frame of a pane's content and the method that poses it.
//
// Linear blending stands for a method until what it reads of each vertex is made.
func (s *Shown) Of(p state.Pane) (*skinning.Frame, skinning.Method) {
	b, m := s.subject(p), p.Method
	if s.fitted != nil && b == &s.fitted.Subject {
		m = s.fitted.Method
	} else if m == state.Fitted {
		m = skinning.LBS
	}
	if p.Method == state.Examples {
		if of := s.examples(); of != nil {
			b = of
		}
		return b.Frame, skinning.LBS
	}
	f := b.Plain()
	return f, s.readied(f, m)
}

// readied returns a method, or linear blending until it is [Shown.Ready].
func (s *Shown) readied(f *skinning.Frame, m skinning.Method) skinning.Method {
	if !s.Ready(f, m) {
		return skinning.LBS
	}
	return m
}

// Ready reports whether what a method reads of each vertex is made. From the first call on a goroutine makes it.
func (s *Shown) Ready(f *skinning.Frame, m skinning.Method) bool {
	if f.Centers.MadeShare(m) == 1 {
		return true
	}
	f.Centers.Begin(&f.Model.Skin, m, s.desk.WakeLater)
	return false
}

// Making reports whether a pane that is seen waits until its method is [Shown.Ready].
func (s *Shown) Making() bool {
	return slices.ContainsFunc(s.desk.State.Seen(), func(p state.Pane) bool { return s.madeShare(p) < 1 })
}

// madeShare returns the share of what a pane's method reads of each vertex that is made.
func (s *Shown) madeShare(p state.Pane) float64 {
	if p.Method == state.Fitted || p.Method == state.Examples {
		return 1
	}
	return s.subject(p).Frame.Centers.MadeShare(p.Method)
}

// JointIn returns the joint of a pane's model that is a joint of the first file, −1 for none.
func (s *Shown) JointIn(p state.Pane, joint int) int {
	b := s.subject(p)
	if joint < 0 || b.From == nil || s.Fit() == b.Model { // added bones come after the joints of the model
		return joint
	}
	node := s.File.Model.Skeleton.Joints[joint].Node
	for j := range b.Model.Skeleton.Joints {
		if b.From[b.Model.Skeleton.Joints[j].Node] == node {
			return j
		}
	}
	return -1
}
