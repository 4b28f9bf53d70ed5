package rig

import (
	"unsafe"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/simd"
)

// newKeyGroups packs predictors for the kernel, four to a group; The last group is filled up with the last key. A key
// of one term gets a second one that never turns, and a shear by one joint gets a second joint with coefficients of 0.
func newKeyGroups(keys []GradientKey) []simd.KeyGroup {
	groups := make([]simd.KeyGroup, (len(keys)+simd.DriveLanes-1)/simd.DriveLanes)
	for n := range simd.DriveLanes * len(groups) {
		g, lane, key := &groups[n/simd.DriveLanes], n%simd.DriveLanes, &keys[min(n, len(keys)-1)]
		g.Turn[1][lane] = turnOffset(key.Terms[0].Joint)
		for k := range key.Terms {
			t := &key.Terms[k]
			g.Turn[k][lane] = turnOffset(t.Joint)
			for c := range 3 {
				var axis mgl64.Vec3
				axis[c] = t.U / 4
				axis = t.W.Rotate(axis)
				for row := range 3 {
					g.Axis[k][3*row+c][lane] = axis[row]
				}
			}
		}
		features := len(key.Shear[0])
		g.Shear[0][lane], g.Shear[1][lane] = turnOffset(key.First), turnOffset(key.First)
		if key.Second >= 0 {
			g.Shear[1][lane] = turnOffset(key.Second)
		}
		for row := range key.Shear {
			for f := range features {
				if f < 3 || f == features-1 || key.Second >= 0 {
					g.H[row][f][lane] = key.Shear[row][f]
				}
			}
		}
	}
	return groups
}

// readBy marks the masters whose rotation vectors keys read.
func readBy(keys []GradientKey, masters int) []bool {
	read := make([]bool, masters)
	for l := range keys {
		for _, j := range keys[l].joints() {
			if j >= 0 {
				read[j] = true
			}
		}
	}
	return read
}

func turnOffset(joint int) int64 { return int64(joint) * int64(unsafe.Sizeof(simd.TurnRecord{})) }

// keyScratch is what a driver needs to run the kernel.
type keyScratch struct {
	records   []simd.TurnRecord
	gradients []simd.Gradients
	failed    []uint8
}

// fit makes room for a number of joints and groups.
func (k *keyScratch) fit(joints, groups int) {
	if len(k.records) != joints || len(k.failed) != groups {
		*k = keyScratch{make([]simd.TurnRecord, joints), make([]simd.Gradients, groups), make([]uint8, groups)}
	}
}

// predictGroups predicts all key gradients by the kernel. Those that the kernel cannot predict are computed one by one.
func (s *EnvelopingDriver) predictGroups(r *Enveloping, groups []simd.KeyGroup) {
	k := &s.scratch
	k.fit(len(r.Masters), len(groups))
	for b := range k.records {
		k.records[b] = simd.TurnRecord{Frame: s.turns.Q[frameOf(r.Parents, b)], Theta: s.turns.Theta[b],
			Other: s.turns.Share[b]}
	}
	simd.PredictKeys(groups, k.records, k.gradients, k.failed)
	keys := len(r.Keys)
	for l := range r.Keys {
		n, lane := l/simd.DriveLanes, l%simd.DriveLanes
		if k.failed[n]>>lane&1 != 0 {
			s.setGradient(r, l)
			continue
		}
		g := &k.gradients[n]
		for row := range 3 {
			to := (*[3]float64)(s.d[3*(keys*row+l):])
			to[0], to[1], to[2] = g[3*row][lane], g[3*row+1][lane], g[3*row+2][lane]
		}
	}
}
