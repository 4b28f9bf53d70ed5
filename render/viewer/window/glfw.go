package window

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// Start initialises GLFW. Its Go binding only logs that there is no display and panics at the next call, so both
// are caught here and turned into an error with GLFW's own reason.
func Start() (err error) {
	if (runtime.GOOS == "linux" || runtime.GOOS == "freebsd") && os.Getenv("DISPLAY") == "" {
		return errors.New("no display: the DISPLAY environment variable is not set")
	}
	var said bytes.Buffer
	writer, flags := log.Writer(), log.Flags()
	log.SetOutput(&said)
	log.SetFlags(0)
	defer func() {
		log.SetOutput(writer)
		log.SetFlags(flags)
		r := recover()
		if _, ok := r.(*glfw.Error); r != nil && !ok {
			panic(r)
		}
		if err != nil || r != nil {
			if err != nil {
				said.WriteString(err.Error())
			}
			err = fmt.Errorf("no display: %s", strings.TrimSpace(said.String()))
		}
	}()
	if err := glfw.Init(); err != nil {
		return err
	}
	glfw.DefaultWindowHints() // panics where Init did not work
	return nil
}

// Waker wakes the loop from other goroutines, and does nothing once the window is gone.
type Waker struct {
	mu   sync.Mutex
	open bool
}

// Wake ends the loop's sleep.
func (w *Waker) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open {
		glfw.PostEmptyEvent()
	}
}

// Set says whether there is a loop to wake.
func (w *Waker) Set(open bool) {
	w.mu.Lock()
	w.open = open
	w.mu.Unlock()
}
