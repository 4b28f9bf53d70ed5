package viewer

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// ErrNoDisplay reports that there is no display to open a window on.
var ErrNoDisplay = errors.New("no display")

// startGLFW initialises GLFW. Its Go binding only logs that there is no display and panics at the next call, so both
// are caught here and turned into an error with GLFW's own reason.
func startGLFW() (err error) {
	if (runtime.GOOS == "linux" || runtime.GOOS == "freebsd") && os.Getenv("DISPLAY") == "" {
		return fmt.Errorf("%w: the DISPLAY environment variable is not set", ErrNoDisplay)
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
			err = fmt.Errorf("%w: %s", ErrNoDisplay, strings.TrimSpace(said.String()+errorText(err)))
		}
	}()
	if err := glfw.Init(); err != nil {
		return err
	}
	glfw.DefaultWindowHints() // panics where Init did not work
	return nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
