// Package state holds what the user sets in skinlab's window, and the clock of the clip. It uses neither windows nor
// OpenGL. Every key, button and drag of the viewer ends in one of its methods.
package state

import (
	"math"

	"skinlab/skinning"
)

// FrameRate is the frame grid of the timeline and of single steps, in frames a second, where the clip's keys make none.
const FrameRate = 30

// Even keys were sampled, and are the frames of a clip, if there are leastRate to mostRate a second. Fewer are
// poses that a person has set.
const leastRate, mostRate = 12, 240

// Rate returns the frames a second of the clip. A rate within a ten thousandth of a whole number is that number,
// because keys have their times in float32. 23.976 frames of film on video are no 24.
func (s *State) Rate() float64 {
	if s.KeyRate < leastRate || s.KeyRate > mostRate {
		return FrameRate
	}
	if whole := math.Round(s.KeyRate); math.Abs(s.KeyRate-whole) < 1e-4*whole {
		return whole
	}
	return s.KeyRate
}

// The range of the playback speed.
const (
	SlowestSpeed = 0.1
	FastestSpeed = 4
)

// Fitted is the fitted model's value among the direct methods: linear blending over its joints and its added bones.
const Fitted skinning.Method = 0x80

// DeltaMush is the value of Delta Mush where a reference or a fit's teacher is chosen. It poses no picture.
const DeltaMush skinning.Method = 0x81

// Examples is the value of a model's example shapes, in the clips that show them: linear blending with their morph
// targets. Methods have none there.
const Examples skinning.Method = 0x82

// State is the whole state. The zero value is a paused state without a clip. [New] gives the state in which a window
// opens.
type State struct {
	Layout Layout
	Panes  [MostPanes]Pane // the first Layout.Panes() are seen
	Active int             // the pane that keys and clicks change; always one that is seen

	// Divider is where the two pictures of Split meet, as a share of the view's width.
	Divider float64

	Reference       skinning.Method // what errors are distances to
	ReferenceChosen bool            // by the user; otherwise every model brings its own
	ReferenceBeside bool            // it is the method on the second file, not on the first
	Heat            bool            // the skin is coloured by that distance
	Contours        bool            // with lines of equal distance
	HeatTop         float64         // at the top of the colour map, as a share of the model's size; 0 follows the clip
	Unit            Unit            // of distances on the skin
	Vertex          int             // the picked vertex of the first file's skin, −1 for none
	Sweep           Sweep

	Joint int // the picked joint of the first file's skeleton, −1 for none

	Skeleton     bool   // drawn over the picture, and picked there
	Bare         bool   // the first file has joints and no mesh: its skeleton is all that there is to see
	Names        bool   // with the names of its joints
	HoldPose     bool   // what a person poses stays while the clip goes on
	WorldAxes    bool   // joints are turned about the world's axes, not their own
	Handle       Handle // what the handles of the picked joint do
	MoveAll      bool   // joints that no clip moves may be moved too
	onPose, lent bool   // see FollowTab

	Skin        SkinView
	NormalLines bool // of the vertices
	Recomputed  bool // normals come from the posed surface, not from the joints
	Ghost       bool // the rest pose is drawn as well
	Over        bool // what a whole model was fitted to lies over it

	Clip    int     // −1 for the static pose
	Seconds float64 // length of the clip
	KeyRate float64 // frames a second that the clip's keys make, 0 for none
	Time    float64 // seconds into the clip, in 0 … Seconds
	Speed   float64 // 1 is real time
	Playing bool
	Loop    bool
	Range   Range // the part of the clip that is played

	// Held says that the mouse holds the playhead. The clock stands still until it is released.
	Held bool

	Background            uint8 // as package picture numbers them
	Environment           uint8 // what lights materials: package environment's choices, then that of a file
	Light                 bool  // the interface has the light theme
	Cards                 bool  // words and legends over the pictures
	Follow                bool  // the camera goes with the model
	Clay, Wireframe, Grid bool
	Panels, Help          bool

	Tab       Tab       // what the panel at the right shows
	Bones     bool      // blend bones are drawn where they sit
	Paint     bool      // and their influence on the skin
	PaintView PaintView // or something else that a fit has learnt
	Baked     bool      // blend bones move as their nodes do, not live by their masters
}

// New returns the state in which a window opens: playing at real time in a loop, with grid and panels.
func New() State {
	return State{
		Vertex: -1, Joint: -1, Clip: -1, Speed: 1, Playing: true, Loop: true, Grid: true, Panels: true, Bones: true,
		Cards: true,
		Tab:   TabModel,
		Panes: [MostPanes]Pane{
			{Method: skinning.LBS}, {Method: skinning.DQS}, {Method: skinning.SDQS}, {Method: skinning.SBS},
		},
		Divider: 0.5, Reference: skinning.DQS,
	}
}

// ToggleTab shows a page of the panel at the right, and the first page where it is shown already.
func (s *State) ToggleTab(t Tab) {
	if s.Tab == t {
		t = TabModel
	}
	s.Tab = t
}

// SetClip starts another clip from its beginning, and plays all of it. Seconds may be 0: a clip of a single pose.
func (s *State) SetClip(clip int, seconds float64) {
	s.Range = Range{}
	s.Clip, s.Seconds, s.Time, s.KeyRate = clip, max(seconds, 0), 0, 0
}

// Seek moves to a time, clamped to the clip. NaN counts as the start.
func (s *State) Seek(t float64) {
	if math.IsNaN(t) {
		t = 0
	}
	s.Time = min(max(t, 0), s.Seconds)
}

// Hold moves the playhead while the mouse holds it.
func (s *State) Hold(t float64) {
	s.Held = true
	s.Seek(t)
}

// Release ends Hold. A playing clip plays on from there.
func (s *State) Release() { s.Held = false }

// TogglePlay plays or pauses. At the end of a clip that does not loop, it plays from the start.
func (s *State) TogglePlay() {
	s.Playing = !s.Playing
	if from, to := s.Played(); s.Playing && !s.Loop && s.Time >= to {
		s.Time = from
	}
}

// Step pauses and moves by whole frames of the frame grid: from between two frames to the nearest one in that
// direction. At an end of the played range it goes to the other end where the range loops. Otherwise it leaves the
// range, and stops at the clip's end.
func (s *State) Step(frames int) {
	s.Playing = false
	// A time within a thousandth of a frame of the grid counts as on it: 1/30 s is not a binary number.
	const near = 1e-3
	at := s.Time * s.Rate()
	var grid float64
	if frames > 0 {
		grid = math.Floor(at + near)
	} else {
		grid = math.Ceil(at - near)
	}
	s.Seek(s.wrapStep((grid + float64(frames)) / s.Rate()))
}

func (s *State) wrapStep(t float64) float64 {
	if !s.Loop {
		return t
	}
	const epsilon = 1e-9
	from, to := s.Played()
	at := func(end float64) bool { return math.Abs(s.Time-end) <= epsilon }
	inside := s.Time > from && s.Time < to
	switch {
	case t < from-epsilon && at(from):
		return to
	case t > to+epsilon && at(to):
		return from
	case t < from && inside: // an end that lies between two frames of the grid
		return from
	case t > to && inside:
		return to
	}
	return t // a last, shorter step ends on the clip's end: Seek clamps
}

// SetSpeed sets the playback speed, clamped to its range.
func (s *State) SetSpeed(x float64) {
	if math.IsNaN(x) {
		x = 1
	}
	s.Speed = min(max(x, SlowestSpeed), FastestSpeed)
}

// Tick lets dt seconds of wall clock pass.
func (s *State) Tick(dt float64) {
	if !s.Moving() || !(dt > 0) {
		return
	}
	from, to := s.Played()
	t := s.Time + dt*s.Speed
	switch {
	case t <= to:
	case s.Loop:
		t = from + math.Mod(t-to, to-from) // from before the range the clock runs into it, from behind it comes back
		if s.Time > to {
			t = from
		}
	default:
		t, s.Playing = to, false
	}
	s.Time = t
}

// Moving reports whether Tick changes anything: the picture needs to be drawn again and again.
func (s *State) Moving() bool { return s.Playing && !s.Held && s.Seconds > 0 }

// Frame returns the frame that Time lies in, and the last frame of the clip, counted from 0. The last one is the clip's
// end, which may lie off the grid.
func (s *State) Frame() (at, last int) {
	const near = 1e-3
	last = int(math.Ceil(s.Seconds*s.Rate() - near))
	if s.Time >= s.Seconds {
		return last, last
	}
	return int(s.Time*s.Rate() + near), last
}

// Escape closes the help where it is open. It never ends the program.
func (s *State) Escape() { s.Help = false }

// Settings returns the part of the state that sets how models are shown, with the rest zero. The camera, the clip and
// its clock, picked things and their handles, the page, and how the window looks are not part of it. Settings are
// compared and restored as one.
func (s *State) Settings() State {
	out := *s
	out.keep(&State{})
	if s.lent { // by the page
		out.Skeleton = false
	}
	return out
}

// Restore sets what Settings have returned.
func (s *State) Restore(settings State) {
	was := *s
	*s = settings
	s.keep(&was)
	if was.lent && !settings.Skeleton {
		s.Skeleton, s.lent = true, true
	}
	s.Activate(was.Active)
}

// keep takes the fields that are no settings from another state.
func (s *State) keep(from *State) {
	s.Clip, s.Seconds, s.Time, s.Playing, s.Range, s.Held = from.Clip, from.Seconds, from.Time, from.Playing, from.Range, from.Held
	s.KeyRate = from.KeyRate
	s.Active, s.Vertex, s.Joint = 0, from.Vertex, from.Joint
	s.Panels, s.Help, s.Tab, s.Cards = from.Panels, from.Help, from.Tab, from.Cards
	s.Unit = from.Unit // goes by the file where the person has not chosen one
	s.Light, s.Background, s.Environment = from.Light, from.Background, from.Environment
	s.Handle, s.MoveAll, s.WorldAxes = from.Handle, from.MoveAll, from.WorldAxes
	s.onPose, s.lent = from.onPose, false
}

// Tab is a page of the panel at the right, by its name on the command line and in the settings: its heading in small
// letters.
type Tab string

// The pages that more than the page itself speaks of.
const (
	TabModel  Tab = "model"
	TabPose   Tab = "pose"
	TabErrors Tab = "error"
	TabTiming Tab = "time"
	TabFit    Tab = "fit"

	TabHelpers Tab = "helper"
	TabBody    Tab = "body"
)
