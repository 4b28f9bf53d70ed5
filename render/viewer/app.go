package viewer

import (
	"context"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render"
	"skinlab/render/environment"
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/cliplist"
	"skinlab/render/viewer/crowd"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/distances"
	"skinlab/render/viewer/input"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/menu"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/bodypage"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/skeleton"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/transport"
	"skinlab/render/viewer/undo"
	"skinlab/render/viewer/view"
	"skinlab/render/viewer/window"
)

// app is the running viewer. Only the main goroutine uses it, except for waker and mail.
type app struct {
	models    *models.Shown
	loader    *loader.Loader
	distances *distances.Distances
	past      *undo.Past

	opt   Options
	ctx   context.Context
	win   *window.Window
	ui    *ui.Context
	desk  desk.Desk
	gpu   *render.Renderer
	lists lists
	// helpBy is how far keys have scrolled the help in this frame, as a share of what is seen of it.
	helpBy float32
	waker  window.Waker
	mail   desk.Mailbox
	prefs  settings.Keeper
	// environments are what can light materials, by State.Environment.
	environments []environment.Choice
	menu         menu.Menu
	clips        *cliplist.List
	palette      palette.Palette
	shot         shot
	loop         loop

	// What is shown.
	state state.State
	view  *view.View
	scene picture.Scene // reused by draw
	over  picture.Over  // likewise
	crowd *crowd.Crowd
	outer desk.Job[[]mgl32.Vec3] // finds the outermost points of all that is shown, which the camera is to be fitted to

	// The pages and the joints that they show.
	tabs     []tab
	facts    *modelpage.Page
	pose     *posepage.Page
	sweep    *sweep.Page
	times    *timing.Page
	fit      *fitpage.Page
	helpers  *helperpage.Page
	body     *bodypage.Page
	skeleton *skeleton.Overlay

	// Files, places, the mouse and messages.
	layout   layout
	player   transport.Bar
	captions *caption.Captions
	input    *input.Input
	notes    notes.Notes
	saver    *saver.Saver

	unseen      bool // a test looks at no pixels of this frame
	quits       bool // the window closes, whatever is lost
	findingFont bool // a search is under way for a font with characters that the fonts lack
}

// lists are the tables that are made once.
type lists struct {
	commands   []command
	help       []ui.KeyGroup
	methodKeys string       // keys of the direct methods
	tabNames   []ui.Segment // reused by tabRow
	tabIDs     []state.Tab
}

type layout struct {
	left, right float32   // widths of the panels at the sides, design pixels
	paged       bool      // a window with room for one panel at its sides shows the page
	tab         state.Tab // of the last frame
	zoom        float32   // the user's factor
	more        bool      // all methods are listed
}

// loop is the state that a frame leaves for the next one.
type loop struct {
	framesLeft int       // number of frames still to draw although nothing moves
	bare       bool      // without the interface, as it is measured
	last       time.Time // of the clip's clock, which stands while the loop sleeps
	turned     time.Time // of the last turn
	drawn      uint64
	tip        time.Duration // until the tip of the thing under the mouse is shown; 0 for none to come
}
