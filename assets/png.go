package assets

import (
	"image"
	"image/png"
	"io"
)

// WritePNG writes a picture to a file, replacing an old one atomically.
func WritePNG(path string, picture image.Image) error {
	return WriteFileAtomic(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
