// Package saver writes the files that a person wants written: it checks where they go, and asks before one replaces
// another.
package saver

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// File is a file that a person wants written.
type File struct {
	Path   string // as the person named it
	Ending string // of its format
	Failed string // the title of the message where it is not written
	// Write writes it to the whole path and says what became of it. Right before, it asks ready, whose error keeps it from
	// writing: by then the path may lead to another file.
	Write func(f *File, path string, ready func() error)
}

// Check returns the whole path to which a file of a format may be written, with the format's ending where the path has
// none, or why it may not. Reads are files that must stay. A file that exists while replace is false is an error that
// wraps [fs.ErrExist]; the path is returned with it.
type Check func(path, ending string, reads []string, replace bool) (string, error)

// Saver saves files.
type Saver struct {
	*desk.Desk
	check     Check
	reads     func() []string
	questions []question // open until they are answered, the first first
}

// question asks whether a file may be replaced.
type question struct {
	file        *File
	path        string
	title, text string
}

// New returns a saver. Reads names the files that the window shows.
func New(d *desk.Desk, check Check, reads func() []string) *Saver {
	return &Saver{Desk: d, check: check, reads: reads}
}

// Save writes a file, where something is there after the person has been asked.
func (s *Saver) Save(f *File) { s.save(f, false) }

func (s *Saver) save(f *File, replace bool) {
	reads := s.reads()
	check := func(path string) (string, error) { return s.check(path, f.Ending, reads, replace) }
	path, err := check(f.Path)
	switch {
	case errors.Is(err, fs.ErrExist):
		s.Ask(f, path)
	case err != nil:
		s.Complain(f.Failed, err)
	default:
		f.Write(f, path, func() error {
			_, err := check(path)
			return err
		})
	}
}

// NotSaved says why a file was not written; where one has appeared meanwhile, the person is asked after all.
func (s *Saver) NotSaved(f *File, path string, err error) {
	switch {
	case errors.Is(err, fs.ErrExist):
		s.Ask(f, path)
	case strings.Contains(err.Error(), path):
		s.Complain(f.Failed, err)
	default:
		s.Complain(f.Failed, fmt.Errorf("%s: %w", path, err))
	}
}

// Ask asks whether a file may be replaced.
func (s *Saver) Ask(f *File, path string) {
	s.questions = append(s.questions, question{file: f, path: path,
		title: filepath.Base(path) + " exists. Replace it?", text: path + "\nWhat it holds would be lost."})
	s.UI.StopTyping()
	s.Wake()
}

// Asked returns the file that the question which is seen is about, "" where there is none.
func (s *Saver) Asked() string {
	if len(s.questions) == 0 {
		return ""
	}
	return s.questions[0].path
}

// answer answers the question that is seen.
func (s *Saver) answer(replace bool) {
	q := s.questions[0]
	s.questions = slices.Delete(s.questions, 0, 1)
	if !replace {
		s.Notify("Nothing is replaced", q.path+" is as it was", desk.FileTime)
		return
	}
	q.file.Path = q.path
	s.save(q.file, true)
}

// TakeBack answers all questions with no: another model is shown than the one that they were about.
func (s *Saver) TakeBack() {
	for len(s.questions) > 0 {
		s.answer(false)
	}
}

// Key answers the question that is seen by a key, and reports whether there is one: keys mean nothing else then.
// Return is no answer, since it may be the second of two that were pressed in the field of the path.
func (s *Saver) Key(k glfw.Key, repeat bool) bool {
	if len(s.questions) == 0 {
		return false
	}
	switch {
	case repeat:
	case k == glfw.KeyY:
		s.answer(true)
	case k == glfw.KeyN || k == glfw.KeyEscape:
		s.answer(false)
	}
	return true
}

// Items of the question.
const (
	ItemReplace = 1 + iota
	ItemCancel
)

// Draw draws the question over everything else, which cannot be clicked meanwhile.
func (s *Saver) Draw(all ui.Rect) {
	if len(s.questions) == 0 {
		return
	}
	q := &s.questions[0]
	s.UI.BeginPanel(desk.PanelQuestion, all, true)
	defer s.UI.EndPanel()
	yes, no := s.UI.Question(ItemReplace, all, q.title, q.text,
		ui.AnswerLabels{Yes: "Replace", YesKey: "Y", No: "Cancel", NoKey: "Esc"})
	if yes || no {
		s.answer(yes && !no)
	}
}
