package transfer

import (
	"math"
	"skinlab/internal/assetstest"
	"testing"
)

// A search that leaves out blocks of points has the same distances as one that compares every mark with every point:
// they are the least of the same numbers, so exactly.
func TestBlocksLoseNoPoint(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	s, err := OfClip(m, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRig(m, true)
	if err != nil {
		t.Fatal(err)
	}
	x := newSearch(newPoser(r), newTarget(s.frame(len(s.Frames)-1), shapePoints), nil, 1)
	if len(x.blocks) < 20 {
		t.Fatalf("%d blocks", len(x.blocks))
	}
	pose := r.rest()
	x.set(&pose)
	x.place(0, len(x.marks))
	x.forget(x.near)
	x.compare(0, len(x.marks), x.near)
	near := make([]float64, len(x.frame))
	x.forget(near)
	for i := range x.marks {
		least := x.reach * x.reach
		for k, f := range x.frame {
			b := &x.body[i]
			u, v, w := b.at[0]-f.at[0], b.at[1]-f.at[1], b.at[2]-f.at[2]
			p, q, r := b.normal[0]-f.normal[0], b.normal[1]-f.normal[1], b.normal[2]-f.normal[2]
			d := u*u + v*v + w*w + x.along*x.along*(p*p+q*q+r*r)
			least, near[k] = math.Min(least, d), math.Min(near[k], d)
		}
		if x.least[i] != least {
			t.Fatalf("mark %d: %g m², %g among all points", i, x.least[i], least)
		}
	}
	for k := range near {
		if x.near[k] != near[k] {
			t.Fatalf("point %d: %g m², %g among all marks", k, x.near[k], near[k])
		}
	}
}
