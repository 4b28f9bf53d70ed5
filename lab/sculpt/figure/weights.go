package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"skinlab/lab/sculpt/implicit"
	"skinlab/skinning"
)

const (
	heat       = 1.3   // transitions a little narrower than Baran and Popović's, for firm elbows and knees
	negligible = 0.020 // influences below it are dropped before the four strongest are kept
)

// weights returns the influences of every vertex of the symmetric mesh m, at most four each, themselves symmetric.
func weights(m *implicit.Mesh, twin []int, joints []rigJoint) skinning.Influences {
	var bones []implicit.Bone
	var owner []int // the joint of each bone
	for j := range joints {
		for _, b := range joints[j].bones {
			bones = append(bones, b)
			owner = append(owner, j)
		}
	}
	regions := regionsOf(m)
	spread := implicit.Diffuse(m, bones, heat, func(bone, vertex int) bool {
		return joints[owner[bone]].region == regions[vertex]
	})
	opposite := make([]int, len(joints))
	for j := range joints {
		opposite[j] = slices.IndexFunc(joints, func(k rigJoint) bool { return k.Name == counterpart(joints[j].Name) })
	}
	perJoint := make([][]float64, len(m.Positions))
	for v := range perJoint {
		perJoint[v] = make([]float64, len(joints))
		for b := range bones { // the mean of the vertex and its mirror image: solvers stop at a tolerance
			perJoint[v][owner[b]] += spread[b][v] / 2
			perJoint[v][opposite[owner[b]]] += spread[b][twin[v]] / 2
		}
	}
	var out skinning.Influences
	for v := range perJoint {
		for j := range joints {
			perJoint[v][j] *= sided(joints[j].Name, m.Positions[v][0])
		}
		out.Append(strongest(perJoint[v]), 0)
	}
	return out
}

// sided fades the weight of a limb's joint out across the middle of the body, because heat flows through the pelvis
// from one hip to the other, and over the chest. The other joints of the vertex get the lost weight.
func sided(name string, x float64) float64 {
	switch {
	case strings.HasPrefix(name, "right_"):
		x = -x
	case !strings.HasPrefix(name, "left_"):
		return 1
	}
	const from, to = -0.06, 0.03 // metres
	u := math.Max(0, math.Min(1, (x-from)/(to-from)))
	return u * u * (3 - 2*u)
}

// strongest keeps the four largest weights of a vertex. It subtracts the fifth, or a negligible weight if that is
// larger. So an influence fades to 0 before another one takes its place, and the weights of neighbours do not differ by
// a step.
func strongest(w []float64) []skinning.Influence {
	var all []skinning.Influence
	for j, x := range w {
		if x > negligible {
			all = append(all, skinning.Influence{Joint: uint16(j), Weight: float32(x)})
		}
	}
	slices.SortStableFunc(all, func(a, b skinning.Influence) int { return cmp.Compare(b.Weight, a.Weight) })
	floor := float32(negligible)
	if len(all) > 4 {
		floor = all[4].Weight + 1e-4 // and so of equal ones, as vertices on the plane of symmetry have, none
	}
	var out []skinning.Influence
	for _, f := range all {
		if f.Weight > floor {
			out = append(out, skinning.Influence{Joint: f.Joint, Weight: f.Weight - floor})
		}
	}
	return out
}

// regionsOf returns the part of the body of every vertex: the one in whose solid it is deepest.
func regionsOf(m *implicit.Mesh) []region {
	torso, upper, lower := implicit.Union(0.03, torso(), neck(), head()), implicit.Union(0.014, arm(), hand()),
		implicit.Union(0.016, leg(), foot())
	out := make([]region, len(m.Positions))
	for v, p := range m.Positions {
		left := p[0] >= 0
		if !left {
			p[0] = -p[0]
		}
		t, a, l := torso.At(p), upper.At(p), lower.At(p)
		switch {
		case a < t && a < l:
			out[v] = leftArm
		case l < t && p[1] < atHip[1]:
			out[v] = leftLeg
		}
		if out[v] != trunk && !left {
			out[v]++
		}
	}
	return out
}
