package files

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"github.com/ncruces/zenity"

	"skinlab/render/viewer/desk"
)

// Dialog asks for a file. Dialogs are the system's own: on Linux those of zenity, qarma or matedialog, in a process
// of their own.
type Dialog struct {
	Title   string
	Kind    string   // what the files are: "Models"
	Ends    []string // of the files' names: "*.glb"
	Propose string   // a name or path to start from; empty for none
	Save    bool
	Instead string // what a person can do where there are no dialogs
}

// Dialogs shows dialogs, one at a time.
type Dialogs struct {
	*desk.Desk
	Open bool // one is
}

// Ask shows a dialog and gives then the path that was chosen. It returns at once: the window lives on meanwhile. While
// one is open a second is not shown.
func (a *Dialogs) Ask(d Dialog, then func(path string)) {
	if a.Open {
		return
	}
	a.Open = true
	ctx := a.Context
	go func() {
		path, err := d.show(ctx)
		a.Later(func() {
			a.Open = false
			switch {
			case errors.Is(err, zenity.ErrCanceled) || ctx.Err() != nil:
			case errors.Is(err, exec.ErrNotFound):
				a.Notify("No file dialog", "The programs that show one (zenity, qarma, matedialog) are not installed. "+d.Instead,
					desk.AdviceTime)
			case err != nil:
				a.Complain("The file dialog does not work", fmt.Errorf("%w. %s", err, d.Instead))
			case path != "":
				then(path)
			}
		})
	}()
}

func (d *Dialog) show(ctx context.Context) (string, error) {
	options := []zenity.Option{ // zenity writes into the patterns
		zenity.Context(ctx), zenity.Title(d.Title),
		zenity.FileFilters{{Name: d.Kind, Patterns: slices.Clone(d.Ends), CaseFold: true},
			{Name: "All files", Patterns: []string{"*"}}},
	}
	if d.Propose != "" {
		options = append(options, zenity.Filename(d.Propose))
	}
	if !d.Save {
		return zenity.SelectFile(options...)
	}
	return zenity.SelectFileSave(options...) // whether a file may be replaced the window asks itself
}
