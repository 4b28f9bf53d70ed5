package limbs

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// border is where two limbs meet, and the joint between them. Places are relative to the middle of the bind shape.
type border struct {
	limbs  [2]int
	ends   []int      // the vertices of both that are linked to the other
	middle mgl64.Vec3 // of the ends
	radius float64    // RMS distance of the ends from there, metres
	joint  mgl64.Vec3 // the point that stays together best
	apart  float64    // RMS distance over scans between the joint moved by the one limb and by the other, metres
}

// borders returns the borders of all limbs that meet, with the joint of each.
func (l *partition) borders() (all []*border) {
	at := map[[2]int]*border{}
	for v, ring := range l.links {
		for _, u := range ring {
			a, b := l.of[v], l.of[u]
			if a == b {
				continue
			}
			pair := [2]int{min(a, b), max(a, b)}
			if at[pair] == nil {
				at[pair] = &border{limbs: pair}
				all = append(all, at[pair])
			}
			at[pair].ends = append(at[pair].ends, v) // in ascending order
		}
	}
	for _, b := range all {
		b.ends = slices.Compact(b.ends)
		l.placeJoint(b)
	}
	return all
}

// placeJoint finds the point x at which two limbs stay together best. It minimises
//
//	Σ_i |A_i·x − B_i·x|² / σ² + |x − m|² / ρ²
//
// over x, with A_i and B_i their motions to scan i (as in Le and Deng 2014, section 4, except for the second term).
// That term is a prior: the joint lies about ρ away from the middle m of the border's ends, where ρ is the distance of
// these ends from m. It decides where the scans do not, along the axis of a hinge and between limbs that hardly bend.
// σ² is the mean squared error of the motions at the border's ends over the scans.
func (l *partition) placeJoint(b *border) {
	n := float64(len(b.ends))
	for _, v := range b.ends {
		b.middle = b.middle.Add(l.bind[v].Mul(1 / n))
	}
	square, missed := 0.0, 0.0
	for _, v := range b.ends {
		d := l.bind[v].Sub(b.middle)
		square += d.Dot(d)
		missed += l.errorOf(l.pieces[l.of[v]], v)
	}
	b.radius = math.Sqrt(square / n)
	// The normal equations of the step from the middle: (Σ DᵀD + σ²/ρ²)·step = −Σ Dᵀ·(A − B)·m, D = linear part of A − B.
	apart := l.difference(b.limbs)
	var normal geom.Symmetric
	var right mgl64.Vec3
	for i := range apart {
		d, t := apart[i].Linear(), apart[i].Apply(b.middle)
		for r := range 3 {
			x, y, z := d[3*r], d[3*r+1], d[3*r+2]
			normal[0], normal[1], normal[2] = normal[0]+x*x, normal[1]+y*y, normal[2]+z*z
			normal[3], normal[4], normal[5] = normal[3]+x*y, normal[4]+x*z, normal[5]+y*z
			right = right.Sub(mgl64.Vec3{x, y, z}.Mul(t[r]))
		}
	}
	for k := range 3 {
		normal[k] += missed / float64(len(apart)) / square
	}
	b.joint = b.middle
	if inverse, det := normal.Cofactor(); det > 0 {
		b.joint = b.middle.Add(inverse.Apply(right).Mul(1 / det))
	}
	sum := 0.0
	for i := range apart {
		d := apart[i].Apply(b.joint)
		sum += d.Dot(d)
	}
	b.apart = math.Sqrt(sum / float64(len(apart)))
}

// difference returns A_i − B_i of two limbs.
func (l *partition) difference(pair [2]int) []geom.Affine {
	out := slices.Clone(l.pieces[pair[0]].motions)
	for i := range out {
		for k, x := range l.pieces[pair[1]].motions[i] {
			out[i][k] -= x
		}
	}
	return out
}
