package viewer

import (
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/saver"
)

// shot is a request to save a picture of the next frame.
type shot struct {
	wanted bool
	plain  bool   // without the interface
	path   string // "" for a name made of the date
	file   *saver.File
	ready  func() error
}

// readPicture reads a rectangle of this frame, in logical pixels.
func (a *app) readPicture(r ui.Rect) *image.NRGBA {
	x, y, w, h := a.pixels(r)
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if w <= 0 || h <= 0 {
		return img
	}
	flipped := make([]byte, 4*w*h)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, 0)
	gl.ReadBuffer(gl.BACK)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.ReadPixels(int32(x), int32(y), int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(flipped))
	for y := range h {
		row := img.Pix[y*img.Stride : y*img.Stride+4*w]
		copy(row, flipped[4*w*(h-1-y):])
		for x := 3; x < len(row); x += 4 {
			row[x] = 255 // ignore the window's alpha
		}
	}
	return img
}

func (a *app) wholeWindow() ui.Rect { return ui.Rect{W: a.win.Width, H: a.win.Height} }

// takeShots saves the requested pictures of this frame. It is called before the interface is drawn, for pictures
// without it, and after. It returns only the errors of Options.Screenshot; the window shows the others.
func (a *app) takeShots(drawn bool) error {
	r := a.wholeWindow()
	if !drawn {
		r = a.view.Rect
	}
	if a.opt.Screenshot != "" && a.loop.framesLeft <= 1 && a.opt.NoInterface != drawn {
		if err := a.opt.WritePicture(a.opt.Screenshot, a.readPicture(r)); err != nil {
			return fmt.Errorf("screenshot %s: %w", a.opt.Screenshot, err)
		}
	}
	if a.shot.wanted && a.shot.plain != drawn {
		a.saveShot(a.readPicture(r), a.shot)
		a.shot = shot{}
	}
	return nil
}

// saveShot writes a picture on a goroutine, as compression outlasts a frame, and tells the user its path.
func (a *app) saveShot(img *image.NRGBA, s shot) {
	now, write, folders := time.Now(), a.opt.WritePicture, shotFolders(filepath.Dir(a.saver.Place("x")))
	go func() {
		path, err := s.path, error(nil)
		if path == "" {
			path, err = reserveShot(now, folders)
		} else {
			err = s.ready()
		}
		if err == nil {
			err = write(path, img)
			if err != nil && s.path == "" {
				os.Remove(path) // the empty file that reserved the name
			}
		}
		a.desk.Later(func() {
			switch {
			case err == nil:
				a.notes.Notify("Picture saved", path, desk.FileTime)
			case s.path != "":
				a.saver.NotSaved(s.file, path, err)
			default:
				a.notes.Complain(noPicture, err)
			}
		})
	}()
}

func (a *app) askShot() {
	a.loader.Dialogs.Ask(files.Dialog{
		Title: "Save the picture", Kind: "PNG pictures", Ends: []string{".png"},
		Propose: a.saver.Place(shotName(time.Now(), 1)), Save: true,
	}, func(path string) {
		a.saver.Save(&saver.File{Path: path, Ending: ".png", Failed: noPicture,
			Write: func(f *saver.File, path string, ready func() error) {
				a.shot = shot{wanted: true, plain: true, path: path, file: f, ready: ready}
				a.desk.Wake()
			}})
	})
}

const noPicture = "No picture saved"

// shotFolders returns the folders for pictures: the one of all files that are written, then the user's own folder.
func shotFolders(first string) []string {
	var folders []string
	if dir, err := filepath.Abs(first); err == nil && dir != filepath.Dir(dir) { // a desktop starts it in the root
		folders = append(folders, dir)
	}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, home)
	}
	return folders
}

func shotName(now time.Time, n int) string {
	name := "skinlab-" + now.Format("20060102-150405")
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	return name + ".png"
}

// mostShots limits the number of pictures per second.
const mostShots = 1000

// reserveShot makes an empty file with a new name in the first folder in which that is possible.
func reserveShot(now time.Time, folders []string) (string, error) {
	err := errors.New("screenshot: there is no folder to save it in")
	for _, dir := range folders {
		for n := 1; n <= mostShots; n++ {
			var f *os.File
			path := filepath.Join(dir, shotName(now, n))
			f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err == nil {
				return f.Name(), f.Close()
			}
			if !errors.Is(err, fs.ErrExist) {
				break
			}
		}
	}
	return "", err
}
