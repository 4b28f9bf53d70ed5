// Package pages declares what the window knows of the pages of its right panel.
//
// Every page is a package below this one: a type with its own state. It declares an interface Host with the methods of
// the window that it needs. The window lists all pages in one table.
package pages

import (
	"time"

	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/crowd"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/distances"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/saver"
)

// Page is a page of the right panel. Its methods run on the window's goroutine. Those called in every frame allocate
// nothing.
type Page interface {
	// Draw draws the page, in every frame in which it is seen.
	Draw(in ui.Rect)
	// Update runs in every frame before the models are posed. seen says whether the page is seen.
	Update(now time.Time, seen bool)
	// Receive takes the results of other goroutines. It runs between two frames.
	Receive()
	// Busy reports whether a result that the page shows has not arrived yet.
	Busy() bool
	// Forget drops everything about the previous model after another one has been shown.
	Forget()
	// Close stops the page's goroutines and frees its memory.
	Close()
}

// Room is what every page is made with, and embeds: parts of the window that it draws in, reads and asks. A page's New
// takes it first, then the page's Host where it has one, then what is the page's own.
type Room struct {
	*desk.Desk
	Models    *models.Shown
	Distances *distances.Distances
	Crowd     *crowd.Crowd
	GPU       *render.Renderer
	Saver     *saver.Saver
}

// Undo is a row of what the user can undo to: what a page brings back. A moment is a comparable value that never
// changes; nil stands for nothing. Moment allocates nothing as long as the page stays the same.
type Undo struct {
	Moment  func() any
	Restore func(moment any) // of a moment of the shown model, or nil
	// Trim, unless nil, runs in every frame, after its moment has been taken: it may let moments go.
	Trim func(h History)
	// First is set if the page is brought back before the settings, which may show it.
	First bool
	// Reopens is set if moments hold for a file that is opened again, and Renews if they do for a newer version of it.
	// Others go with the model that they are of.
	Reopens, Renews bool
}

// Undoable is a page that has such a row.
type Undoable interface{ Undo() Undo }

// History is the moments of a page that the user can undo to.
type History interface {
	Moments() []any
	// DropBefore drops the moments before the last for which tooMuch reports true. It asks from the latest on.
	DropBefore(tooMuch func(moment any) bool)
}

// Still supplies the methods of Page that a page does not need if it only draws. Such pages embed it.
type Still struct{}

func (Still) Update(time.Time, bool) {}
func (Still) Receive()               {}
func (Still) Busy() bool             { return false }
func (Still) Forget()                {}
func (Still) Close()                 {}
