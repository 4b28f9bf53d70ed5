package render

import (
	"fmt"
	"image"
	"math"
)

// imageDifference compares two pictures in steps of 1/255.
type imageDifference struct {
	mean  float64 // over all channels of all pixels
	most  int     // of one channel
	share float64 // of pixels with a channel more than 8 off
}

func (d imageDifference) String() string {
	return fmt.Sprintf("mean %.3f, most %d, %.2f %% of pixels more than 8 steps off", d.mean, d.most, 100*d.share)
}

// compareImages compares colours; pictures of different size are infinitely different.
func compareImages(a, b *image.NRGBA) imageDifference {
	if a.Rect.Size() != b.Rect.Size() {
		return imageDifference{math.Inf(1), 255, 1}
	}
	var sum, far float64
	var out imageDifference
	size := a.Rect.Size()
	for y := range size.Y {
		for x := range size.X {
			p, q := a.Pix[y*a.Stride+4*x:][:3], b.Pix[y*b.Stride+4*x:][:3]
			most := 0
			for c := range p {
				d := int(p[c]) - int(q[c])
				if d < 0 {
					d = -d
				}
				sum += float64(d)
				most = max(most, d)
			}
			if most > 8 {
				far++
			}
			out.most = max(out.most, most)
		}
	}
	pixels := float64(size.X * size.Y)
	out.mean, out.share = sum/pixels/3, far/pixels
	return out
}
