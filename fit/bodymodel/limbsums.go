package bodymodel

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// limbSums are sums over the vertices, for each limb and each pair of limbs. JᵀMJ and Jᵀ·M·d of one scan are computed
// from them.
//
// Let row r of Q be Σ p_rj over limbs j, with p_rj = P_j·Σ weights·[z, 1] over the row's vertices (see [rows]). The
// field ξ_j by which C_j moves changes it by ξ_j at p_rj, so that all products of two such changes follow from the 4×4
// moments Σ_r p_rj·p_rkᵀ. Twists between influences add columns: c_rf is the change of row r by field f of a twist. A
// field is one way in which T̄ of a limb and those below moves; field f is of limb f/fields, see [twistFields].
type limbSums struct {
	rows          *rows
	limbs, fields int
	moments       [][16]float64 // [j·limbs + k], j ≤ k: Σ p_j·p_kᵀ
	mixed         []force       // [j·limbs·fields + f]: Σ of c_f at p_j
	twists        []float64     // [f·limbs·fields + h], of f's limb and those behind: Σ c_f·c_h
	forces        []force       // [j]: Σ of g = M·d over vertices, at P_j·z times the weight
	torques       []float64     // [f]: Σ c_f·g

	z       []mgl64.Vec3 // of each vertex its twisted place
	columns []mgl64.Vec3 // [column·fields + f]: the change of the column's vertex by field f of its limb
	parts   []twistPart  // of one vertex
	p       [][4]float64 // of one row
	c       []mgl64.Vec3
}

// force is a force and its torque about the origin. Its product with a screw is the work done by the screw's motion.
type force struct{ torque, push mgl64.Vec3 }

// add adds f at p, a place times its last coordinate.
func (s *force) add(p *[4]float64, f *mgl64.Vec3) {
	s.torque[0] += p[1]*f[2] - p[2]*f[1]
	s.torque[1] += p[2]*f[0] - p[0]*f[2]
	s.torque[2] += p[0]*f[1] - p[1]*f[0]
	s.push[0] += p[3] * f[0]
	s.push[1] += p[3] * f[1]
	s.push[2] += p[3] * f[2]
}

// posed returns m·q of a place times its last coordinate.
func posed(m *geom.Affine, q *[4]float64) [4]float64 {
	return [4]float64{
		m[0]*q[0] + m[1]*q[1] + m[2]*q[2] + m[3]*q[3],
		m[4]*q[0] + m[5]*q[1] + m[6]*q[2] + m[7]*q[3],
		m[8]*q[0] + m[9]*q[1] + m[10]*q[2] + m[11]*q[3],
		q[3],
	}
}

func newLimbSums(b *Body, r *rows, fields int) *limbSums {
	n := len(b.Joints)
	return &limbSums{
		rows: r, limbs: n, fields: fields,
		moments: make([][16]float64, n*n), mixed: make([]force, n*n*fields), twists: make([]float64, n*n*fields*fields),
		forces: make([]force, n), torques: make([]float64, n*fields),
		z: make([]mgl64.Vec3, len(b.Vertices)), columns: make([]mgl64.Vec3, r.columns*fields),
		p: make([][4]float64, r.limbs.most), c: make([]mgl64.Vec3, r.twists.most*fields),
	}
}

// sum sets the sums of a scan. Fields are those of each limb, and off the offsets from the posed body to the scan.
// Products are summed over every stride'th row, since JᵀMJ only steers the step. Forces and torques are summed over all
// rows, so that Jᵀ·M·d is exact.
func (s *limbSums) sum(b *Body, p *Palette, scan int, fields []screw, m *metric, off []mgl64.Vec3) {
	clear(s.moments)
	clear(s.mixed)
	clear(s.twists)
	clear(s.forces)
	clear(s.torques)
	for v := range b.Vertices {
		s.vertex(b, p, v, fields, m.at(v, off))
	}
	s.products(p, scan%s.rows.stride)
}

// vertex sets z and the columns of a vertex, and adds its forces.
func (s *limbSums) vertex(b *Body, p *Palette, v int, fields []screw, g mgl64.Vec3) {
	twists := &s.rows.vertices[v]
	blend := newTwistBlend(p, b.Twist[v])
	z := blend.apply(b.Vertices[v])
	s.z[v] = z
	for _, i := range b.Swing[v] {
		w := i.Weight
		at := posed(&p.Swings[i.Joint], &[4]float64{w * z[0], w * z[1], w * z[2], w})
		s.forces[i.Joint].add(&at, &g)
	}
	if len(twists.branches) == 0 {
		return
	}
	var linear geom.Mat3 // of S
	for _, i := range b.Swing[v] {
		addLinear(&linear, i.Weight, &p.Swings[i.Joint])
	}
	s.parts = s.parts[:0]
	for i, t := range b.Twist[v] {
		s.parts = append(s.parts, blend.part(i, &p.Twists[t.Joint]))
	}
	for at, t := range twists.branches {
		var some geom.Mat3 // of the part of S that is of the branch
		for _, position := range t.swing {
			i := b.Swing[v][position]
			addLinear(&some, i.Weight, &p.Swings[i.Joint])
		}
		var part twistPart
		for _, position := range t.twist {
			part.add(&s.parts[position])
		}
		byTurn, byMove := blend.rates(&part, z, &linear, &some)
		first := int(t.limb) * s.fields
		columns := s.columns[(int(twists.first)+at)*s.fields:][:s.fields]
		for f := range columns {
			field := &fields[first+f]
			turn, move, column := &field.turn, &field.move, &columns[f]
			for row := range 3 {
				of, by := byTurn[3*row:][:3], byMove[3*row:][:3]
				column[row] = of[0]*turn[0] + of[1]*turn[1] + of[2]*turn[2] + by[0]*move[0] + by[1]*move[1] + by[2]*move[2]
			}
			s.torques[first+f] += column.Dot(g)
		}
	}
}

// addLinear adds w times the linear part of m.
func addLinear(sum *geom.Mat3, w float64, m *geom.Affine) {
	for row := range 3 {
		sum[3*row] += w * m[4*row]
		sum[3*row+1] += w * m[4*row+1]
		sum[3*row+2] += w * m[4*row+2]
	}
}

// products adds the products of rows.
func (s *limbSums) products(palette *Palette, first int) {
	r := s.rows
	n := s.limbs * s.fields
	for row := first; row < len(r.limbs.starts)-1; row += r.stride {
		limbs := r.limbs.limbs[r.limbs.slots[row]:r.limbs.slots[row+1]]
		p := s.p[:len(limbs)]
		clear(p)
		for _, e := range r.limbs.entries[r.limbs.starts[row]:r.limbs.starts[row+1]] {
			to, z, w := &p[e.slot], &s.z[e.value], e.weight
			to[0] += w * z[0]
			to[1] += w * z[1]
			to[2] += w * z[2]
			to[3] += w
		}
		for i, j := range limbs {
			p[i] = posed(&palette.Swings[j], &p[i])
			for o, k := range limbs[:i+1] {
				addProduct(&s.moments[int(k)*s.limbs+int(j)], &p[o], &p[i])
			}
		}
		twists := r.twists.limbs[r.twists.slots[row]:r.twists.slots[row+1]]
		if len(twists) == 0 {
			continue
		}
		c := s.c[:len(twists)*s.fields]
		clear(c)
		for _, e := range r.twists.entries[r.twists.starts[row]:r.twists.starts[row+1]] {
			to, w := c[int(e.slot)*s.fields:][:s.fields], e.weight
			for f, column := range s.columns[int(e.value)*s.fields:][:s.fields] {
				to[f][0] += w * column[0]
				to[f][1] += w * column[1]
				to[f][2] += w * column[2]
			}
		}
		for i, j := range limbs {
			for o, k := range twists {
				mixed := s.mixed[int(j)*n+int(k)*s.fields:][:s.fields]
				for f := range mixed {
					mixed[f].add(&p[i], &c[o*s.fields+f])
				}
			}
		}
		for i := range c {
			f, x := int(twists[i/s.fields])*s.fields+i%s.fields, c[i]
			for o := i / s.fields; o < len(twists); o++ {
				sums := s.twists[f*n+int(twists[o])*s.fields:][:s.fields]
				for h, y := range c[o*s.fields:][:s.fields] {
					sums[h] += x[0]*y[0] + x[1]*y[1] + x[2]*y[2]
				}
			}
		}
	}
}

// addProduct adds a·bᵀ.
func addProduct(sum *[16]float64, a, b *[4]float64) {
	b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
	x := a[0]
	sum[0] += x * b0
	sum[1] += x * b1
	sum[2] += x * b2
	sum[3] += x * b3
	x = a[1]
	sum[4] += x * b0
	sum[5] += x * b1
	sum[6] += x * b2
	sum[7] += x * b3
	x = a[2]
	sum[8] += x * b0
	sum[9] += x * b1
	sum[10] += x * b2
	sum[11] += x * b3
	x = a[3]
	sum[12] += x * b0
	sum[13] += x * b1
	sum[14] += x * b2
	sum[15] += x * b3
}
