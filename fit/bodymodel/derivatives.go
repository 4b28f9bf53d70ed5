package bodymodel

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// This file has the derivatives by one pose. The unknowns are small motions from the present pose: a shift of the
// root's place, and for every limb k a rotation vector w_k in the scan's axes. By w_k the limb and all limbs below it
// turn about the limb's joint c_k = C_k·a_k. The unknowns move
//
//   - the motion C_j of a limb by the velocity field x ↦ Σ w_k×(x − c_k) over the limb and those above it, and
//   - the twist angle θ_k of a limb by t_k·w_k, and with it T̄_j of the limb and those below, in rest space, by the
//     screw of axis u_k through a_k, carried by the twists above.
//
// A vertex is at y = S·z with z = DLB(T̄)·x and S = Σ wS_j·C_j·T̄_j⁻¹ (twist-swing.md, step 5), so that
//
//	∂y/∂C_j: wS_j times the velocity field at P_j·z
//	∂y/∂T̄_k: S·∂z − wS_k·P_k·η(z), with η the field by which T̄_k moves and ∂z what the DLB makes of it.
//
// The second is zero where T̄ of all of a vertex's influences moves alike: only twists between them count.

// screw is a velocity field of rigid motion: x ↦ turn×x + move.
type screw struct{ turn, move mgl64.Vec3 }

// carried returns the field as a rigid motion m carries it along: x ↦ M·s(m⁻¹·x), M the linear part of m.
func (s *screw) carried(m *geom.Affine) screw {
	l := m.Linear()
	turn := l.Apply(s.turn)
	return screw{turn, l.Apply(s.move).Sub(turn.Cross(m.Translation()))}
}

// PoseRates hold the parts of the derivatives by one pose that all vertices share. See [Body.newPoseRates].
type PoseRates struct {
	body    *Body
	palette *Palette
	centres []mgl64.Vec3 // c_k, of each limb
	twists  []mgl64.Vec3 // t_k: the twist angle's derivative by the limb's turn; zero for the root
	axes    []screw      // how T̄_k moves with the twist angle
	lean    []mgl64.Vec3 // the twist angle's derivative by the bone axis
	angles  []float64    // the twist angles
	branch  branchSums
}

// newPoseRates makes memory for [PoseRates.Set].
func (b *Body) newPoseRates() *PoseRates {
	n := len(b.Joints)
	return &PoseRates{
		body: b, palette: b.NewPalette(), branch: newBranchSums(n), centres: make([]mgl64.Vec3, n),
		twists: make([]mgl64.Vec3, n), axes: make([]screw, n), lean: make([]mgl64.Vec3, n), angles: make([]float64, n),
	}
}

// Set computes the rates at a pose. It allocates nothing.
func (r *PoseRates) Set(pose *Pose) {
	b, p := r.body, r.palette
	b.SetPalette(p, pose)
	for k, parent := range b.Parents {
		r.centres[k] = p.Motions[k].Apply(b.Joints[k])
		r.axes[k], r.twists[k], r.lean[k], r.angles[k] = screw{}, mgl64.Vec3{}, mgl64.Vec3{}, 0
		if parent < 0 {
			continue
		}
		half, turn, lean := geom.HalfTwistRates(pose.Turns[k], b.Axes[k])
		r.angles[k], r.lean[k] = 2*half, lean.Mul(2)
		r.twists[k] = p.Motions[parent].Linear().Apply(turn).Mul(2)
		axis := screw{b.Axes[k], b.Joints[k].Cross(b.Axes[k])}
		above := p.Twists[parent].Affine()
		r.axes[k] = axis.carried(&above)
	}
}

// Palette returns the limbs' palette at the pose.
func (r *PoseRates) Palette() *Palette { return r.palette }

// VertexRates are the derivatives of a vertex's posed position, in metres, by the unknowns of a pose. The derivative by
// the root's place is the identity and is left out.
type VertexRates struct {
	Place mgl64.Vec3
	Limbs []int32     // whose turns move the vertex, in any order
	Turns []geom.Mat3 // of each of them, by its rotation vector w
}

// vertex sets out to the rates of vertex v, whose memory it uses again.
func (r *PoseRates) vertex(v int, out *VertexRates) {
	swing, twist := r.body.Swing[v], r.body.Twist[v]
	out.Limbs, out.Turns = out.Limbs[:0], out.Turns[:0]

	blend := newTwistBlend(r.palette, twist)
	z := blend.apply(r.body.Vertices[v])
	var linear geom.Mat3 // of S
	out.Place = mgl64.Vec3{}
	s := &r.branch
	for _, i := range swing {
		m := &r.palette.Swings[i.Joint]
		at := m.Apply(z).Mul(i.Weight)
		out.Place = out.Place.Add(at)
		var part geom.Mat3
		for k, x := range m.Linear() {
			part[k] = i.Weight * x
			linear[k] += part[k]
		}
		for k := int(i.Joint); k >= 0; k = r.body.Parents[k] {
			sum := s.of(k)
			sum.count++
			sum.weight += i.Weight
			sum.place = sum.place.Add(at)
			for c, x := range part {
				sum.linear[c] += x
			}
		}
	}
	for i, t := range twist {
		part := blend.part(i, &r.palette.Twists[t.Joint])
		for k := int(t.Joint); k >= 0; k = r.body.Parents[k] {
			sum := s.of(k)
			sum.count++
			sum.twist.add(&part)
		}
	}
	for _, k := range s.limbs {
		sum := &s.sums[k]
		// w×(Σ wS_j·p_j − c_k·Σ wS_j), and t_k·w of the twist's column.
		arm := sum.place.Sub(r.centres[k].Mul(sum.weight))
		rate := geom.Mat3{0, arm[2], -arm[1], -arm[2], 0, arm[0], arm[1], -arm[0], 0}
		if sum.count < len(swing)+len(twist) {
			byTurn, byMove := blend.rates(&sum.twist, z, &linear, &sum.linear)
			axis := &r.axes[k]
			column := byTurn.Apply(axis.turn).Add(byMove.Apply(axis.move))
			for row := range 3 {
				for c := range 3 {
					rate[3*row+c] += column[row] * r.twists[k][c]
				}
			}
		}
		out.Limbs, out.Turns = append(out.Limbs, k), append(out.Turns, rate)
	}
	s.clear()
}

// branchSums are sums over a vertex's influences in the branch of each limb: its own and those below it.
type branchSums struct {
	sums  []branchSum
	limbs []int32 // those that have any
}

type branchSum struct {
	count  int        // influences of both sets
	weight float64    // Σ wS_j
	place  mgl64.Vec3 // Σ wS_j·P_j·z
	linear geom.Mat3  // Σ wS_j·P_j, linear part
	twist  twistPart
}

func newBranchSums(limbs int) branchSums { return branchSums{sums: make([]branchSum, limbs)} }

func (s *branchSums) of(k int) *branchSum {
	if s.sums[k].count == 0 {
		s.limbs = append(s.limbs, int32(k))
	}
	return &s.sums[k]
}

func (s *branchSums) clear() {
	for _, k := range s.limbs {
		s.sums[k] = branchSum{}
	}
	s.limbs = s.limbs[:0]
}

// twistBlend is the blend of a vertex's twists, b = Σ wT_j·T̄_j, at unit length, and how it moves with them.
type twistBlend struct {
	shares []skinning.Share
	scale  float64 // 1/|b₀|
	motion geom.DualQuat
	half   geom.Quat // b_ε·b₀*: half the translation; its scalar is 0 if the blend is a rigid motion
	only   int       // of a blend that is too short: the influence that is taken alone; otherwise −1
}

func newTwistBlend(p *Palette, twist []skinning.Share) (b twistBlend) {
	strongest := 0
	var sum geom.DualQuat
	for k, s := range twist {
		sum = sum.Add(p.Twists[s.Joint].Scale(s.Weight))
		if best := twist[strongest]; s.Weight > best.Weight || s.Weight == best.Weight && s.Joint < best.Joint {
			strongest = k
		}
	}
	b.shares, b.only, b.scale = twist, -1, 1
	length := math.Sqrt(sum.Real.Dot(sum.Real))
	if length < shortTwist {
		b.only, sum = strongest, p.Twists[twist[strongest].Joint]
	} else {
		b.scale = 1 / length
		sum = sum.Scale(b.scale)
	}
	b.motion = sum
	b.half = sum.Dual.Mul(sum.Real.Conjugate())
	return b
}

// apply moves a point by the blend.
func (b *twistBlend) apply(x mgl64.Vec3) mgl64.Vec3 {
	return b.motion.Real.Rotate(x).Add(mgl64.Vec3{b.half[0], b.half[1], b.half[2]}.Mul(2))
}

// twistPart is the share of some influences in a unit blend b: Σ wT_j·T̄_j·b₀*/|b₀|, where b₀ is the real part of the
// blend and also multiplies the dual part. The real parts of the shares of all influences sum to 1.
type twistPart struct{ real, dual geom.Quat }

func (a *twistPart) add(b *twistPart) { a.real, a.dual = a.real.Add(b.real), a.dual.Add(b.dual) }

// part returns the share of influence i in the blend.
func (b *twistBlend) part(i int, twist *geom.DualQuat) (p twistPart) {
	w := b.scale * b.shares[i].Weight
	if b.only >= 0 {
		if i != b.only {
			return p
		}
		w = 1
	}
	back := b.motion.Real.Conjugate().Scale(w)
	return twistPart{twist.Real.Mul(back), twist.Dual.Mul(back)}
}

// rates returns the derivative of a vertex's place y when the twists T̄_j of some of its influences move by a screw.
// The screw has the turn ω and the move v; with η its dual quaternion, T̄_j changes by η·T̄_j/2. Then y changes by
// byTurn·ω + byMove·v. Whole is the linear part of S, and some is the linear part of these influences' share of S.
//
// With A and B the part's quaternions, the blend moves by δb·b₀* = (ω·A + ε(ω·B + v·A))/2. Bringing it to unit length
// again removes the component of δb along b. With a = A₀·ω + ω×A and b_ε·b₀* = (e, e₀), the derivative of b₀·x·b₀* +
// 2·b_ε·b₀* is then
//
//	δz = a×(z − e) − e₀·a + B₀·ω + ω×B + e·(ω·A) + A₀·v + v×A
//
// and y moves by S·δz, minus the change of S itself with the twists of these influences.
func (b *twistBlend) rates(p *twistPart, z mgl64.Vec3, whole, some *geom.Mat3) (byTurn, byMove geom.Mat3) {
	e := mgl64.Vec3{b.half[0], b.half[1], b.half[2]}
	y := z.Sub(e)
	a := turnMatrix(&p.real) // for ω: a, and for v: its motion
	away := geom.Mat3{-b.half[3], y[2], -y[1], -y[2], -b.half[3], y[0], y[1], -y[0], -b.half[3]}
	byTurn = away.Mul(a)
	for i, x := range turnMatrix(&p.dual) {
		byTurn[i] += x + e[i/3]*p.real[i%3]
	}
	byTurn, byMove = whole.Mul(byTurn), whole.Mul(a)
	for r := 0; r < 9; r += 3 {
		s0, s1, s2 := some[r], some[r+1], some[r+2]
		byTurn[r] += s1*z[2] - s2*z[1]
		byTurn[r+1] += s2*z[0] - s0*z[2]
		byTurn[r+2] += s0*z[1] - s1*z[0]
		byMove[r] -= s0
		byMove[r+1] -= s1
		byMove[r+2] -= s2
	}
	return byTurn, byMove
}

// turnMatrix returns the matrix of ω ↦ q₀·ω + ω×q.
func turnMatrix(q *geom.Quat) geom.Mat3 {
	return geom.Mat3{q[3], q[2], -q[1], -q[2], q[3], q[0], q[1], -q[0], q[3]}
}
