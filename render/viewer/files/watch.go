// Package files watches the files of the shown models, shows file dialogs, the system's or its own, and passes on the
// progress of loads.
package files

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// pause is the time between two looks at the files.
const pause = 500 * time.Millisecond

const (
	First = iota
	Beside
	models
)

// Watcher checks twice a second whether a shown model has been saved again. Checking works on every system and network
// drive, also sees a file replaced by another of the same name, and costs two calls a second. It reports a change when
// two checks in a row find the same files, because until then they are still being written.
type Watcher struct {
	mu      sync.Mutex
	models  [models]watchedModel
	Changed func(which int) // called on the watcher's goroutine
}

type watchedModel struct {
	files   []string
	seen    []stamp // when they were read
	pending []stamp // at the last check, if different
}

type Source struct {
	Path   string // "" for a model that does not come from a file
	Scene  string // of the file, by its name or index; "" for its default
	Files  []string
	stamps []stamp // from before the files were read
}

// NewSource takes the stamps of a model's files before they are read. list names the files; nil means no files.
func NewSource(list func(string) []string, path string) Source {
	s := Source{Path: path}
	if list != nil && path != "" {
		s.Files = list(path)
		s.stamps = stampsOf(s.Files)
	}
	return s
}

// Join adds the files of an older source if the new files could not be read.
func (s *Source) Join(old *Source) {
	for _, f := range old.Files {
		if !slices.Contains(s.Files, f) {
			s.Files, s.stamps = append(s.Files, f), append(s.stamps, stampOf(f))
		}
	}
}

func Exists(path string) bool { return stampOf(path).ok }

type stamp struct {
	size int64
	at   time.Time
	ok   bool // the file exists
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

// Watch sets the files of a model. A file saved while it was being read counts as changed.
func (w *Watcher) Watch(which int, s Source) {
	w.mu.Lock()
	w.models[which] = watchedModel{files: s.Files, seen: s.stamps}
	w.mu.Unlock()
}

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

func (w *Watcher) look() {
	for which := range w.models {
		w.mu.Lock()
		files := w.models[which].files
		w.mu.Unlock()
		now := stampsOf(files) // a sleeping network drive only keeps this goroutine waiting
		if w.settled(which, files, now) {
			w.Changed(which)
		}
	}
}

// settled takes the result of a check. It reports whether the files have changed and the last two checks agree.
func (w *Watcher) settled(which int, files []string, now []stamp) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := &w.models[which]
	switch {
	case !slices.Equal(m.files, files): // the model has been replaced meanwhile
		return false
	case slices.EqualFunc(now, m.seen, stamp.same):
		m.pending = nil
		return false
	case len(now) > 0 && !now[0].ok: // the file is being replaced or gone: the shown model stays
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
