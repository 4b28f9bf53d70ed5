package bake

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// reach returns the longest vector to which a difference of matrices takes a corner of a box. Length is a convex
// function of the point, so that is the longest one over the box.
func reach(corners []mgl64.Vec3, off *geom.Affine) float64 {
	most := 0.0
	for c := range corners {
		d := applied(off, &corners[c])
		most = max(most, d[0]*d[0]+d[1]*d[1]+d[2]*d[2])
	}
	return math.Sqrt(most)
}

// applied returns a·p.
func applied(a *geom.Affine, p *mgl64.Vec3) mgl64.Vec3 {
	x, y, z := p[0], p[1], p[2]
	return mgl64.Vec3{a[0]*x + a[1]*y + a[2]*z + a[3], a[4]*x + a[5]*y + a[6]*z + a[7], a[8]*x + a[9]*y + a[10]*z + a[11]}
}

// off sets off to the live matrix of bone k minus the matrix of a key.
func (b *Baker) off(off *geom.Affine, k int, live *sample, key *Key) {
	shape, t := key.shape(), &key.Translation
	parent, from, matrix := b.parent(k, live), &b.bones[k].FromRest, live.matrix(k)
	for r := 0; r < 12; r += 4 {
		x, y, z := parent[r], parent[r+1], parent[r+2]
		u := x*shape[0] + y*shape[3] + z*shape[6]
		v := x*shape[1] + y*shape[4] + z*shape[7]
		w := x*shape[2] + y*shape[5] + z*shape[8]
		off[r] = u*from[0] + v*from[4] + w*from[8] - matrix[r]
		off[r+1] = u*from[1] + v*from[5] + w*from[9] - matrix[r+1]
		off[r+2] = u*from[2] + v*from[6] + w*from[10] - matrix[r+2]
		off[r+3] = u*from[3] + v*from[7] + w*from[11] + x*t[0] + y*t[1] + z*t[2] + parent[r+3] - matrix[r+3]
	}
}

// measureBone sets the errors of bone k in samples: in all of them, or in those that have none yet.
func (b *Baker) measureBone(k int, samples []*sample, keys *boneKeys, all bool) {
	var off geom.Affine
	for _, m := range samples {
		if stray := m.stray(k); all || math.IsNaN(*stray) {
			key := keys.at(m.seconds)
			b.off(&off, k, m, &key)
			*stray = reach(b.bones[k].corners, &off)
		}
	}
}

// worst returns the largest distance between the vertices and their places in a player, over all samples, in metres.
func (c *clipSamples) worst(keys []boneKeys) (worst float64) {
	gauges := make([]gauge, len(c.posers))
	for w := range gauges {
		gauges[w] = gauge{c: c, keys: keys, pose: c.model.NewPose(), off: make([]geom.Affine, len(keys)),
			has: make([]bool, len(keys)), strays: make([]float64, len(keys))}
	}
	parallel.For(len(gauges), len(c.all), func(worker, i int) { gauges[worker].measure(c.all[i]) })
	for w := range gauges {
		worst = max(worst, gauges[w].worst)
	}
	return worst
}

// gauge measures the errors of the vertices in samples. It belongs to one worker.
type gauge struct {
	c     *clipSamples
	keys  []boneKeys
	pose  *skinning.Pose
	worst float64       // so far, metres
	off   []geom.Affine // scratch: of each bone, see [Baker.off]
	has   []bool        // scratch: off has been set in this sample

	strays []float64 // scratch: see [sample.stray]
}

// measure raises worst to the largest distance between a vertex and its place in a player. The errors of the bones
// bound it: only vertices of a bone that is farther off than worst are measured.
func (g *gauge) measure(live *sample) {
	clear(g.has)
	for k := range g.strays {
		g.strays[k] = *live.stray(k)
	}
	posed := len(g.c.model.Skin.Morphs) == 0
	for k, stray := range g.strays {
		if !(stray > g.worst) {
			continue
		}
		for _, v := range g.c.bones[k].moves {
			vertex := &g.c.vertices[v]
			bound := 0.0
			for _, s := range vertex.shares {
				bound += s.Weight * g.strays[s.Joint]
			}
			if bound <= g.worst {
				continue
			}
			if !posed {
				g.c.model.SamplePose(g.pose, g.c.clip, float64(live.seconds))
				posed = true
			}
			var d mgl64.Vec3
			rest := vertex.at(g.pose.Morphs)
			for _, s := range vertex.shares {
				if !g.has[s.Joint] {
					key := g.keys[s.Joint].at(live.seconds)
					g.c.Baker.off(&g.off[s.Joint], int(s.Joint), live, &key)
					g.has[s.Joint] = true
				}
				d = d.Add(applied(&g.off[s.Joint], &rest).Mul(s.Weight))
			}
			g.worst = max(g.worst, d.Len())
		}
	}
}
