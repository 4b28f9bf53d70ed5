package viewer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"skinlab/skinning"
)

// fakeFit stands in for a solver: it adds bones one by one, evenly between the pairs of joints that share vertices, and says how
// long it pretends to take. Its EE is made up.
func fakeFit(pause time.Duration) func(context.Context, *skinning.Model, FitRequest, func(FitUpdate)) {
	return func(ctx context.Context, m *skinning.Model, req FitRequest, update func(FitUpdate)) {
		if req.Target == mostTargetEE {
			update(FitUpdate{Done: true, Err: errors.New("this target is for failing")})
			return
		}
		start := time.Now()
		var u FitUpdate
		for n := 0; n <= req.Bones; n++ {
			model, err := sampledBones(m, req.Operator, n)
			if err != nil {
				update(FitUpdate{Done: true, Err: err})
				return
			}
			u.Now = FitStep{Bones: n, EE: 34 * math.Exp(-float64(n)/5), Elapsed: time.Since(start), Model: model}
			u.History = append(slices.Clone(u.History), u.Now)
			u.Done, u.Reason = n == req.Bones, "bone limit"
			select {
			case <-ctx.Done():
				u.Done, u.Reason = true, "cancelled"
			case <-time.After(pause):
			}
			if update(u); u.Done {
				return
			}
		}
	}
}

type jointPair [2]uint16

// sampledBones spreads n blend bones over the pairs of joints: each pair's share of a vertex goes to the two samples next to it, as in
// ALNS table 2.
func sampledBones(m *skinning.Model, operator skinning.Method, n int) (*skinning.Model, error) {
	pairOf := func(v int) (jointPair, bool) {
		b := &m.Skin.Bindings[v]
		return jointPair{min(b.Joints[0], b.Joints[1]), max(b.Joints[0], b.Joints[1])},
			b.Weights[1] > 0
	}
	var pairs []jointPair
	for v := range m.Skin.Bindings {
		if p, ok := pairOf(v); ok && !slices.Contains(pairs, p) {
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 && n > 0 {
		return nil, fmt.Errorf("no two joints share a vertex")
	}
	count := map[jointPair]int{}
	for k := range n {
		count[pairs[k%len(pairs)]]++
	}
	var bones []skinning.BlendBone
	first := map[jointPair]int{}
	for _, p := range pairs {
		first[p] = len(m.Skeleton.Joints) + len(bones)
		for k := range count[p] {
			u := float64(k+1) / float64(count[p]+1)
			bones = append(bones, skinning.BlendBone{Masters: []uint16{p[0], p[1]}, Weights: []float64{1 - u, u}})
		}
	}
	var in skinning.Influences
	var raw []skinning.Influence
	for v := range m.Skin.Bindings {
		raw = m.Skin.Of(raw[:0], v)
		if p, ok := pairOf(v); ok && count[p] > 0 {
			both := float64(raw[0].Weight) + float64(raw[1].Weight)
			t := float64(raw[0].Weight) / both
			if raw[0].Joint == p[0] {
				t = 1 - t
			}
			at := t * float64(count[p]+1)
			low := min(int(at), count[p])
			sample := func(k int) uint16 {
				switch k {
				case 0:
					return p[0]
				case count[p] + 1:
					return p[1]
				}
				return uint16(first[p] + k - 1)
			}
			raw[0] = skinning.Influence{Joint: sample(low), Weight: float32(both * (1 - at + float64(low)))}
			raw[1] = skinning.Influence{Joint: sample(low + 1), Weight: float32(both * (at - float64(low)))}
		}
		in.Append(raw, 0)
	}
	return m.WithBlendBones(operator, bones, in)
}

// fakeExport writes what it was given, in words.
func fakeExport(path string, master, fitted *skinning.Model) (string, error) {
	if master.Blend != nil || fitted.Blend == nil {
		return "", fmt.Errorf("%s: the models are the wrong way round", path)
	}
	text := fmt.Sprintf("%s with %d bones", master.Name, len(fitted.Blend.Bones))
	return text, os.WriteFile(path, []byte(text), 0o644)
}

// dropFitted loads a built-in model with blend bones, as a file that was exported has.
func dropFitted(a *app, path string) {
	load := a.opt.Load
	a.opt.Load = func(ctx context.Context, path string, report func(string, float64)) (*skinning.Model, error) {
		m, err := load(ctx, path, report)
		if err != nil {
			return nil, err
		}
		return sampledBones(m, skinning.DQS, 5)
	}
	a.drop([]string{path})
	a.opt.Load = load
}
