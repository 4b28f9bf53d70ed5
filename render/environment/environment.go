// Package environment computes the light of surroundings for image-based lighting: radiance blurred for every
// roughness, and the light that diffuse surfaces receive. It is pure Go. Directions have +Y up; radiance is linear RGB,
// in units in which a white diffuse surface in surroundings of 1 looks 1.
package environment

import (
	"math"
	"runtime"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/parallel"
)

// Light is what surfaces read of their surroundings.
type Light struct {
	// Levels are cube maps of half the size of the one before. Level l is the radiance that a surface of roughness
	// l/(len−1) reflects towards an eye in the direction of the normal (Karis 2013, split sum).
	Levels []Cube
	// Irradiance of a normal x, y, z over π, as factors of 1, y, z, x, xy, yz, 3z²−1, xz, x²−y² (Ramamoorthi and
	// Hanrahan 2001).
	Irradiance [9]mgl32.Vec3
	Key        mgl32.Vec3 // of the light that casts shadows, in the same units
}

// Cube is a cube map: six square faces in the order and with the axes of OpenGL.
type Cube struct {
	Size  int // of a face, texels
	Faces [6][]mgl32.Vec3
}

func newCube(size int) Cube {
	c := Cube{Size: size}
	for i := range c.Faces {
		c.Faces[i] = make([]mgl32.Vec3, size*size)
	}
	return c
}

// direction returns where a place on a face looks, not normalised. S and t are −1 to 1.
func direction(face int, s, t float32) mgl32.Vec3 {
	switch face {
	case 0:
		return mgl32.Vec3{1, -t, -s}
	case 1:
		return mgl32.Vec3{-1, -t, s}
	case 2:
		return mgl32.Vec3{s, 1, t}
	case 3:
		return mgl32.Vec3{s, -1, -t}
	case 4:
		return mgl32.Vec3{s, -t, 1}
	}
	return mgl32.Vec3{-s, -t, -1}
}

// place is the inverse of direction.
func place(d mgl32.Vec3) (face int, s, t float32) {
	x, y, z := max(d[0], -d[0]), max(d[1], -d[1]), max(d[2], -d[2])
	switch {
	case x >= y && x >= z && d[0] > 0:
		return 0, -d[2] / x, -d[1] / x
	case x >= y && x >= z:
		return 1, d[2] / x, -d[1] / x
	case y >= z && d[1] > 0:
		return 2, d[0] / y, d[2] / y
	case y >= z:
		return 3, d[0] / y, -d[2] / y
	case d[2] > 0:
		return 4, d[0] / z, -d[1] / z
	}
	return 5, -d[0] / z, -d[1] / z
}

// each calls f for every texel, rows of faces on all processors, with the place of its middle.
func (c *Cube) each(f func(face, texel int, s, t float32)) {
	parallel.For(runtime.GOMAXPROCS(0), 6*c.Size, func(_, row int) {
		face, y := row/c.Size, row%c.Size
		for x := range c.Size {
			f(face, y*c.Size+x, c.middle(x), c.middle(y))
		}
	})
}

// middle returns the place of a texel's middle on its face.
func (c *Cube) middle(x int) float32 { return (2*float32(x)+1)/float32(c.Size) - 1 }

// add adds the radiance from a direction times a weight to a sum, between the four texels of its face that are nearest.
func (c *Cube) add(sum *mgl32.Vec3, d mgl32.Vec3, weight float32) {
	face, s, t := place(d)
	n := c.Size
	x := mgl32.Clamp((s+1)/2*float32(n)-0.5, 0, float32(n-1))
	y := mgl32.Clamp((t+1)/2*float32(n)-0.5, 0, float32(n-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, n-1), min(y0+1, n-1)
	u, v := x-float32(x0), y-float32(y0)
	f := c.Faces[face]
	p, q, r, w := &f[y0*n+x0], &f[y0*n+x1], &f[y1*n+x0], &f[y1*n+x1]
	a, b, e, g := weight*(1-u)*(1-v), weight*u*(1-v), weight*(1-u)*v, weight*u*v
	for k := range sum {
		sum[k] += a*p[k] + b*q[k] + e*r[k] + g*w[k]
	}
}

// halved averages four texels to one.
func (c *Cube) halved() Cube {
	out := newCube(c.Size / 2)
	for face := range out.Faces {
		for i := range out.Faces[face] {
			f, n := c.Faces[face], c.Size
			at := 2*(i/out.Size)*n + 2*(i%out.Size)
			out.Faces[face][i] = f[at].Add(f[at+1]).Add(f[at+n]).Add(f[at+n+1]).Mul(0.25)
		}
	}
	return out
}

const levels = 6

// New computes the light of surroundings whose radiance is given for every unit direction, with a sharp cube map of a
// size, a power of two from 32 on.
func New(size int, radiance func(mgl32.Vec3) mgl32.Vec3, key mgl32.Vec3) *Light {
	sharp := newCube(size)
	sharp.each(func(face, i int, s, t float32) {
		sharp.Faces[face][i] = radiance(direction(face, s, t).Normalize())
	})
	chain := []Cube{sharp}
	for n := size; n > 1; n /= 2 {
		chain = append(chain, chain[len(chain)-1].halved())
	}
	l := &Light{Levels: []Cube{sharp}, Irradiance: irradiance(&chain[2]), Key: key}
	for k := 1; k < levels; k++ {
		l.Levels = append(l.Levels, blurred(chain, size>>k, float64(k)/(levels-1)))
	}
	return l
}

// Uniform is the light of surroundings of one radiance.
func Uniform(radiance, key mgl32.Vec3) *Light {
	l := &Light{Levels: []Cube{newCube(1)}, Irradiance: [9]mgl32.Vec3{radiance}, Key: key}
	for i := range l.Levels[0].Faces {
		l.Levels[0].Faces[i][0] = radiance
	}
	return l
}

// Diffuse returns the light that a surface of a unit normal receives, over π. CPU twin of diffuseLight in
// shaders/material.frag.glsl.
func (l *Light) Diffuse(n mgl32.Vec3) (e mgl32.Vec3) {
	x, y, z := n[0], n[1], n[2]
	for k, basis := range [9]float32{1, y, z, x, x * y, y * z, 3*z*z - 1, x * z, x*x - y*y} {
		e = e.Add(l.Irradiance[k].Mul(basis))
	}
	return mgl32.Vec3{max(e[0], 0), max(e[1], 0), max(e[2], 0)}
}

// sample is a direction about a normal of (0, 0, 1), its weight, and the level of the chain that it reads.
type sample struct {
	d      mgl32.Vec3
	weight float32
	level  int
}

// lobe samples the reflections of a surface of some roughness towards an eye in the direction of its normal. Each
// sample reads a texel as large as its share of the lobe (Křivánek and Colbert 2008).
func lobe(roughness float64, size, chain int) (out []sample) {
	alpha2, samples := math.Pow(roughness, 4), size/2
	var sum float32
	for i := range samples {
		u, phi := (float64(i)+0.5)/float64(samples), 2*math.Pi*radicalInverse(uint32(i))
		cos2 := (1 - u) / (1 + (alpha2-1)*u) // of the half vector (Walter and others 2007)
		cos, sin := math.Sqrt(cos2), math.Sqrt(1-cos2)
		z := 2*cos2 - 1
		if z <= 0 {
			continue
		}
		d := (alpha2-1)*cos2 + 1
		density := alpha2 / (math.Pi * d * d) / 4
		level := 0.5*math.Log2(6*float64(size*size)/(4*math.Pi*float64(samples)*density)) + 1
		out = append(out, sample{mgl32.Vec3{float32(2 * cos * sin * math.Cos(phi)), float32(2 * cos * sin * math.Sin(phi)),
			float32(z)}, float32(z), min(max(int(level+0.5), 0), chain-1)})
		sum += float32(z)
	}
	for i := range out {
		out[i].weight /= sum
	}
	return out
}

// radicalInverse mirrors the bits of a number about the binary point: 0 to 1.
func radicalInverse(i uint32) float64 {
	x := 0.0
	for at := 0.5; i > 0; at, i = at/2, i/2 {
		x += at * float64(i&1)
	}
	return x
}

// blurred returns the cube map of a roughness.
func blurred(chain []Cube, size int, roughness float64) Cube {
	out, all := newCube(size), lobe(roughness, chain[0].Size, len(chain))
	out.each(func(face, i int, s, t float32) {
		n := direction(face, s, t).Normalize()
		aside := mgl32.Vec3{0, 1, 0}
		if n[1] > 0.9 || n[1] < -0.9 {
			aside = mgl32.Vec3{1, 0, 0}
		}
		x := aside.Cross(n).Normalize()
		y := n.Cross(x)
		var sum mgl32.Vec3
		for k := range all {
			a := &all[k]
			var d mgl32.Vec3
			for c := range d {
				d[c] = x[c]*a.d[0] + y[c]*a.d[1] + n[c]*a.d[2]
			}
			chain[a.level].add(&sum, d, a.weight)
		}
		out.Faces[face][i] = sum
	})
	return out
}

// irradiance projects surroundings on the first nine spherical harmonics, weighted as a diffuse surface receives them.
func irradiance(c *Cube) (out [9]mgl32.Vec3) {
	for face := range c.Faces {
		for i, radiance := range c.Faces[face] {
			s, t := c.middle(i%c.Size), c.middle(i/c.Size)
			d := direction(face, s, t)
			angle := 4 / (float32(c.Size*c.Size) * d.LenSqr() * d.Len()) // solid angle of the texel
			d = d.Normalize()
			x, y, z := d[0], d[1], d[2]
			for k, basis := range [9]float32{1, y, z, x, x * y, y * z, 3*z*z - 1, x * z, x*x - y*y} {
				out[k] = out[k].Add(radiance.Mul(basis * angle))
			}
		}
	}
	// Squares of the harmonics' constants, times π, 2π/3 and π/4 of the bands, over π.
	for k, factor := range [9]float64{0.25, 0.5, 0.5, 0.5, 15. / 16, 15. / 16, 5. / 64, 15. / 16, 15. / 64} {
		out[k] = out[k].Mul(float32(factor / math.Pi))
	}
	return out
}

// TableSize is the width and height of [Table].
const TableSize = 32

// Table is the other half of the split sum: the scale and bias of a surface's reflectance by the cosine between normal
// and eye (columns) and roughness (rows), both at texels' middles from 0 to 1.
func Table() [][2]float32 {
	const n = 64
	out := make([][2]float32, TableSize*TableSize)
	parallel.For(runtime.GOMAXPROCS(0), TableSize, func(_, row int) {
		roughness := (float64(row) + 0.5) / TableSize
		alpha := roughness * roughness
		for column := range TableSize {
			nv := (float64(column) + 0.5) / TableSize
			vx := math.Sqrt(1 - nv*nv)
			var scale, bias float64
			for i := range n {
				u, phi := (float64(i)+0.5)/n, 2*math.Pi*radicalInverse(uint32(i))
				nh2 := (1 - u) / (1 + (alpha*alpha-1)*u)
				nh := math.Sqrt(nh2)
				vh := max(vx*math.Sqrt(1-nh2)*math.Cos(phi)+nv*nh, 0)
				nl := 2*vh*nh - nv
				if nl <= 0 {
					continue
				}
				// Smith's visibility, correlated in height (Heitz 2014), times 4 n·l n·v over the density n·h/(v·h).
				smith := nl*math.Sqrt(nv*nv*(1-alpha*alpha)+alpha*alpha) + nv*math.Sqrt(nl*nl*(1-alpha*alpha)+alpha*alpha)
				g := 2 * nl * nv / smith * vh / (nh * nv)
				fresnel := math.Pow(1-vh, 5)
				scale, bias = scale+(1-fresnel)*g, bias+fresnel*g
			}
			out[row*TableSize+column] = [2]float32{float32(scale / n), float32(bias / n)}
		}
	})
	return out
}
