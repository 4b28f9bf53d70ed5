// Package film has ffmpeg make films of pictures.
package film

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"skinlab/assets/atomicfile"
	"skinlab/assets/fault"
)

// Is reports whether a name is that of a film.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), ".mp4") }

// Film has ffmpeg make a film of pictures: their pixels go through a pipe, and the file takes its name when it is
// whole.
type Film struct {
	path, program string
	fps           float64
	Size          image.Point  // of each picture; to be set before the first
	Ready         func() error // nil, or an error of it leaves the file as it is; called before the film takes its name

	unfinished string // the file that ffmpeg writes; "" before the first picture
	cmd        *exec.Cmd
	in         io.WriteCloser
	says       bytes.Buffer
}

// New finds ffmpeg.
func New(path string, fps float64) (*Film, error) {
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, fmt.Errorf("%s: a film needs ffmpeg, which is not installed here: -o name-%%04d.png writes pictures", path)
	}
	return &Film{path: path, program: program, fps: fps}, nil
}

// start starts ffmpeg. H.264 in 4:2:0, which every player supports, needs sides of even length. If a side is odd, a row
// or a column is repeated.
func (f *Film) start(ctx context.Context) (err error) {
	f.unfinished, err = atomicfile.Beside(atomicfile.Target(f.path), func(name string) error {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		return file.Close()
	})
	if err != nil {
		return fault.OnFile(f.path, err)
	}
	f.cmd = exec.CommandContext(ctx, f.program, "-hide_banner", "-loglevel", "error", "-nostdin", "-y",
		"-f", "rawvideo", "-pixel_format", "rgba", "-video_size", fmt.Sprintf("%dx%d", f.Size.X, f.Size.Y),
		"-framerate", strconv.FormatFloat(f.fps, 'f', -1, 64), "-i", "pipe:0",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p", "-crf", "17", "-movflags", "+faststart", "-f", "mp4",
		"file:"+f.unfinished)
	f.cmd.Stderr = &f.says
	f.in, err = f.cmd.StdinPipe()
	if err == nil {
		err = f.cmd.Start()
	}
	return err
}

// Add adds a picture of the film's size. The first starts ffmpeg.
func (f *Film) Add(ctx context.Context, _ int, img *image.NRGBA) error {
	if f.cmd == nil {
		if err := f.start(ctx); err != nil {
			return err
		}
	}
	if _, err := f.in.Write(img.Pix); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.Join(f.wait(), err)
	}
	return nil
}

// wait waits for ffmpeg. Where ffmpeg fails, the error has the last line of its output.
func (f *Film) wait() error {
	err := f.cmd.Wait()
	if err == nil {
		return nil
	}
	said := strings.Split(strings.TrimSpace(strings.ReplaceAll(f.says.String(), f.unfinished, f.path)), "\n")
	return fmt.Errorf("%s: ffmpeg: %w: %s", f.path, err, said[len(said)-1])
}

// End ends the film. If err is nil, the file gets its name; otherwise it is removed.
func (f *Film) End(err error) error {
	if f.unfinished == "" {
		return err
	}
	defer os.Remove(f.unfinished) // fails without harm after the rename
	if f.in != nil {
		f.in.Close()
	}
	if err != nil {
		if f.cmd.Process != nil && f.cmd.ProcessState == nil {
			_ = f.cmd.Process.Kill() // it may have ended
			_ = f.cmd.Wait()
		}
		return err
	}
	if err := f.wait(); err != nil {
		return err
	}
	if f.Ready != nil {
		if err := f.Ready(); err != nil {
			return err
		}
	}
	return atomicfile.Replace(f.unfinished, atomicfile.Target(f.path))
}
