package viewer

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"skinlab/skinning"
)

// loaded is what a loading goroutine hands over.
type loaded struct {
	number int
	path   string
	shown  *prepared
	err    error
}

// drop starts to load the first of the dropped files. A file that is still being loaded is forgotten.
func (a *app) drop(paths []string) {
	a.wake()
	if len(paths) == 0 {
		return
	}
	path := paths[0]
	if a.opt.Load == nil {
		a.fail(path, fmt.Errorf("this window loads no files"))
		return
	}
	a.loadNumber++
	a.loadingPath, a.loadingSince = path, time.Now()
	a.failure = ""
	number, load, loads, wake := a.loadNumber, a.opt.Load, a.loads, a.waker.wake
	go func() {
		result := loaded{number: number, path: path}
		var m *skinning.Model
		if m, result.err = load(path); result.err == nil {
			result.shown = prepare(m)
		}
		// The channel holds one result; the loop empties it when it wakes. An older one that waits there is replaced.
		for {
			select {
			case loads <- result:
				wake()
				return
			case old := <-loads:
				if old.number > number {
					result = old
				}
			}
		}
	}()
}

// receive shows what has been loaded.
func (a *app) receive() {
	select {
	case r := <-a.loads:
		if r.number != a.loadNumber {
			return
		}
		a.loadingPath = ""
		a.wake()
		if r.err == nil {
			r.err = a.show(r.shown, 0)
		}
		if r.err != nil {
			a.fail(r.path, r.err)
			return
		}
		a.state.Playing = true
	default:
	}
}

// longestFailure bounds a message in bytes, so that its card fits into a small window.
const longestFailure = 400

// fail shows why a file could not be loaded; the old model stays.
func (a *app) fail(path string, err error) {
	a.complain("Could not load "+filepath.Base(path), err)
}

// complain shows what went wrong until it is dismissed.
func (a *app) complain(title string, err error) {
	a.failedTitle, a.failure = title, err.Error()
	if len(a.failure) > longestFailure {
		a.failure = strings.ToValidUTF8(a.failure[:longestFailure], "") + " …"
	}
	a.wake()
}
