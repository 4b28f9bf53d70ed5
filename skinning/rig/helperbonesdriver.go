package rig

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// helperDriver is the [skinning.RigDriver] of [HelperBones]. It copies the rig's numbers when it is made and turns them
// into rest space: axes and centers from their joint's bind frame, coefficients from their parent's. A pose then takes
// a rotation vector for each input, the products of variables, a sparse matrix product, and an exponential for each
// bone.
type helperDriver struct {
	read     []int // the inputs' joints and their parents
	splitter *skinning.JointSplitter
	turns    []geom.Quat // the rotations of these joints, then that of the world
	inputs   []driverInput
	values   []float64 // the variables of all inputs, then the products of several
	factors  [][2]int  // of each product, indices into values
	bones    []driverBone
}

// driverInput is a [HelperInput] in rest space.
type driverInput struct {
	joint, parent int // indices into turns
	center        geom.Quat
	first, count  int // its variables in values
	axes          [3]mgl64.Vec3
	least, most   [3]float64
}

// driverBone is a [HelperBone] in rest space.
type driverBone struct {
	joint, parent int
	place         mgl64.Vec3
	constant      HelperMotion
	terms         []driverTerm
}

// driverTerm adds c times a value.
type driverTerm struct {
	value int
	c     HelperMotion
}

// NewDriver implements [skinning.Rig].
func (r *HelperBones) NewDriver(s *skinning.Skeleton, level simd.Level) skinning.RigDriver {
	d := &helperDriver{}
	d.readInputs(r, s, level)
	valueOf := d.listProducts(r)
	for k := range r.Bones {
		b := &r.Bones[k]
		back := BindFrame(&s.Joints[b.Parent]).Transpose()
		bone := driverBone{b.Joint, b.Parent, b.Place, turnedMotion(b.Constant, &back), nil}
		for i := range b.Terms {
			t := &b.Terms[i]
			bone.terms = append(bone.terms,
				driverTerm{valueOf[monomial{t.Input, t.Powers}], turnedMotion(t.Coefficients, &back)})
		}
		d.bones = append(d.bones, bone)
	}
	return d
}

// readInputs turns the inputs into rest space and counts their variables.
func (d *helperDriver) readInputs(r *HelperBones, s *skinning.Skeleton, level simd.Level) {
	number := map[int]int{}
	for i := range r.Inputs {
		for _, joint := range [...]int{r.Inputs[i].Joint, r.Inputs[i].Parent} {
			if _, ok := number[joint]; !ok && joint >= 0 {
				number[joint] = len(d.read)
				d.read = append(d.read, joint)
			}
		}
	}
	number[-1] = len(d.read)
	d.splitter = skinning.NewJointSplitter(s, d.read, level)
	d.turns = make([]geom.Quat, len(d.read)+1)
	d.turns[len(d.read)] = geom.IdentityQuat()
	for i := range r.Inputs {
		in := &r.Inputs[i]
		back := BindFrame(&s.Joints[in.Joint]).Transpose()
		axis := back.Apply(mgl64.Vec3(in.Center[:3]))
		out := driverInput{joint: number[in.Joint], parent: number[in.Parent], first: len(d.values), count: len(in.Axes),
			center: geom.Quat{axis[0], axis[1], axis[2], in.Center[3]}}
		for k := range in.Axes {
			out.axes[k], out.least[k], out.most[k] = back.Apply(in.Axes[k]), in.Least[k], in.Most[k]
		}
		d.inputs, d.values = append(d.inputs, out), append(d.values, make([]float64, out.count)...)
	}
}

// listProducts returns the index into values of every product of variables that a term has, and of the products that it
// is built from: each is another product times one variable.
func (d *helperDriver) listProducts(r *HelperBones) map[monomial]int {
	valueOf := map[monomial]int{}
	for i := range d.inputs {
		for k := range d.inputs[i].count {
			var p monomial
			p.input, p.powers[k] = i, 1
			valueOf[p] = d.inputs[i].first + k
		}
	}
	variables := len(d.values)
	var find func(p monomial) int
	find = func(p monomial) int {
		if at, ok := valueOf[p]; ok {
			return at
		}
		k := 0
		for p.powers[k] == 0 {
			k++
		}
		rest := p
		rest.powers[k]--
		d.factors = append(d.factors, [2]int{find(rest), d.inputs[p.input].first + k})
		valueOf[p] = variables + len(d.factors) - 1
		return valueOf[p]
	}
	for k := range r.Bones {
		for i := range r.Bones[k].Terms {
			t := &r.Bones[k].Terms[i]
			find(monomial{t.Input, t.Powers})
		}
	}
	d.values = make([]float64, variables+len(d.factors))
	return valueOf
}

// turnedMotion returns a motion with its vectors turned.
func turnedMotion(m HelperMotion, turn *geom.Mat3) HelperMotion {
	t, r := turn.Apply(mgl64.Vec3(m[:3])), turn.Apply(mgl64.Vec3(m[3:6]))
	return HelperMotion{t[0], t[1], t[2], r[0], r[1], r[2], m[6]}
}

// Drive implements [skinning.RigDriver].
func (d *helperDriver) Drive(f *skinning.Frame) {
	d.readVariables(f)
	first := len(d.values) - len(d.factors)
	for i := range d.factors {
		factor := &d.factors[i]
		d.values[first+i] = d.values[factor[0]] * d.values[factor[1]]
	}
	for k := range d.bones {
		b := &d.bones[k]
		var local, c geom.Affine
		b.local(&local, d.values)
		c.SetProduct(&f.Matrices[b.parent], &local)
		f.SetMatrix(b.joint, &c)
	}
}

// readVariables sets the variables of all inputs.
func (d *helperDriver) readVariables(f *skinning.Frame) {
	if records := d.splitter.Records(f, false); records != nil {
		for n := range d.read {
			d.turns[n] = records[n].Real
		}
	} else {
		rigid := d.splitter.Rigid(f)
		for n, joint := range d.read {
			d.turns[n] = rigid[joint].Real
		}
	}
	for i := range d.inputs {
		in := &d.inputs[i]
		vector := in.vector(&d.turns[in.joint], &d.turns[in.parent])
		for k := range in.count {
			x := in.axes[k].Dot(vector)
			if x < in.least[k] {
				x = in.least[k]
			} else if x > in.most[k] {
				x = in.most[k]
			}
			d.values[in.first+k] = x
		}
	}
}

// vector returns the rotation vector of a joint relative to its parent, on the center's side.
func (in *driverInput) vector(joint, parent *geom.Quat) mgl64.Vec3 {
	a, b, c, d := -parent[0], -parent[1], -parent[2], parent[3]
	e, f, g, h := joint[0], joint[1], joint[2], joint[3]
	x, y, z, w := d*e+a*h+b*g-c*f, d*f+b*h+c*e-a*g, d*g+c*h+a*f-b*e, d*h-a*e-b*f-c*g
	if x*in.center[0]+y*in.center[1]+z*in.center[2]+w*in.center[3] < 0 {
		x, y, z, w = -x, -y, -z, -w
	}
	u := 2.
	if s := math.Sqrt(x*x + y*y + z*z); s > 1e-9 {
		u = 2 * math.Atan2(s, w) / s
	}
	return mgl64.Vec3{u * x, u * y, u * z}
}

// local sets l to the bone's motion as a map of rest space.
func (b *driverBone) local(l *geom.Affine, values []float64) {
	t0, t1, t2, x, y, z, s := b.constant[0], b.constant[1], b.constant[2], b.constant[3], b.constant[4], b.constant[5],
		1+b.constant[6]
	for i := range b.terms {
		t := &b.terms[i]
		v := values[t.value]
		t0 += t.c[0] * v
		t1 += t.c[1] * v
		t2 += t.c[2] * v
		x += t.c[3] * v
		y += t.c[4] * v
		z += t.c[5] * v
		s += t.c[6] * v
	}
	// exp(r) = I + α·[r]× + β·[r]×², α = sin θ/θ, β = (1 − cos θ)/θ² (Rodrigues)
	angle2 := x*x + y*y + z*z
	angle := math.Sqrt(angle2)
	sin, cos := math.Sincos(angle)
	a, h := sin/angle, (1-cos)/angle2
	if angle2 < 1e-6 {
		a, h = 1-angle2/6, 0.5-angle2/24
	}
	hx, hy, hz := h*x, h*y, h*z
	l[0], l[1], l[2] = s*(1-hy*y-hz*z), s*(hx*y-a*z), s*(hx*z+a*y)
	l[4], l[5], l[6] = s*(hx*y+a*z), s*(1-hx*x-hz*z), s*(hy*z-a*x)
	l[8], l[9], l[10] = s*(hx*z-a*y), s*(hy*z+a*x), s*(1-hx*x-hy*y)
	p := &b.place
	l[3] = p[0] + t0 - (l[0]*p[0] + l[1]*p[1] + l[2]*p[2])
	l[7] = p[1] + t1 - (l[4]*p[0] + l[5]*p[1] + l[6]*p[2])
	l[11] = p[2] + t2 - (l[8]*p[0] + l[9]*p[1] + l[10]*p[2])
}
