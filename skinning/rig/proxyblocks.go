package rig

import (
	"fmt"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// proxyBlocks is c₁ and c₂ in the layout of the kernels: for each pair of proxies, the blocks that are not 0. A block
// is the four columns of a master or the three of a key gradient. Vertices that follow no proxy divide the skin into
// pieces, and a proxy depends only on the inputs of its own piece. So with 80 proxies over a body, two in three blocks
// are 0.
type proxyBlocks struct {
	program      []int64 // see simd.Proxies
	coefficients []float64
	joints       int // that a frame must have: one past the last proxy
}

// Sizes in bytes of a joint's row and of a key gradient's row, as [EnvelopingDriver] keeps them.
const (
	masterRow = 8 * masterTerms
	keyRow    = 8 * keyTerms

	masterTerms = 4
	keyTerms    = 3
)

func newProxyBlocks(r *Enveloping) (b proxyBlocks) {
	for first := 0; first < len(r.Proxies); first += simd.ProxyLanes {
		// The last of an odd number is its own pair: it is written twice.
		pair := [simd.ProxyLanes]int{first, min(first+1, len(r.Proxies)-1)}
		b.gather(r.C2, pair, len(r.Masters), masterTerms)
		b.gather(r.C1, pair, len(r.Keys), keyTerms)
		for _, proxy := range pair {
			b.program = append(b.program, 16*int64(r.Proxies[proxy]))
			b.joints = max(b.joints, r.Proxies[proxy]+1)
		}
	}
	b.coefficients = append(kernel.OnCacheLine[float64](len(b.coefficients))[:0], b.coefficients...)
	return b
}

// gather appends the blocks of a pair's rows in one matrix, each block a number of columns wide.
func (b *proxyBlocks) gather(c []float64, pair [simd.ProxyLanes]int, blocks, columns int) {
	count := len(b.program)
	b.program = append(b.program, 0)
	for block := range blocks {
		first, empty := len(b.coefficients), true
		for column := range columns {
			for _, proxy := range pair {
				for row := 4 * proxy; row < 4*proxy+4; row++ {
					v := c[(row*blocks+block)*columns+column]
					empty = empty && v == 0
					b.coefficients = append(b.coefficients, v)
				}
			}
		}
		if empty {
			b.coefficients = b.coefficients[:first]
			continue
		}
		b.program[count]++
		b.program = append(b.program, int64(8*columns*block))
	}
}

// solve writes the proxies of a frame whose gradients have been predicted, in every form of their matrices, by the
// kernel of a level above Scalar.
func (b *proxyBlocks) solve(f *skinning.Frame, r *Enveloping, s *EnvelopingDriver) {
	if len(s.q) != 3*masterTerms*len(r.Masters) || len(s.d) != 3*keyTerms*len(r.Keys) {
		panic(fmt.Sprintf("rig: SolveProxies: q of %d and d of %d numbers for %d masters and %d keys", len(s.q),
			len(s.d), len(r.Masters), len(r.Keys)))
	}
	if len(b.coefficients) == 0 { // and no address of any
		for _, j := range r.Proxies {
			f.SetMatrix(j, &geom.Affine{})
		}
		return
	}
	to := f.DriveMemory()
	if len(f.Matrices) < b.joints {
		panic(fmt.Sprintf("rig: SolveProxies: %d matrices of %d joints", len(f.Matrices), b.joints))
	}
	memory := simd.Proxies{Program: &b.program[0], Pairs: (len(r.Proxies) + simd.ProxyLanes - 1) / simd.ProxyLanes,
		Coefficients: &b.coefficients[0], Q: &s.q[0], D: &s.d[0], StrideQ: masterRow * len(r.Masters),
		StrideD: keyRow * len(r.Keys), Matrices: to.Matrices, Rounded: to.Rounded, Packed: to.Packed}
	simd.SolveProxies(s.level, &memory)
}
