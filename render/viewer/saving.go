package viewer

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
)

// saving is a file that a person wants written.
type saving struct {
	path   string // as the person named it
	ending string // of its format
	failed string // the title of the message where it is not written
	// write writes it to the whole path and says what became of it. Right before, it asks ready, whose error keeps it from
	// writing: by then the path may lead to another file.
	write func(s *saving, path string, ready func() error)
}

// CheckOutput returns the whole path to which a file of a format may be written, with the format's ending where the
// path has none, or why it may not. Reads are files that must stay. A file that exists while replace is false is an
// error that wraps [fs.ErrExist]; the path is returned with it.
type CheckOutput func(path, ending string, reads []string, replace bool) (string, error)

// save writes a file, where something is there after the person has been asked.
func (a *app) save(s *saving, replace bool) {
	first, second := &a.files.source, &a.files.besideSource
	reads := slices.Concat(first.files, second.files, []string{first.path, second.path})
	check := func(path string) (string, error) { return a.opt.CheckOutput(path, s.ending, reads, replace) }
	path, err := check(s.path)
	switch {
	case errors.Is(err, fs.ErrExist):
		a.askReplace(s, path)
	case err != nil:
		a.complain(s.failed, err)
	default:
		s.write(s, path, func() error {
			_, err := check(path)
			return err
		})
	}
}

// notSaved says why a file was not written; where one has appeared meanwhile, the person is asked after all.
func (a *app) notSaved(s *saving, path string, err error) {
	switch {
	case errors.Is(err, fs.ErrExist):
		a.askReplace(s, path)
	case strings.Contains(err.Error(), path):
		a.complain(s.failed, err)
	default:
		a.complain(s.failed, fmt.Errorf("%s: %w", path, err))
	}
}

// question asks whether a file may be replaced.
type question struct {
	saving      *saving
	path        string
	title, text string
}

// questions are open until they are answered, the first first.
type questions struct {
	open []question
}

func (a *app) askReplace(s *saving, path string) {
	a.asking.open = append(a.asking.open, question{saving: s, path: path,
		title: filepath.Base(path) + " exists. Replace it?", text: path + "\nWhat it holds would be lost."})
	a.ui.StopTyping()
	a.wake()
}

// answer answers the question that is seen.
func (a *app) answer(replace bool) {
	q := a.asking.open[0]
	a.asking.open = slices.Delete(a.asking.open, 0, 1)
	if !replace {
		a.notify("Nothing is replaced", q.path+" is as it was", exportTime)
		return
	}
	q.saving.path = q.path
	a.save(q.saving, true)
}

// takeBack answers all questions with no: another model is shown than the one that they were about.
func (a *app) takeBack() {
	for len(a.asking.open) > 0 {
		a.answer(false)
	}
}

// answerKey answers the question that is seen by key, and reports whether there is one: keys mean nothing else then.
// Return is no answer, since it may be the second of two that were pressed in the field of the path.
func (a *app) answerKey(k glfw.Key, repeat bool) bool {
	if len(a.asking.open) == 0 {
		return false
	}
	switch {
	case repeat:
	case k == glfw.KeyY:
		a.answer(true)
	case k == glfw.KeyN || k == glfw.KeyEscape:
		a.answer(false)
	}
	return true
}

// Items of the question.
const (
	itemReplace = 1 + iota
	itemCancelReplace
)

// drawQuestion draws the question over everything else, which cannot be clicked meanwhile.
func (a *app) drawQuestion(all ui.Rect) {
	if len(a.asking.open) == 0 {
		return
	}
	q := &a.asking.open[0]
	a.ui.BeginPanel(panelQuestion, all, true)
	defer a.ui.EndPanel()
	answer := a.ui.Question(itemReplace, all, q.title, q.text,
		ui.AnswerLabels{Yes: "Replace", YesKey: "Y", No: "Cancel", NoKey: "Esc"})
	if answer != ui.Unanswered {
		a.answer(answer == ui.Yes)
	}
}
