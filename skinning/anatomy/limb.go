package anatomy

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Limb is a chain of two bones that bends in the middle, as an arm and a leg do. Joints between them, such as twist
// joints, keep their pose.
type Limb struct {
	Root, Middle, End int // joints: of an arm the shoulder, the elbow and the hand
	// Pole is the direction in rest space, of unit length and across the line from root to end, in which the middle
	// lies or, of a limb that is straight at rest, in which it comes out.
	Pole mgl64.Vec3
}

// ErrNoLimb says that a joint is not the end of a limb.
var ErrNoLimb = errors.New("no limb ends here: a limb needs two bones above its end, on one side of the body")

const (
	// stub is the length of a limb's first bone against the second below which it is no part of the limb: the collar
	// of a model whose names do not say so, or the pelvis above a hip.
	stub = 1.0 / 3
	// straight is the sine of an angle. A limb that is bent by less at rest counts as straight, so that its bend does
	// not determine an axis.
	straight = 0.02
	// footShare is the share of the skeleton's height in which the ends of legs are.
	footShare = 0.2
)

// LimbOf returns the limb that ends at a joint of the mirror's model. Its joints are those on one side of the body,
// in a model without sides those below a joint that branches. The limb begins below a collar, and its middle is the
// joint that divides it most evenly. The error is [ErrNoLimb].
func (r *Mirror) LimbOf(s *skinning.Skeleton, joint int) (Limb, error) {
	chain := r.chain(s, joint)
	least := 1e-6 * spread(jointPlaces(s)) // bones below that are none
	length := func(i, j int) float64 {
		if d := s.Joints[i].Position.Sub(s.Joints[j].Position).Len(); d > least {
			return d
		}
		return 0
	}
	for len(chain) > 2 && (isCollar(s.Joints[chain[0]].Name, s.Joints[chain[1]].Name) ||
		length(chain[0], chain[1]) < stub*length(chain[1], chain[2])) {
		chain = chain[1:]
	}
	l, best := Limb{End: joint}, 0.0
	for k := 1; k < len(chain)-1; k++ {
		upper, lower := length(chain[0], chain[k]), length(chain[k], joint)
		if even := min(upper, lower) / max(upper, lower, least); even > best {
			l.Root, l.Middle, best = chain[0], chain[k], even
		}
	}
	if best == 0 || length(l.Root, joint) == 0 {
		return Limb{}, ErrNoLimb
	}
	l.Pole = pole(s, &l)
	return l, nil
}

// chain returns the joints from the beginning of a possible limb down to its end.
func (r *Mirror) chain(s *skinning.Skeleton, end int) []int {
	sides := r.HasSides()
	children := make([]int, len(s.Joints))
	for j := range s.Joints {
		if p := s.Joints[j].Parent; p >= 0 {
			children[p]++
		}
	}
	var chain []int
	for j := end; j >= 0; j = s.Joints[j].Parent {
		if sides && !r.sided(s.Joints[j].Node) || !sides && j != end && children[j] > 1 {
			break
		}
		chain = append(chain, j)
	}
	slices.Reverse(chain)
	return chain
}

// isCollar reports whether a joint is a collar bone, by its name and that of the joint below. "Shoulder" may name the
// upper arm or the bone above it.
func isCollar(name, below string) bool {
	name, below = strings.ToLower(name), strings.ToLower(below)
	return strings.Contains(name, "clavicle") || strings.Contains(name, "collar") ||
		strings.Contains(name, "shoulder") && strings.Contains(below, "arm")
}

func jointPlaces(s *skinning.Skeleton) []mgl64.Vec3 {
	at := make([]mgl64.Vec3, len(s.Joints))
	for j := range at {
		at[j] = s.Joints[j].Position
	}
	return at
}

// pole returns the direction in which the middle of a limb lies at rest. Where a limb is straight, a knee bends
// forward, to +Z, and an elbow back.
func pole(s *skinning.Skeleton, l *Limb) mgl64.Vec3 {
	root, end := s.Joints[l.Root].Position, s.Joints[l.End].Position
	along := end.Sub(root).Normalize()
	across := func(v mgl64.Vec3) mgl64.Vec3 { return v.Sub(along.Mul(along.Dot(v))) }
	upper := s.Joints[l.Middle].Position.Sub(root)
	if out := across(upper); out.Len() > straight*upper.Len() {
		return out.Normalize()
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for j := range s.Joints {
		y := s.Joints[j].Position[1]
		lo, hi = min(lo, y), max(hi, y)
	}
	forward := mgl64.Vec3{0, 0, -1}
	if end[1] < root[1] && end[1] <= lo+footShare*(hi-lo) {
		forward[2] = 1
	}
	if out := across(forward); out.Len() > straight {
		return out.Normalize()
	}
	return across(mgl64.Vec3{0, 1, 0}).Normalize() // the limb points forward
}
