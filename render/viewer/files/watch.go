// Package files is how files come into the window: where a shown model came from, the watch over it, and the system's
// file dialogs.
package files

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// pause is the time between two looks at the files that are shown.
const pause = 500 * time.Millisecond

// The models that are shown.
const (
	First = iota
	Beside
	models
)

// Watcher looks twice a second whether a model that is shown has been saved anew. Looking works on every system and
// every network drive, sees a file that is replaced by another of its name as well, and costs two calls a second. A
// change is reported once the files are the same in two looks: until then they are still being written.
type Watcher struct {
	mu      sync.Mutex
	models  [models]watchedModel
	Changed func(which int) // called on the watcher's goroutine
}

// watchedModel is what a model was read from.
type watchedModel struct {
	files   []string
	seen    []stamp // when they were read
	pending []stamp // what the last look found, where that differs
}

// Source is where a model comes from.
type Source struct {
	Path   string // "" for one that was handed to the window without
	Files  []string
	stamps []stamp // from before they were read
}

// NewSource looks at the files of a model before they are read; list names them, nil knows none.
func NewSource(list func(string) []string, path string) Source {
	s := Source{Path: path}
	if list != nil && path != "" {
		s.Files = list(path)
		s.stamps = stampsOf(s.Files)
	}
	return s
}

// Join adds the files of an older source to those of one that could not be read.
func (s *Source) Join(old *Source) {
	for _, f := range old.Files {
		if !slices.Contains(s.Files, f) {
			s.Files, s.stamps = append(s.Files, f), append(s.stamps, stampOf(f))
		}
	}
}

// Exists reports whether a file is there.
func Exists(path string) bool { return stampOf(path).ok }

// stamp tells whether a file is another than before.
type stamp struct {
	size int64
	at   time.Time
	ok   bool // it is there
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime(), true}
}

func stampsOf(files []string) []stamp {
	out := make([]stamp, len(files))
	for i, f := range files {
		out[i] = stampOf(f)
	}
	return out
}

// Watch replaces the files of a model. What is saved while they are read counts as a change.
func (w *Watcher) Watch(which int, s Source) {
	w.mu.Lock()
	w.models[which] = watchedModel{files: s.Files, seen: s.stamps}
	w.mu.Unlock()
}

// Run looks until ctx is done.
func (w *Watcher) Run(ctx context.Context) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.look()
		}
	}
}

// look compares the files with what was seen last.
func (w *Watcher) look() {
	for which := range w.models {
		w.mu.Lock()
		files := w.models[which].files
		w.mu.Unlock()
		now := stampsOf(files) // on a sleeping network drive this takes a while, and only this goroutine waits
		if w.settled(which, files, now) {
			w.Changed(which)
		}
	}
}

// settled takes a look into account, and reports that the files have changed and come to rest.
func (w *Watcher) settled(which int, files []string, now []stamp) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := &w.models[which]
	switch {
	case !slices.Equal(m.files, files): // another model meanwhile
		return false
	case slices.EqualFunc(now, m.seen, stamp.same):
		m.pending = nil
		return false
	case len(now) > 0 && !now[0].ok: // being replaced, or gone: what is shown stays
		m.pending = nil
		return false
	case !slices.EqualFunc(now, m.pending, stamp.same):
		m.pending = now
		return false
	}
	m.seen, m.pending = now, nil
	return true
}

func (s stamp) same(o stamp) bool { return s.ok == o.ok && s.size == o.size && s.at.Equal(o.at) }
