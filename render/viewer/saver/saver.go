// Package saver writes files for the user. It checks their paths and asks before something is lost, such as a file that
// another one replaces.
package saver

import (
	"cmp"
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

type File struct {
	Path   string // as the user typed it
	Ending string // ending of the format
	Failed string // title of the message if writing fails
	// Write writes the file to a full path and reports the result to the user. Right before writing it calls ready, and
	// writes nothing if that returns an error: the path may lead to another file by then.
	Write func(f *File, path string, ready func() error)
	given bool // the user has named its folder
}

// Check returns the full path for a file, with the format's ending if the path has none, or an error that says why it
// may not be written. reads are files that must not be overwritten. If the file exists and replace is false, the error
// wraps [fs.ErrExist], and the path is returned too.
type Check func(path, ending string, reads []string, replace bool) (string, error)

type Saver struct {
	*desk.Desk
	Folder    string // that the user has chosen for files with bare names; "" for that of the model's file
	check     Check
	reads     func() []string
	source    func() string // the model's file, "" for none
	questions []question    // open questions, in the order in which they are asked
	where     where
}

// where describes the folder of a path; it is kept for the next frame.
type where struct{ of, folder, source, text string }

// question is a question about a file, or what else the window asks before something is lost.
type question struct {
	path        string // that would be replaced; "" for none
	title, text string
	labels      []ui.AnswerLabel
	answers     []Answer
}

type Answer struct {
	Label, Tip string
	Key        glfw.Key // that gives it
	Run        func()   // nil: nothing is done
	Loses      bool     // something is lost by it, so that its button has no colour
}

// New returns a saver that reads' files are safe from. Source is the first model's file, "" for none.
func New(d *desk.Desk, check Check, reads func() []string, source func() string) *Saver {
	return &Saver{Desk: d, check: check, reads: reads, source: source}
}

// Place returns a bare file name as a path in the folder that the user has chosen, else in that of the model's file. A
// model that comes from no file leaves it in the working folder. Other paths are returned as they are.
func (s *Saver) Place(name string) string {
	if filepath.Base(name) != name {
		return name
	}
	if s.Folder == "" && s.source() != "" {
		return filepath.Join(filepath.Dir(s.source()), name)
	}
	return filepath.Join(s.Folder, name)
}

// Where says where the file of a name or a path goes.
func (s *Saver) Where(path string) string {
	of := path[:strings.LastIndexAny(path, `/`+string(filepath.Separator))+1] // "" for a bare name
	w := &s.where
	if source := s.source(); w.text == "" || w.of != of || w.folder != s.Folder || w.source != source {
		*w = where{strings.Clone(of), s.Folder, source, "to the working folder"}
		switch {
		case of != "":
			w.text = "to " + filepath.Clean(of)
		case s.Folder != "":
			w.text = "to " + s.Folder
		case source != "":
			w.text = "beside " + filepath.Base(source)
		}
	}
	return w.text
}

// Choose makes a folder that of bare names. That of the model's file goes on to be the one of each file.
func (s *Saver) Choose(folder string) {
	s.Folder = folder
	if source, err := filepath.Abs(s.source()); err == nil && s.source() != "" && filepath.Dir(source) == folder {
		s.Folder = ""
	}
	s.Wake()
}

// Save writes a file, and asks before it replaces one. A path's folder is that of bare names from now on.
func (s *Saver) Save(f *File) {
	f.given = filepath.Base(f.Path) != f.Path
	f.Path = s.Place(f.Path)
	s.save(f, false)
}

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
		if f.given {
			s.Choose(filepath.Dir(path))
		}
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

func (s *Saver) Ask(f *File, path string) {
	s.ask(question{path: path, title: filepath.Base(path) + " exists. Replace it?", text: path + "\nWhat it holds would be lost."},
		Answer{Label: "Replace", Tip: "Replaces the file by the new one.\tY", Key: glfw.KeyY, Loses: true, Run: func() {
			f.Path = path
			s.save(f, true)
		}},
		Answer{Label: "Cancel", Tip: "Keeps the file as it is.\tEsc", Key: glfw.KeyN, Run: func() {
			s.Notify("Nothing is replaced", path+" is as it was", desk.FileTime)
		}})
}

// Put asks the user something else. The last answer is that of the key Escape, and when another model is shown.
func (s *Saver) Put(title, text string, answers ...Answer) {
	s.ask(question{title: title, text: text}, answers...)
}

func (s *Saver) ask(q question, answers ...Answer) {
	q.answers = answers
	for _, a := range answers {
		q.labels = append(q.labels, ui.AnswerLabel{Label: a.Label, Tip: a.Tip, Loses: a.Loses})
	}
	s.questions = append(s.questions, q)
	s.UI.StopTyping()
	s.Wake()
}

// Asked returns the path in the visible question, its title where it is not about a file, "" if there is none.
func (s *Saver) Asked() string {
	if len(s.questions) == 0 {
		return ""
	}
	return cmp.Or(s.questions[0].path, s.questions[0].title)
}

func (s *Saver) answer(k int) {
	q := s.questions[0]
	s.questions = slices.Delete(s.questions, 0, 1)
	if run := q.answers[k].Run; run != nil {
		run()
	}
}

// TakeBack answers all questions with the last answer, because another model is shown now.
func (s *Saver) TakeBack() {
	for len(s.questions) > 0 {
		s.answer(len(s.questions[0].answers) - 1)
	}
}

// Key answers the visible question with the key of an answer.
func (s *Saver) Key(k glfw.Key, repeat bool) {
	if len(s.questions) == 0 {
		return
	}
	answers := s.questions[0].answers
	if k == glfw.KeyEscape {
		k = answers[len(answers)-1].Key
	}
	if i := slices.IndexFunc(answers, func(a Answer) bool { return a.Key == k }); i >= 0 && !repeat {
		s.answer(i)
	}
}

// Numbers of the question's items. Those of a question with other answers count up in their order.
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
	k := s.UI.Question(ItemReplace, all, q.title, q.text, q.labels)
	s.UI.EndPanel()
	if k >= 0 {
		s.answer(k)
	}
}
