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

// Dialog asks the user for a file. The system shows it: on Linux zenity, qarma or matedialog, in a process of its own.
type Dialog struct {
	Title   string
	Kind    string   // kind of file: "Models"
	Ends    []string // patterns of file names: "*.glb"
	Propose string   // name or path to start from; "" for none
	Save    bool
	Instead string // what the user can do if the system has no dialogs
}

// Dialogs shows one dialog at a time.
type Dialogs struct {
	*desk.Desk
	Open bool // a dialog is open
}

// Ask shows a dialog and passes the chosen path to then. It returns at once, and the window goes on. While a dialog is
// open it shows no second one.
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
	options := []zenity.Option{ // a new slice, because zenity writes into the patterns
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
	return zenity.SelectFileSave(options...) // the window itself asks before it replaces a file
}
