// Package pages is what a page of the panel at the right is to the window.
//
// Every page is a package below this one: a type with a state of its own. It sees the window through an interface that
// it declares itself, with what it needs and no more. The window lists all pages in one table.
package pages

import (
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// Page is a page of the panel at the right. Its methods run on the window's goroutine, and those that run in every
// frame allocate nothing.
type Page interface {
	// Draw draws the page, in every frame in which it is seen.
	Draw(in ui.Rect)
	// Update runs in every frame, before what is shown is posed; seen says whether the page is.
	Update(now time.Time, seen bool)
	// Receive takes over what other goroutines have finished. It runs between two frames.
	Receive()
	// Busy reports whether something that the page shows is still to come.
	Busy() bool
	// Forget drops what belongs to the model that was shown: another one is.
	Forget()
	// Close ends what the page has under way, and releases what it holds.
	Close()
}

// Info says how the window lists a page.
type Info struct {
	Tab   state.Tab
	Title string // its heading
	Key   byte   // the capital letter that shows it; 0 where the keys of its subject have one
	Does  string // what the help says of that key
}

// Still is embedded by pages that do nothing but draw: it supplies the rest of a Page.
type Still struct{}

func (Still) Update(time.Time, bool) {}
func (Still) Receive()               {}
func (Still) Busy() bool             { return false }
func (Still) Forget()                {}
func (Still) Close()                 {}
