package bodymodel

import (
	"github.com/go-gl/mathgl/mgl64"
)

// scanEquations are the normal equations JᵀMJ·x = Jᵀ·M·d of one scan, in the unknowns of its pose, as those of
// [PoseEquations], and in those of the joints: a shift of each but the root's, 3(k−1) to 3(k−1)+2 for limb k.
type scanEquations struct {
	pose       []float64 // poses × poses, lower half
	cross      []float64 // joints × poses
	joints     []float64 // joints × joints, lower half
	poseRight  []float64
	jointRight []float64
}

func newScanEquations(limbs int, joints bool) *scanEquations {
	n, m := 3+3*limbs, 0
	if joints {
		m = 3 * (limbs - 1)
	}
	return &scanEquations{
		pose: make([]float64, n*n), cross: make([]float64, m*n), joints: make([]float64, m*m),
		poseRight: make([]float64, n), jointRight: make([]float64, m),
	}
}

// chain expresses the unknowns by elements: each unknown is a sum of a few elements times rates. The first six elements
// are the screw by which limb 0 and all limbs below it move, the next six that of limb 1, and so on. After these come
// the fields of all limbs.
type chain struct {
	limbs    int
	each     int // fields of a limb
	unknowns [][]element
	matrix   []float64 // of elements
	half     []float64 // matrix times the elements of one unknown
	right    []float64
}

type element struct {
	at   int
	rate float64
}

func newChain(limbs, each int, joints bool) *chain {
	unknowns := 3 + 3*limbs
	if joints {
		unknowns += 3 * (limbs - 1)
	}
	n := (6 + each) * limbs
	return &chain{
		limbs: limbs, each: each, unknowns: make([][]element, unknowns), matrix: make([]float64, n*n),
		half: make([]float64, n), right: make([]float64, n),
	}
}

// set finds the elements of each unknown at a pose.
func (c *chain) set(b *Body, r *PoseRates, axes [][]axisRate) {
	for i := range c.unknowns {
		c.unknowns[i] = c.unknowns[i][:0]
	}
	add := func(unknown, at int, rate float64) {
		if rate != 0 {
			c.unknowns[unknown] = append(c.unknowns[unknown], element{at, rate})
		}
	}
	for d := range 3 {
		add(d, 3+d, 1)
	}
	for k, parent := range b.Parents {
		for d := range 3 {
			var w mgl64.Vec3
			w[d] = 1
			add(3+3*k+d, 6*k+d, 1)
			for row, x := range r.centres[k].Cross(w) { // w×(x − c) = w×x + c×w
				add(3+3*k+d, 6*k+3+row, x)
			}
			add(3+3*k+d, c.field(k, angleField), r.twists[k][d])
		}
		if parent < 0 || len(c.unknowns) == 3+3*c.limbs {
			continue
		}
		var sides [2]mgl64.Vec3
		if b.Axes[k] != (mgl64.Vec3{}) {
			sides = across(b.Axes[k])
		}
		own, above := r.palette.Motions[k].Linear(), r.palette.Motions[parent].Linear()
		for d := range 3 {
			unknown := 3*c.limbs + 3*k + d
			for row := range 3 { // the limb's motion is x ↦ a + R·(x − a) before its parent's
				add(unknown, 6*k+3+row, above[3*row+d]-own[3*row+d])
			}
			for i, e := range sides {
				add(unknown, c.field(k, shiftFields+i), e[d])
			}
		}
		for _, a := range axes[k] {
			if a.joint == 0 {
				continue
			}
			for d := range 3 {
				unknown, lean := 3*c.limbs+3*a.joint+d, mgl64.Vec3{a.rate[d], a.rate[3+d], a.rate[6+d]}
				add(unknown, c.field(k, angleField), r.lean[k].Dot(lean))
				for i, e := range sides {
					add(unknown, c.field(k, leanFields+i), e.Dot(lean))
				}
			}
		}
	}
}

func (c *chain) field(k, f int) int { return 6*c.limbs + k*c.each + f }

// equations sets the equations of a scan from its sums.
func (c *chain) equations(out *scanEquations, b *Body, s *limbSums) {
	n, first, twists := len(c.right), 6*c.limbs, c.each*c.limbs
	for i := range c.limbs {
		for j := i; j < c.limbs; j++ {
			c.setScrews(i, j, &s.moments[i*c.limbs+j])
		}
		for f, force := range s.mixed[i*twists:][:twists] {
			for d, x := range force.numbers() {
				c.matrix[(6*i+d)*n+first+f], c.matrix[(first+f)*n+6*i+d] = x, x
			}
		}
		for d, x := range s.forces[i].numbers() {
			c.right[6*i+d] = x
		}
	}
	for f := range twists {
		for h := f; h < twists; h++ {
			x := s.twists[f*twists+h]
			c.matrix[(first+f)*n+first+h], c.matrix[(first+h)*n+first+f] = x, x
		}
	}
	copy(c.right[first:], s.torques)
	c.sumBranches(b.Parents)

	poses := 3 + 3*c.limbs
	joints := len(c.unknowns) - poses
	for u, elements := range c.unknowns {
		half, right := c.half, 0.0
		clear(half)
		for _, e := range elements {
			right += e.rate * c.right[e.at]
			for i, x := range c.matrix[e.at*n:][:n] {
				half[i] += e.rate * x
			}
		}
		dot := func(o int) (sum float64) {
			for _, e := range c.unknowns[o] {
				sum += e.rate * half[e.at]
			}
			return sum
		}
		if u < poses {
			out.poseRight[u] = right
			for o := range u + 1 {
				out.pose[u*poses+o] = dot(o)
			}
			continue
		}
		out.jointRight[u-poses] = right
		for o := range poses {
			out.cross[(u-poses)*poses+o] = dot(o)
		}
		for o := poses; o <= u; o++ {
			out.joints[(u-poses)*joints+o-poses] = dot(o)
		}
	}
}

// numbers are the force as it is in a right side: torque, then push.
func (f *force) numbers() [6]float64 {
	return [6]float64{f.torque[0], f.torque[1], f.torque[2], f.push[0], f.push[1], f.push[2]}
}

// setScrews sets the blocks of the screws of limbs i and j from x = Σ p_i·p_jᵀ: a screw changes a place p times its
// last coordinate by turn×p + p₃·move.
func (c *chain) setScrews(i, j int, x *[16]float64) {
	trace := x[0] + x[5] + x[10]
	var block [36]float64
	for r := range 3 {
		for k := range 3 {
			block[6*r+k] = -x[4*k+r]
		}
		block[7*r] += trace
		block[21+7*r] = x[15]
	}
	block[4], block[5], block[9], block[11], block[15], block[16] = -x[11], x[7], x[11], -x[3], -x[7], x[3]
	block[19], block[20], block[24], block[26], block[30], block[31] = x[14], -x[13], -x[14], x[12], x[13], -x[12]
	n := len(c.right)
	for r := range 6 {
		for k := range 6 {
			v := block[6*r+k]
			c.matrix[(6*i+r)*n+6*j+k], c.matrix[(6*j+k)*n+6*i+r] = v, v
		}
	}
}

// sumBranches makes the screws of limbs those of whole branches.
func (c *chain) sumBranches(parents []int) {
	n := len(c.right)
	for k := c.limbs - 1; k > 0; k-- {
		up := parents[k]
		for d := range 6 {
			to, from := c.matrix[(6*up+d)*n:][:n], c.matrix[(6*k+d)*n:][:n]
			for i, x := range from {
				to[i] += x
			}
			c.right[6*up+d] += c.right[6*k+d]
		}
	}
	for row := range n {
		r := c.matrix[row*n:][:n]
		for k := c.limbs - 1; k > 0; k-- {
			up := parents[k]
			for d := range 6 {
				r[6*up+d] += r[6*k+d]
			}
		}
	}
}
