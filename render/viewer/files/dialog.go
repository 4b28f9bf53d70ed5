package files

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/ncruces/zenity"

	"skinlab/render/viewer/desk"
)

type Dialog struct {
	Title   string
	Kind    string   // kind of file: "Models"
	Ends    []string // endings of file names: ".glb"
	Propose string   // name or path to start from; "" for none
	Save    bool
	Folder  bool // a folder is asked for; Ends are of the files that make it one
}

// Dialogs shows one dialog at a time: the system's, or else the window's own.
type Dialogs struct {
	*desk.Desk
	Open bool // a dialog is open
	Own  *PathField
}

// Ask shows a dialog, unless one is open, returns at once, and passes the chosen path to then.
func (a *Dialogs) Ask(d Dialog, then func(path string)) {
	if a.Open {
		return
	}
	a.Open = true
	ctx := a.Context
	done := func(path string) {
		a.Open = false
		if path != "" {
			then(path)
		}
	}
	go func() {
		path, err := d.bySystem(ctx)
		a.Later(func() {
			switch {
			case ctx.Err() != nil || errors.Is(err, zenity.ErrCanceled):
				done("")
			case errors.Is(err, errNoDialog):
				a.Own.Ask(d, "", done)
			case err != nil:
				a.Own.Ask(d, "The system's dialog has failed: "+err.Error(), done)
			default:
				done(path)
			}
		})
	}()
}

// errNoDialog says that the system has no dialogs of a kind.
var errNoDialog = errors.New("no file dialog")

// bySystem shows a dialog of the system. It tries the programs that show one, then the desktop's portal. If there are
// none, the error is errNoDialog, else it says why the last one has failed.
func (d *Dialog) bySystem(ctx context.Context) (path string, err error) {
	err = errNoDialog
	for _, show := range []func(context.Context) (string, error){d.byZenity, d.byKDialog, d.byPortal} {
		path, failed := show(ctx)
		if failed == nil || errors.Is(failed, zenity.ErrCanceled) {
			return path, failed
		}
		if !errors.Is(failed, errNoDialog) {
			err = failed
		}
	}
	return "", err
}

func (d *Dialog) patterns() (all []string) {
	for _, end := range d.Ends {
		all = append(all, "*"+end)
	}
	return all
}

// byZenity asks the functions of macOS and Windows, on Linux zenity, qarma or matedialog in a process of its own.
func (d *Dialog) byZenity(ctx context.Context) (path string, err error) {
	options := []zenity.Option{
		zenity.Context(ctx), zenity.Title(d.Title),
		zenity.FileFilters{{Name: d.Kind, Patterns: d.patterns(), CaseFold: true},
			{Name: "All files", Patterns: []string{"*"}}},
	}
	if d.Propose != "" {
		options = append(options, zenity.Filename(d.Propose))
	}
	switch {
	case d.Save:
		path, err = zenity.SelectFileSave(options...) // the window itself asks before it replaces a file
	case d.Folder:
		path, err = zenity.SelectFile(append(options, zenity.Directory())...)
	default:
		path, err = zenity.SelectFile(options...)
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = errNoDialog
	}
	return path, err
}

// byKDialog runs KDE's program. It exits with 1 if the user cancels.
func (d *Dialog) byKDialog(ctx context.Context) (string, error) {
	program, err := exec.LookPath("kdialog")
	if err != nil {
		return "", errNoDialog
	}
	how := "--getopenfilename"
	switch {
	case d.Save:
		how = "--getsavefilename"
	case d.Folder:
		how = "--getexistingdirectory"
	}
	start := d.Propose
	if start == "" {
		start = "."
	}
	arguments := []string{"--title", d.Title, how, start}
	if !d.Folder {
		arguments = append(arguments, fmt.Sprintf("%s (%s) | All files (*)", d.Kind, strings.Join(d.patterns(), " ")))
	}
	out, err := exec.CommandContext(ctx, program, arguments...).Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return "", zenity.ErrCanceled
	case err != nil:
		return "", fmt.Errorf("kdialog: %w", err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

func (d *Dialog) has(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(d.Ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

func (d *Dialog) noun() string {
	if d.Folder {
		return "folder"
	}
	return "file"
}
