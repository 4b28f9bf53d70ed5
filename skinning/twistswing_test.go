package skinning_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// branchingRig is a rig of nine joints whose parents are drawn from those before them, with bones about 1.7 long and
// one vertex that follows each joint. Poses are set by [pose].
type branchingRig struct {
	*skinning.Model
	axes    []mgl64.Vec3
	parents []int
	rng     *rand.Rand
}

const rigJoints = 9

func newBranchingRig(seed uint64) *branchingRig {
	rng := rand.New(rand.NewPCG(seed, 31))
	m := &skinning.Model{}
	for j := range rigJoints {
		parent := -1
		at := mgl64.Vec3{}
		if j > 0 {
			parent = rng.IntN(j)
			at = m.Skeleton.Joints[parent].Position.Add(unit(rng).Mul(1.5 + 0.4*rng.Float64()))
		}
		rest := geom.IdentityTransform()
		rest.Translation = at // all nodes are roots: a test sets the matrices
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: -1, Rest: rest})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: j, Parent: parent, Position: at,
			FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
		m.Skin.Positions = append(m.Skin.Positions, geom.Vec32(at))
		m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, 1, 0})
		m.Skin.Append([]skinning.Influence{{Joint: uint16(j), Weight: 1}}, 0)
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	r := &branchingRig{Model: m, rng: rng}
	r.axes, r.parents = m.BoneAxes()
	return r
}

func unit(rng *rand.Rand) mgl64.Vec3 {
	return mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize()
}

// about is a motion in rest space that has a linear part about a point.
func about(l geom.Mat3, at mgl64.Vec3) geom.Affine { return geom.NewAffine(l, at.Sub(l.Apply(at))) }

// pose returns a frame in which each joint moves against its parent by a linear part about its own place.
func (r *branchingRig) pose(local func(j int) geom.Mat3) *skinning.Frame {
	f := skinning.NewFrame(r.Model, nil)
	for j, p := range r.parents {
		l := about(local(j), r.Skeleton.Joints[j].Position)
		f.Matrices[j] = l
		if p >= 0 {
			f.Matrices[j] = f.Matrices[p].Mul(l)
		}
	}
	f.Forget()
	return f
}

// turned is any rotation by up to most radians.
func (r *branchingRig) turned(most float64) geom.Mat3 {
	return geom.AxisAngle(unit(r.rng), most*(2*r.rng.Float64()-1)).Mat3()
}

// scaled is a rotation after an uneven scale, which reflects every other time.
func (r *branchingRig) scaled(most float64) geom.Mat3 {
	s := geom.Mat3{0.6 + r.rng.Float64(), 0, 0, 0, 0.6 + r.rng.Float64(), 0, 0, 0, 0.6 + r.rng.Float64()}
	s[0] *= float64(1 - 2*r.rng.IntN(2))
	q := r.turned(math.Pi)
	return r.turned(most).Mul(q).Mul(s).Mul(q.Transpose())
}

// shares draws weights over a number of different joints, the strongest first.
func (r *branchingRig) shares(n int) []skinning.Share {
	out := make([]skinning.Share, n)
	sum := 0.0
	for k, j := range r.rng.Perm(rigJoints)[:n] {
		out[k] = skinning.Share{Joint: uint16(j), Weight: 0.05 + r.rng.Float64()}
		sum += out[k].Weight
	}
	most := 0
	for k := range out {
		out[k].Weight /= sum
		if out[k].Weight > out[most].Weight {
			most = k
		}
	}
	out[0], out[most] = out[most], out[0]
	return out
}

func (r *branchingRig) vertex() mgl64.Vec3 { return unit(r.rng).Mul(4 * r.rng.Float64()) }

// rigSize is the size of the rigs, metres.
const rigSize = 8

// propertyTolerance is in metres on rigs of rigSize: the specification's 1e-9, a thousand roundings of float64 and
// more.
const propertyTolerance = 1e-9

// rigTrials and rigVertices are how often a property is tried.
const (
	rigTrials   = 20
	rigVertices = 400
)

// apart is the largest distance that maps move vertices apart.
func apart(t *testing.T, property string, trial int, got, want geom.Affine, v mgl64.Vec3, tolerance float64) {
	t.Helper()
	if d := got.Apply(v).Sub(want.Apply(v)).Len(); !(d <= tolerance) {
		t.Fatalf("%s: trial %d: %v is off by %.3g m", property, trial, v, d)
	}
}

func phi(f *skinning.Frame, shares []skinning.Share) geom.Affine {
	return f.Phi(skinning.TwistSwing, shares, mgl64.Vec3{})
}

// The properties that twist-swing skinning is defined by, on branching rigs, each from the matrices alone.
func TestTwistSwingProperties(t *testing.T) {
	for trial := range rigTrials {
		r := newBranchingRig(uint64(trial))
		most := []float64{0.5, 1.5, math.Pi}[trial%3]
		any := func(j int) geom.Mat3 {
			if trial%2 == 1 {
				return r.scaled(most)
			}
			return r.turned(most)
		}
		f, rest := r.pose(any), r.pose(func(int) geom.Mat3 { return geom.Identity3() })
		motion := about(r.turned(math.Pi), mgl64.Vec3{1, 2, 3})
		moved := skinning.NewFrame(r.Model, nil)
		for j := range f.Matrices {
			moved.Matrices[j] = motion.Mul(f.Matrices[j])
		}
		moved.Forget()
		// A swing's axis is across the bone's.
		swings := r.pose(func(j int) geom.Mat3 {
			across := unit(r.rng).Cross(r.axes[j])
			if r.parents[j] < 0 {
				return r.turned(math.Pi)
			}
			turn := geom.AxisAngle(across, 2.9*(2*r.rng.Float64()-1)).Mat3()
			if s := 0.5 + r.rng.Float64(); trial%2 == 1 {
				turn = turn.Mul(geom.Mat3{s, 0, 0, 0, s, 0, 0, 0, s})
			}
			return turn
		})
		// Up to 16 of these are between two joints: below half a turn, so that DQS takes them the same way.
		twists := r.pose(func(j int) geom.Mat3 {
			if r.parents[j] < 0 {
				return r.turned(math.Pi)
			}
			return geom.AxisAngle(r.axes[j], 0.19*(2*r.rng.Float64()-1)).Mat3()
		})
		for range rigVertices {
			v, shares := r.vertex(), r.shares(1+r.rng.IntN(5))
			alone := []skinning.Share{{Joint: shares[0].Joint, Weight: 1}}
			apart(t, "one influence", trial, phi(f, alone), f.Matrices[alone[0].Joint], v, propertyTolerance)
			apart(t, "global motion", trial, phi(moved, shares), motion.Mul(phi(f, shares)), v, propertyTolerance)
			apart(t, "rest", trial, phi(rest, shares), geom.IdentityAffine(), v, propertyTolerance)
			apart(t, "swings alone are LBS", trial, phi(swings, shares), swings.Phi(skinning.LBS, shares, mgl64.Vec3{}), v,
				propertyTolerance)
			apart(t, "twists alone are DQS", trial, phi(twists, shares), twists.Phi(skinning.DQS, shares, mgl64.Vec3{}), v,
				propertyTolerance)
		}
	}
}

// A small weight moves a vertex little, however far away in the tree its joint is: 1e-6 of the weight by less than 1e-5
// of the size. Sums of twists that nearly cancel have no such bound, so joints turn by a third of a turn at most and
// blends of length below 0.2 are left out.
func TestTwistSwingIsContinuousInWeights(t *testing.T) {
	const moved, limit = 1e-6, 1e-5 * rigSize
	left := 0
	for trial := range rigTrials {
		r := newBranchingRig(uint64(trial))
		f := r.pose(func(int) geom.Mat3 { return r.turned(2 * math.Pi / 3) })
		for range rigVertices {
			v, shares := r.vertex(), r.shares(4)
			shares[3].Weight, shares[0].Weight = 0, shares[0].Weight+shares[3].Weight
			var sum geom.DualQuat
			for _, in := range shares {
				sum = sum.Add(f.Twist()[in.Joint].Scale(in.Weight))
			}
			if math.Sqrt(sum.Real.Dot(sum.Real)) < 0.2 {
				left++
				continue
			}
			before := phi(f, shares)
			shares[3].Weight += moved
			shares[0].Weight -= moved
			apart(t, "weight to another joint", trial, phi(f, shares), before, v, limit)
			all := []skinning.Share{{Joint: shares[0].Joint, Weight: 1 - moved}, {Joint: shares[1].Joint, Weight: moved}}
			apart(t, "all weight but a little", trial, phi(f, all), f.Matrices[shares[0].Joint], v, limit)
		}
	}
	if left > rigTrials*rigVertices/20 {
		t.Errorf("%d of %d blends were left out", left, rigTrials*rigVertices)
	}
}

// Between a joint and its child the method is that of Kavan and Sorkine (2012), written down by itself: the blend of no
// twist and the child's, then the blend of no swing and the child's, then the parent's motion.
func TestTwistSwingOfTwoJoints(t *testing.T) {
	for trial := range rigTrials {
		r := newBranchingRig(uint64(trial))
		f := r.pose(func(int) geom.Mat3 { return r.turned(2.4) })
		for c, p := range r.parents {
			if p < 0 {
				continue
			}
			back, _ := f.Matrices[p].Inverse()
			local := back.Mul(f.Matrices[c])
			u, at := r.axes[c], r.Skeleton.Joints[c].Position
			q := geom.QuatFromMat3(local.Linear())
			angle := 2 * math.Atan2(q[0]*u[0]+q[1]*u[1]+q[2]*u[2], q[3])
			angle -= 2 * math.Pi * math.Round(angle/(2*math.Pi))
			twist := about(geom.AxisAngle(u, angle).Mat3(), at)
			untwist, _ := twist.Inverse()
			swing := local.Mul(untwist)
			for range 40 {
				w, v := r.rng.Float64(), r.vertex()
				// The blend of no twist and a twist about one line is a twist about it by the angle of the blended
				// quaternion.
				half := math.Atan2(w*math.Sin(angle/2), 1-w+w*math.Cos(angle/2))
				x := about(geom.AxisAngle(u, 2*half).Mat3(), at).Apply(v)
				want := f.Matrices[p].Apply(x.Mul(1 - w).Add(swing.Apply(x).Mul(w)))
				shares := []skinning.Share{{Joint: uint16(p), Weight: 1 - w}, {Joint: uint16(c), Weight: w}}
				if w > 0.5 {
					shares[0], shares[1] = shares[1], shares[0]
				}
				m := phi(f, shares)
				if d := m.Apply(v).Sub(want).Len(); !(d <= propertyTolerance) {
					t.Fatalf("trial %d: joints %d and %d: off by %.3g m", trial, p, c, d)
				}
			}
		}
	}
}

// Two sets of weights act one after the other: the second on the twists alone.
func TestTwistSwingOfTwoWeightSets(t *testing.T) {
	m := skinningtest.RandomModel(200, 9, 4, 3)
	second := skinningtest.RandomModel(200, 9, 3, 4).Skin.Influences
	m.Skin.SetSecond(skinning.TwistSwing, &second)
	f := skinningtest.ScaledFrame(m, 5)
	got := f.Reference(skinning.TwistSwing)
	var buf []skinning.Influence
	differ := false
	for v := range got.Positions {
		var sum geom.DualQuat
		buf = second.Of(buf[:0], v)
		for _, in := range buf {
			sum = sum.Add(f.Twist()[in.Joint].Scale(float64(in.Weight)))
		}
		x := sum.Affine().Apply(geom.Vec64(m.Skin.Positions[v]))
		var want mgl64.Vec3
		buf = m.Skin.Of(buf[:0], v)
		for _, in := range buf {
			want = want.Add(f.Swing()[in.Joint].Apply(x).Mul(float64(in.Weight)))
		}
		// 1e-6 m: float32 weights sum to 1 within 1e-7.
		if d := got.Positions[v].Sub(want).Len(); !(d <= 1e-6) {
			t.Fatalf("vertex %d is off by %g m", v, d)
		}
		one := f.Blend(skinning.TwistSwing, buf, 0)
		differ = differ || one.Apply(geom.Vec64(m.Skin.Positions[v])).Sub(want).Len() > 1e-3
	}
	if !differ {
		t.Error("the second set changes nothing")
	}
	lbs := f.Reference(skinning.LBS)
	m.Skin.SetSecond(skinning.TwistSwing, nil)
	if f.Positions(skinning.LBS)[7] != lbs.Positions[7] {
		t.Error("the second set moves a vertex of linear blending")
	}
}

// twistTube is a closed tube along x over three joints that are a metre apart. Its weights are smooth, and every vertex
// has all three.
func twistTube(around, rings int) *skinning.Model {
	m := &skinning.Model{Name: "tube"}
	for j := range 3 {
		at := mgl64.Vec3{float64(j), 0, 0}
		rest := geom.IdentityTransform()
		if j > 0 {
			rest.Translation = mgl64.Vec3{1, 0, 0}
		}
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: j - 1, Rest: rest})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: j, Parent: j - 1, Position: at,
			FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	add := func(x, radius, turn float64) uint32 {
		s, c := math.Sincos(turn)
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(x), float32(radius * c), float32(radius * s)})
		m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, float32(c), float32(s)})
		var raw []skinning.Influence
		for j := range 3 {
			d := x - 0.5 - float64(j)
			raw = append(raw, skinning.Influence{Joint: uint16(j), Weight: float32(math.Pow(1+4*d*d, -3))})
		}
		m.Skin.Append(raw, 0)
		return uint32(len(m.Skin.Positions) - 1)
	}
	first := add(0, 0, 0)
	for r := range rings {
		for a := range around {
			add(3*float64(r)/float64(rings-1), 0.25, 2*math.Pi*float64(a)/float64(around))
		}
	}
	last := add(3, 0, 0)
	at := func(r, a int) uint32 { return first + 1 + uint32(r*around+a%around) }
	for a := range around {
		m.Skin.Triangles = append(m.Skin.Triangles, [3]uint32{first, at(0, a+1), at(0, a)},
			[3]uint32{last, at(rings-1, a), at(rings-1, a+1)})
		for r := range rings - 1 {
			m.Skin.Triangles = append(m.Skin.Triangles, [3]uint32{at(r, a), at(r, a+1), at(r+1, a)},
				[3]uint32{at(r, a+1), at(r+1, a+1), at(r+1, a)})
		}
	}
	return m
}

// posedTube returns the tube with both its joints turned.
func posedTube(m *skinning.Model, middle, end geom.Quat) *skinning.Frame {
	p := m.NewPose()
	p.Local[1].Rotation, p.Local[2].Rotation = middle, end
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	return f
}

var along, across = mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 0, 1}

// A twisted tube keeps the volume that DQS gives it, and a bent one has the volume of LBS, neither collapsing nor
// bulging. Volumes are over that at rest.
func TestTwistSwingVolumes(t *testing.T) {
	m := twistTube(24, 61)
	rest := metrics.Volume(metrics.SkinBody(m), m.Skin.Positions)
	volume := func(f *skinning.Frame, method skinning.Method) float64 {
		return metrics.Volume(metrics.SkinBody(m), f.Positions(method)) / rest
	}
	for _, degrees := range []float64{45, 90, 135, 170} {
		angle := degrees * math.Pi / 180
		twist := posedTube(m, geom.IdentityQuat(), geom.AxisAngle(along, angle))
		lbs, dqs, got := volume(twist, skinning.LBS), volume(twist, skinning.DQS), volume(twist, skinning.TwistSwing)
		if !(math.Abs(got-dqs) <= propertyTolerance) || !(got >= 0.995 && lbs <= 0.985) {
			t.Errorf("twist by %g degrees: volume %.4f, DQS %.4f, LBS %.4f", degrees, got, dqs, lbs)
		}
		bend := posedTube(m, geom.IdentityQuat(), geom.AxisAngle(across, angle))
		lbs, dqs, got = volume(bend, skinning.LBS), volume(bend, skinning.DQS), volume(bend, skinning.TwistSwing)
		if !(math.Abs(got-lbs) <= propertyTolerance) {
			t.Errorf("bend by %g degrees: volume %.4f, LBS %.4f, DQS %.4f", degrees, got, lbs, dqs)
		}
	}
}

// Two twists of 110 degrees down a chain add up to 220 and are blended that way, whichever joint is the strongest. DQS
// turns the end the shorter way back from the root, so that the skin tears where the strongest joint changes.
func TestTwistsAddUpDownAChain(t *testing.T) {
	turn := geom.AxisAngle(along, 110*math.Pi/180)
	f := posedTube(twistTube(3, 2), turn, turn)
	if w, want := f.Twist()[2].Real[3], math.Cos(110*math.Pi/180); !(math.Abs(w-want) <= 1e-14) {
		t.Errorf("the end's accumulated twist has scalar part %g, expected %g", w, want)
	}
	jump := func(method skinning.Method) float64 {
		var at [2]mgl64.Vec3
		for k, first := range []uint16{0, 1} {
			shares := []skinning.Share{{Joint: first, Weight: 0.35 + 1e-12}, {Joint: 1 - first, Weight: 0.35 - 1e-12},
				{Joint: 2, Weight: 0.3}}
			at[k] = f.Phi(method, shares, mgl64.Vec3{}).Apply(mgl64.Vec3{1, 0.25, 0})
		}
		return at[1].Sub(at[0]).Len()
	}
	if got, dqs := jump(skinning.TwistSwing), jump(skinning.DQS); !(got <= 1e-9) || !(dqs > 0.1) { // metres, radius 0.25
		t.Errorf("a vertex jumps by %g m, by %g m with DQS", got, dqs)
	}
}

// A swing driven through 180 degrees beside a twist moves no vertex by more in a step than linear blending would
// without one: at 180 degrees, where the twist has no direction, none is left.
func TestSwingThroughHalfATurn(t *testing.T) {
	m := twistTube(8, 25)
	most := func(twist float64, method skinning.Method) (most float64) {
		var before []mgl64.Vec3
		for step := range 241 { // 150 to 210 degrees by quarters
			swing := geom.AxisAngle(across, (150+0.25*float64(step))*math.Pi/180)
			f := posedTube(m, geom.IdentityQuat(), swing.Mul(geom.AxisAngle(along, twist*math.Pi/180)))
			now := f.Positions(method)
			for v := range before {
				most = max(most, now[v].Sub(before[v]).Len())
			}
			before = now
		}
		return most
	}
	limit := 1.15 * most(0, skinning.LBS) // the specification's 0.011 of the radius against 0.010
	for _, twist := range []float64{0, 5, 20, 60} {
		if got := most(twist, skinning.TwistSwing); !(got <= limit) {
			t.Errorf("beside a twist of %g degrees a quarter of a degree moves a vertex by %.4f m, expected %.4f at most", twist,
				got, limit)
		}
	}
}

// A joint scaled to nothing, in the middle of a chain, leaves all matrices finite, and its child's vertices with their
// own matrix.
func TestTwistSwingOfSingularJoints(t *testing.T) {
	m := twistTube(8, 25)
	for _, scale := range []mgl64.Vec3{{0, 0, 0}, {0, 1, 1}, {1, 0, 0}} {
		p := m.NewPose()
		p.Local[1].Scale, p.Local[1].Rotation = scale, geom.AxisAngle(along, 1)
		p.Local[2].Rotation = geom.AxisAngle(mgl64.Vec3{1, 1, 0}, 1)
		f := skinning.NewFrame(m, nil)
		f.SetPose(p)
		for j, s := range f.Swing() {
			if !s.IsFinite() || !f.Twist()[j].Affine().IsFinite() {
				t.Errorf("scale %v: joint %d has swing %v and twist %v", scale, j, s, f.Twist()[j])
			}
			got := phi(f, []skinning.Share{{Joint: uint16(j), Weight: 1}})
			if d := skinningtest.MaxDiff(got[:], f.Matrices[j][:]); !(d <= 1e-14) {
				t.Errorf("scale %v: joint %d alone is off by %g", scale, j, d)
			}
		}
	}
}

// Twists that cancel leave a vertex with the twist of its strongest joint, in every form.
func TestTwistsThatCancel(t *testing.T) {
	m := twistTube(8, 25)
	half := geom.AxisAngle(along, math.Pi)
	f := posedTube(m, half, half) // the end's twist is a full turn, −1 as a quaternion
	for _, strongest := range []int{0, 2} {
		shares := []skinning.Share{{Joint: uint16(strongest), Weight: 0.5}, {Joint: uint16(2 - strongest), Weight: 0.5}}
		swing := f.Swing()[0]
		for k := range swing {
			swing[k] = (swing[k] + f.Swing()[2][k]) / 2
		}
		want := swing.Mul(f.Twist()[strongest].Affine())
		got := phi(f, shares)
		if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= 1e-12) {
			t.Errorf("strongest %d: off by %g", strongest, d)
		}
		fast := f.Evaluate(skinning.TwistSwing, []uint16{uint16(strongest), uint16(2 - strongest)}, []float64{0.5, 0.5})
		if d := skinningtest.MaxDiff(fast[:], want[:]); !(d <= 1e-12) {
			t.Errorf("strongest %d: evaluated off by %g", strongest, d)
		}
	}
}

// In an unrolled frame a twist goes the way that it went through its clip, past half a turn and a full one.
func TestUnrolledTwists(t *testing.T) {
	m := twistTube(8, 25)
	const turns = 330 * math.Pi / 180
	clip := skinning.Clip{Name: "twist", Seconds: 1}
	channel := skinning.Channel{Node: 2, Path: skinning.PathRotation, Width: 4}
	for k := range 12 {
		q := geom.AxisAngle(along, turns*float64(k)/11)
		channel.Times = append(channel.Times, float32(k)/11)
		for _, x := range q {
			channel.Values = append(channel.Values, float32(x))
		}
	}
	clip.Channels = []skinning.Channel{channel}
	m.Clips = []skinning.Clip{clip}
	signs := skinning.NewSigns(m, 0)
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	for _, u := range []float64{0.2, 0.5, 0.7, 1} {
		m.SamplePose(pose, 0, u)
		f.SetPose(pose)
		f.Twist()
		signs.Apply(f, u)
		q := f.Twist()[2].Real
		if got, want := 2*math.Atan2(q[0], q[3]), turns*u; !(math.Abs(got-want) <= 1e-6) { // keys are float32
			t.Errorf("at %g the end is twisted by %g, expected %g", u, got, want)
		}
		f.SetPose(pose)
		if got := f.Twist()[2].Real[3]; got < -1e-6 {
			t.Errorf("at %g: unrolled though posed anew: %g", u, got)
		}
	}
}

// A copy and a snapshot pose as their source does.
func TestTwistsOfCopies(t *testing.T) {
	m := skinningtest.RandomModel(100, 9, 4, 3)
	f, g := skinningtest.ScaledFrame(m, 5), skinning.NewFrame(m, nil)
	f.Prepare(skinning.TwistSwing)
	g.Copy(f)
	want := f.Reference(skinning.TwistSwing)
	for what, frame := range map[string]*skinning.Frame{"copy": g, "snapshot": f.Snapshot(want.Positions)} {
		got := frame.Reference(skinning.TwistSwing)
		for v := range want.Positions {
			if d := got.Positions[v].Sub(want.Positions[v]).Len(); !(d <= 1e-6) { // a snapshot is rounded to float32
				t.Fatalf("%s: vertex %d is off by %g m", what, v, d)
			}
		}
	}
}

// A leg whose foot hangs from the root, as rigs for inverse kinematics have it: the foot twists against the calf that
// it shares vertices with, and the toe against the foot. A joint without vertices, and the first of joints that
// share, keep their places in the hierarchy.
func TestTwistParents(t *testing.T) {
	m := &skinning.Model{}
	const root, thigh, control, calf, foot, toe = 0, 1, 2, 3, 4, 5
	for j, parent := range []int{-1, root, thigh, control, root, foot} {
		at := mgl64.Vec3{0, -float64(j), 0}
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: -1, Rest: geom.IdentityTransform()})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: j, Parent: parent, Position: at,
			FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	for _, w := range [][2]skinning.Influence{{{Joint: root, Weight: 0.5}, {Joint: thigh, Weight: 0.5}},
		{{Joint: thigh, Weight: 0.7}, {Joint: calf, Weight: 0.3}}, {{Joint: calf, Weight: 0.6}, {Joint: foot, Weight: 0.4}},
		{{Joint: thigh, Weight: 0.9}, {Joint: foot, Weight: 0.1}}, {{Joint: foot, Weight: 0.5}, {Joint: toe, Weight: 0.5}}} {
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{})
		m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, 1, 0})
		m.Skin.Append(w[:], 0)
	}
	axes, got := m.BoneAxes()
	if want := []int{-1, root, thigh, thigh, calf, foot}; !slices.Equal(got, want) {
		t.Errorf("twist parents %v, expected %v", got, want)
	}
	if down := (mgl64.Vec3{0, -1, 0}); axes[calf].Sub(down).Len() > 1e-12 || axes[thigh].Sub(down).Len() > 1e-12 {
		t.Errorf("axes %v", axes)
	}

	// The leg is twisted at the calf, and the foot goes with it, though its node does not hang from the calf's: it
	// has no twist of its own against the calf, so that what lies between them moves rigidly. 1e-12 m is rounding.
	turn := about(geom.AxisAngle(mgl64.Vec3{0, 1, 0}, 2).Mat3(), mgl64.Vec3{0.5, 0, 0})
	f := skinning.NewFrame(m, nil)
	for j := range f.Matrices {
		f.Matrices[j] = geom.IdentityAffine()
		if j >= calf {
			f.Matrices[j] = turn
		}
	}
	f.Forget()
	between := []skinning.Share{{Joint: calf, Weight: 0.6}, {Joint: foot, Weight: 0.4}}
	apart(t, "calf and foot move alike", 0, phi(f, between), turn, mgl64.Vec3{1, 2, 3}, 1e-12)
}

// A joint whose vertices lie beside its axis has none, unless its weights were fitted to the method. Vertices around the
// axis, wherever they lie along it, leave it.
func TestJointBesideItsVertices(t *testing.T) {
	up := mgl64.Vec3{0, 1, 0}
	for _, c := range []struct {
		at   [3]mgl32.Vec3
		axis mgl64.Vec3
	}{
		{[3]mgl32.Vec3{{1, 2.5, 0}, {1.3, 1.5, 0.1}, {0.8, 3, 0}}, mgl64.Vec3{}},
		{[3]mgl32.Vec3{{1, 0.2, 0}, {-1, 1, 0}, {0, 2.1, 0.3}}, up},
		{[3]mgl32.Vec3{{0, 0.2, 0}, {0, 1, 0}, {0, 2.1, 0}}, up}, // on it
	} {
		m := &skinning.Model{}
		for j := range 3 {
			m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Parent: j - 1, Position: up.Mul(float64(j))})
		}
		for _, p := range c.at {
			m.Skin.Positions = append(m.Skin.Positions, p)
			m.Skin.Append([]skinning.Influence{{Joint: 1, Weight: 0.5}, {Joint: 2, Weight: 0.5}}, 0)
		}
		if axes, _ := m.BoneAxes(); axes[2] != c.axis || axes[0] != up {
			t.Errorf("vertices at %v: axes %v, expected %v of the last", c.at, axes, c.axis)
		}
		m.Skin.SetSecond(skinning.TwistSwing, &m.Skin.Influences)
		if axes, _ := m.BoneAxes(); axes[2] != up {
			t.Errorf("fitted weights, axes %v", axes)
		}
	}
}

// Roots: a foot that is one twists against the calf, and joints of which none is above another stay roots.
func TestTwistParentsOfRoots(t *testing.T) {
	for name, want := range map[string][2][]int{
		"a foot beside the leg": {{-1, 0, -1}, {-1, 0, 1}},
		"a flat rig":            {{-1, -1, -1}, {-1, -1, -1}},
	} {
		m := &skinning.Model{}
		for j, parent := range want[0] {
			m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Parent: parent, Position: mgl64.Vec3{0, float64(j), 0}})
		}
		for j := range uint16(2) {
			m.Skin.Append([]skinning.Influence{{Joint: j, Weight: 0.5}, {Joint: j + 1, Weight: 0.5}}, 0)
		}
		if _, got := m.BoneAxes(); !slices.Equal(got, want[1]) {
			t.Errorf("%s: twist parents %v, expected %v", name, got, want[1])
		}
	}
}
