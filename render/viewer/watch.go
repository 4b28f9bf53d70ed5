package viewer

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// watchPause is the time between two looks at the files that are shown.
const watchPause = 500 * time.Millisecond

// A watched model is one of those that are shown.
const (
	watchFirst = iota
	watchBeside
	watched
)

// watcher looks twice a second whether a model that is shown has been saved anew. Looking works on every system and
// every network drive, sees a file that is replaced by another of its name as well, and costs two calls a second. A
// change is reported once the files are the same in two looks: until then somebody still writes.
type watcher struct {
	mu      sync.Mutex
	models  [watched]watchedModel
	changed func(which int) // called on the watcher's goroutine
}

// watchedModel is what a model was read from.
type watchedModel struct {
	files   []string
	seen    []stamp // when they were read
	pending []stamp // what the last look found, where that differs
}

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

// watch replaces the files of a model. Seen are their stamps from before they were read: what is saved while they are
// read counts as a change.
func (w *watcher) watch(which int, files []string, seen []stamp) {
	w.mu.Lock()
	w.models[which] = watchedModel{files: files, seen: seen}
	w.mu.Unlock()
}

// run looks until ctx is done.
func (w *watcher) run(ctx context.Context, pause time.Duration) {
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
func (w *watcher) look() {
	for which := range w.models {
		w.mu.Lock()
		files := w.models[which].files
		w.mu.Unlock()
		now := stampsOf(files) // a sleeping network drive holds nobody up but this goroutine
		if w.settled(which, files, now) {
			w.changed(which)
		}
	}
}

// settled takes a look into account, and reports that the files have changed and come to rest.
func (w *watcher) settled(which int, files []string, now []stamp) bool {
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
