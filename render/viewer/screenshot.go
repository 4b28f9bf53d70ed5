package viewer

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"time"

	"github.com/go-gl/gl/all-core/gl"
)

// How long notices stay: of a picture, and of an export, which says more.
const (
	noticeTime = 4 * time.Second
	exportTime = 12 * time.Second
)

// readPicture reads the frame that has just been drawn, interface and all.
func (a *app) readPicture() *image.NRGBA {
	w, h := a.win.pixelsX, a.win.pixelsY
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	flipped := make([]byte, 4*w*h)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, 0)
	gl.ReadBuffer(gl.BACK)
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(flipped))
	for y := range h {
		row := img.Pix[y*img.Stride : y*img.Stride+4*w]
		copy(row, flipped[4*w*(h-1-y):])
		for x := 3; x < len(row); x += 4 {
			row[x] = 255 // the window's alpha means nothing
		}
	}
	return img
}

// saveShot saves the frame under a name made of the date, in the current directory.
func (a *app) saveShot(now time.Time) {
	path := "skinlab-" + now.Format("20060102-150405") + ".png"
	err := writePicture(path, a.readPicture())
	if err != nil {
		a.complain("No picture saved", err)
		return
	}
	a.notify("Screenshot", "Saved "+path, noticeTime)
}

// notify shows a notice for a while.
func (a *app) notify(title, text string, stay time.Duration) {
	a.noticeTitle, a.notice, a.noticeUntil = title, text, time.Now().Add(stay)
	a.wake()
}

// writePicture writes a PNG beside its target and renames it into place.
func writePicture(path string, img image.Image) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".skinlab-*.png")
	if err != nil {
		return fmt.Errorf("screenshot %s: %w", path, err)
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = encoder.Encode(f, img)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644) // a temporary file is its owner's alone
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("screenshot %s: %w", path, err)
	}
	return nil
}
