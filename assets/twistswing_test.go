package assets

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// On real models a bone points to the joint that continues it: up the spine into the head, down a limb, along the
// middle finger. Where none does, it goes on as it came. Joints on the left and the right have mirrored axes.
func TestBoneAxesOfModels(t *testing.T) {
	dir := gltftest.SharedModels(t)
	for file, bones := range map[string]map[string]string{
		"human_male.glb": {"pelvis": "spine_01", "spine_03": "neck_01", "neck_01": "head", "thigh_l": "calf_l", "calf_r": "foot_r",
			"clavicle_l": "upperarm_l", "upperarm_r": "lowerarm_r", "hand_l": "middle_01_l", "foot_l": "ball_l"},
		"CesiumMan.glb": {"torso_joint_3": "Skeleton_neck_joint_1", "leg_joint_L_1": "leg_joint_L_2"},
		"Fox.glb":       {"b_Hip_01": "b_Tail01_012", "b_Spine02_03": "b_Neck_04", "b_Tail01_012": "b_Tail02_013"},
		"Knight.glb":    {"chest": "head", "hips": "spine", "wrist.l": "hand.l", "hand.l": ""}, // a slot for weapons has no weight
	} {
		m, err := Open(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
			continue
		}
		axes, parents := m.BoneAxes()
		index := map[string]int{}
		for j := range m.Skeleton.Joints {
			index[m.Skeleton.Joints[j].Name] = j
		}
		for from, to := range bones {
			j := index[from]
			want := axes[max(parents[j], 0)]
			if to != "" {
				want = m.Skeleton.Joints[index[to]].Position.Sub(m.Skeleton.Joints[j].Position).Normalize()
			}
			if d := axes[j].Sub(want).Len(); !(d <= 1e-12) {
				t.Errorf("%s: %s has axis %v, expected %v towards %q", file, from, axes[j], want, to)
			}
		}
		for _, pair := range [][2]string{{"thigh_l", "thigh_r"}, {"hand_l", "hand_r"}, {"upperarm.l", "upperarm.r"},
			{"leg_joint_L_2", "leg_joint_R_2"}, {"b_LeftLeg02_016", "b_RightLeg02_020"}} {
			l, isLeft := index[pair[0]]
			r, isRight := index[pair[1]]
			if mirrored := (mgl64.Vec3{-axes[r][0], axes[r][1], axes[r][2]}); isLeft && isRight &&
				!(axes[l].Sub(mirrored).Len() <= 5e-3) { // the modellers' own symmetry
				t.Errorf("%s: %s has axis %v, %s %v", file, pair[0], axes[l], pair[1], axes[r])
			}
		}
	}
}

// twistOracle computes twist-swing skinning as EBM writes it, by local twists and swings below the lowest common
// ancestor of a vertex's joints, with inverses of matrices and its own polar decomposition. It shares no step with
// package skinning but the bone axes.
type twistOracle struct {
	f       *skinning.Frame
	axes    []mgl64.Vec3
	parents []int
	twists  []mgl64.Mat4 // T_j as matrices, from which quaternions are taken with their chain's sign
	halves  []mgl64.Quat
}

func newTwistOracle(f *skinning.Frame) *twistOracle {
	o := &twistOracle{f: f}
	o.axes, o.parents = f.Model.BoneAxes()
	for j, p := range o.parents {
		q := mgl64.QuatIdent()
		if p >= 0 {
			r := polar(f.Matrices[p].Linear()).Transpose().Mul3(polar(f.Matrices[j].Linear()))
			q = twistPart(mgl64.Mat4ToQuat(r.Mat4()), o.axes[j])
		}
		at := f.Model.Skeleton.Joints[j].Position
		o.halves = append(o.halves, q)
		o.twists = append(o.twists, mgl64.Translate3D(at[0], at[1], at[2]).Mul4(q.Mat4()).
			Mul4(mgl64.Translate3D(-at[0], -at[1], -at[2])))
	}
	return o
}

// polar is the rotation of a matrix by Newton's iteration (Higham 1986); of the negative one of a reflected matrix.
func polar(l geom.Mat3) mgl64.Mat3 {
	m := mgl64.Mat3FromRows(mgl64.Vec3{l[0], l[1], l[2]}, mgl64.Vec3{l[3], l[4], l[5]}, mgl64.Vec3{l[6], l[7], l[8]})
	if m.Det() < 0 {
		m = m.Mul(-1)
	}
	for range 60 {
		m = m.Add(m.Inv().Transpose()).Mul(0.5)
	}
	return m
}

// twistPart is the twist of a rotation, of scalar part ≥ 0, with the window of the specification.
func twistPart(q mgl64.Quat, axis mgl64.Vec3) mgl64.Quat {
	if q.W < 0 {
		q = q.Scale(-1)
	}
	s := q.V.Dot(axis)
	c := math.Min(math.Hypot(s, q.W)/math.Sin(math.Pi/12), 1)
	angle := math.Atan2(s, q.W) * c * c * (3 - 2*c)
	return mgl64.Quat{W: math.Cos(angle), V: axis.Mul(math.Sin(angle))}
}

// chain returns the joints from one to its root.
func (o *twistOracle) chain(j int) (up []int) {
	for ; j >= 0; j = o.parents[j] {
		up = append(up, j)
	}
	return up
}

// pose returns where a vertex goes.
func (o *twistOracle) pose(v mgl64.Vec3, influences []skinning.Influence) mgl64.Vec3 {
	sum := 0.0
	common := o.chain(int(influences[0].Joint))
	for _, in := range influences {
		sum += float64(in.Weight)
		up := map[int]bool{}
		for _, j := range o.chain(int(in.Joint)) {
			up[j] = true
		}
		for len(common) > 0 && !up[common[0]] {
			common = common[1:]
		}
	}
	k, ancestor := mgl64.Ident4(), -1
	if len(common) > 0 {
		ancestor = common[0]
		k = mat4(&o.f.Matrices[ancestor])
	}
	// The blend of dual quaternions, each as its rotation and its translation.
	var real, dual mgl64.Quat
	matrices := make([]mgl64.Mat4, len(influences))
	for n, in := range influences {
		q, m := mgl64.QuatIdent(), mgl64.Ident4()
		for _, j := range o.chain(int(in.Joint)) {
			if j == ancestor {
				break
			}
			q, m = o.halves[j].Mul(q), o.twists[j].Mul4(m)
		}
		matrices[n] = m
		w := float64(in.Weight) / sum
		t := mgl64.Quat{V: m.Col(3).Vec3()}
		real, dual = real.Add(q.Scale(w)), dual.Add(t.Mul(q).Scale(w/2))
	}
	size := real.Len()
	turned := real.Scale(1 / size)
	shift := dual.Scale(1 / size).Mul(turned.Conjugate()).Scale(2)
	x := turned.Rotate(v).Add(shift.V)
	var out mgl64.Vec3
	for n, in := range influences {
		swing := k.Inv().Mul4(mat4(&o.f.Matrices[in.Joint])).Mul4(matrices[n].Inv())
		out = out.Add(swing.Mul4x1(x.Vec4(1)).Vec3().Mul(float64(in.Weight) / sum))
	}
	return k.Mul4x1(out.Vec4(1)).Vec3()
}

func mat4(a *geom.Affine) mgl64.Mat4 {
	return mgl64.Mat4FromRows(mgl64.Vec4{a[0], a[1], a[2], a[3]}, mgl64.Vec4{a[4], a[5], a[6], a[7]},
		mgl64.Vec4{a[8], a[9], a[10], a[11]}, mgl64.Vec4{0, 0, 0, 1})
}

// Every clip of every model, as it is and with every third joint scaled and every seventh reflected, is posed as by the
// oracle: the reference within 1e-6 of the diagonal, the kernels within 1e-4, at three times of a clip.
func TestTwistSwingOfModels(t *testing.T) {
	dir := gltftest.SharedModels(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.gl*"))
	feetOnRoot, _ := filepath.Glob(filepath.Join(dir, "reports", "q_*.glb"))
	for _, file := range append(files, feetOnRoot...) {
		m, err := Open(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(m.Skin.Positions) == 0 {
			continue
		}
		diagonal := m.Diagonal()
		pose, f, out := m.NewPose(), skinning.NewFrame(m, nil), skinning.NewOutput(m)
		d := skinning.NewDeformer(m, 1)
		defer d.Close()
		clips := len(m.Clips)
		if testing.Short() {
			clips = min(clips, 2)
		}
		worst, worstFast := 0.0, 0.0
		check := func(what string) {
			o := newTwistOracle(f)
			d.Deform(&out, skinning.TwistSwing, f)
			var buf []skinning.Influence
			rest := m.Skin.RestPositions(f.Morphs)
			for v := 0; v < len(rest); v += max(1, len(rest)/150) {
				buf = m.Skin.Of(buf[:0], v)
				want := o.pose(rest[v], buf)
				got := f.Blend(skinning.TwistSwing, buf, 0)
				off := got.Apply(rest[v]).Sub(want).Len() / diagonal
				fast := geom.Vec64(out.Positions[v]).Sub(want).Len() / diagonal
				worst, worstFast = max(worst, off), max(worstFast, fast)
				if !(off <= 1e-6) || !(fast <= 1e-4) {
					t.Errorf("%s, %s: vertex %d is off by %.3g of the diagonal, posed fast by %.3g", m.Name, what, v, off, fast)
					return
				}
			}
		}
		for c := range clips {
			for _, u := range []float64{0.11, 0.47, 0.83} {
				m.SamplePose(pose, c, u*m.Clips[c].Seconds)
				f.SetPose(pose)
				check(m.Clips[c].Name)
			}
		}
		f = skinningtest.ScaledFrame(m, 1)
		check("scaled joints")
		t.Logf("%s: reference within %.2g of the diagonal, kernels within %.2g", m.Name, worst, worstFast)
	}
}

// TestRehungModels: a rig whose feet and other ends hang on the root, or are roots, is no worse by twist-swing than by
// linear blending against dual quaternions, of all vertices over three poses of a clip; by the joints' parents alone
// such a rig tears. 1.1: the two forms of one rig differ by what the ankle's ring of vertices does.
func TestRehungModels(t *testing.T) {
	dir := gltftest.SharedModels(t)
	for _, file := range []string{"human_male.glb", "Fox.glb", "CesiumMan.glb"} {
		m, err := Open(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, loose := range []bool{false, true} {
			r, ends := skinningtest.Rehung(m, loose)
			f, pose, sums := skinning.NewFrame(r, nil), r.NewPose(), map[skinning.Method]float64{}
			for _, u := range []float64{0.2, 0.5, 0.8} {
				r.SamplePose(pose, 0, u*r.Clips[0].Seconds)
				f.SetPose(pose)
				want := f.Positions(skinning.DQS)
				for _, method := range []skinning.Method{skinning.LBS, skinning.TwistSwing} {
					for v, at := range f.Positions(method) {
						d := at.Sub(want[v])
						sums[method] += d.Dot(d)
					}
				}
			}
			if ratio := math.Sqrt(sums[skinning.TwistSwing] / sums[skinning.LBS]); len(ends) < 4 || !(ratio <= 1.1) {
				t.Errorf("%s, %d ends on nothing %v: %.2f times the error of linear blending", file, len(ends), loose, ratio)
			}
		}
	}
}
