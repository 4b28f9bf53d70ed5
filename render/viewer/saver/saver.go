// Package saver writes files for the user. It checks their paths and asks before it replaces a file.
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

// File is a file to be written.
type File struct {
	Path   string // as the user typed it
	Ending string // ending of the format
	Failed string // title of the message if writing fails
	// Write writes the file to a full path and reports the result to the user. Right before writing it calls ready, and
	// writes nothing if that returns an error: the path may lead to another file by then.
	Write func(f *File, path string, ready func() error)
}

// Check returns the full path for a file, with the format's ending if the path has none, or an error that says why it
// may not be written. reads are files that must not be overwritten. If the file exists and replace is false, the error
// wraps [fs.ErrExist], and the path is returned too.
type Check func(path, ending string, reads []string, replace bool) (string, error)

// Saver saves files.
type Saver struct {
	*desk.Desk
	check     Check
	reads     func() []string
	questions []question // open questions, in the order in which they are asked
}

// question asks whether to replace a file.
type question struct {
	file        *File
	path        string
	title, text string
}

// New returns a saver. reads returns the files that the window shows.
func New(d *desk.Desk, check Check, reads func() []string) *Saver {
	return &Saver{Desk: d, check: check, reads: reads}
}

// Save writes a file. If the path exists, it asks the user first.
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

// NotSaved says why a file was not written. If a file has appeared at the path meanwhile, it asks the user instead.
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

// Ask asks whether to replace a file.
func (s *Saver) Ask(f *File, path string) {
	s.questions = append(s.questions, question{file: f, path: path,
		title: filepath.Base(path) + " exists. Replace it?", text: path + "\nWhat it holds would be lost."})
	s.UI.StopTyping()
	s.Wake()
}

// Asked returns the path in the visible question, "" if there is none.
func (s *Saver) Asked() string {
	if len(s.questions) == 0 {
		return ""
	}
	return s.questions[0].path
}

// answer answers the visible question.
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

// TakeBack answers all questions with no, because another model is shown now.
func (s *Saver) TakeBack() {
	for len(s.questions) > 0 {
		s.answer(false)
	}
}

// Key answers the visible question with a key and reports whether there is a question: then keys have no other meaning.
// Return is no answer, because it may be the second press of Return in the field of the path.
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

// Numbers of the question's items.
const (
	ItemReplace = 1 + iota
	ItemCancel
)

// Draw draws the question over everything else, which does not react to clicks meanwhile.
func (s *Saver) Draw(all ui.Rect) {
	if len(s.questions) == 0 {
		return
	}
	q := &s.questions[0]
	s.UI.BeginPanel(desk.PanelQuestion, all, true)
	defer s.UI.EndPanel()
	yes, no := s.UI.Question(ItemReplace, all, q.title, q.text,
		ui.AnswerLabels{
			Yes: "Replace", YesTip: "Replaces the file by the new one.\tY", No: "Cancel", NoTip: "Keeps the file as it is.\tEsc"})
	if yes || no {
		s.answer(yes && !no)
	}
}
