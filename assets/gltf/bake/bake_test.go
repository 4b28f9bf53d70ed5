package bake

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestBakeBudget: where the samples of a clip run out, the bones have fewer keys and the error says so.
func TestBakeBudget(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	fitted := gltftest.Enveloped(t, m, 20)
	keys, errors := [2]int{}, [2]float64{}
	for i, most := range []int{1 << 20, 200} {
		b := New(context.Background(), fitted, addedBones(fitted), settings(1e-6, 2))
		b.mostSamples = most
		baked, _ := b.bake(clip)
		for _, track := range baked.Tracks {
			for path := range track {
				keys[i] += len(track[path].Times)
			}
		}
		errors[i] = baked.Error
		if baked.Loose() != (i == 1) {
			t.Errorf("within %d samples an error of %g m, %g m allowed: loose is %v", most, baked.Error, baked.Allowed,
				baked.Loose())
		}
	}
	if !(keys[1] < keys[0]) || !(errors[1] > errors[0]) {
		t.Errorf("%d keys and an error of %g m, within 200 samples %d and %g", keys[0], errors[0], keys[1], errors[1])
	}
}

// TestBakeWork: all work is charged to the budget, poses of a model with few bones too. With half of what all clips
// need, the first clip is baked as always and the last coarsely.
func TestBakeWork(t *testing.T) {
	m, err := demo.New("demo:figure")
	if err != nil {
		t.Fatal(err)
	}
	fitted := gltftest.Enveloped(t, m, 1)
	bake := func(budget int) (clips []Clip, spent int) {
		s := settings(1e-5, 2)
		s.Budget = budget
		b := New(context.Background(), fitted, addedBones(fitted), s)
		clips, err := b.BakeAll()
		if err != nil {
			t.Fatal(err)
		}
		return clips, budget - b.Budget
	}
	whole, spent := bake(math.MaxInt)
	samples := 0
	for i := range whole {
		samples += len(middles(whole[i].Tracks[0][outerPath].Times))
	}
	if nodes := len(m.Skeleton.Nodes); spent < samples*nodes {
		t.Errorf("%d units of work for %d samples of %d nodes", spent, samples, nodes)
	}
	clips, half := bake(spent / 2)
	if last := len(clips) - 1; last < 1 || clips[0].Hurried || !clips[last].Hurried {
		t.Errorf("%d clips with half the budget: the first is hurried %v, the last %v", last+1, clips[0].Hurried,
			clips[last].Hurried)
	}
	if !(half < spent) {
		t.Errorf("%d units of work with a budget of %d, %d without one", half, spent/2, spent)
	}
}

// TestBakeIdle: a bone that moves no vertex has one key, and the others and the error are as with it.
func TestBakeIdle(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	fitted := gltftest.Enveloped(t, m, 5)
	const idle = 2 // of the proxies
	var skin skinning.Influences
	var buf []skinning.Influence
	for v := range fitted.Skin.Bindings {
		buf = fitted.Skin.Of(buf[:0], v)
		for i := range buf {
			if int(buf[i].Joint) == gltftest.EnvelopeOf(fitted).Proxies[idle] {
				buf[i].Joint = 0
			}
		}
		skin.Append(buf, 0)
	}
	without := *fitted
	without.Skin.Influences = skin
	b := New(context.Background(), &without, addedBones(&without), settings(1e-5, 2))
	baked, _ := b.bake(0)
	moving := 0
	for k, track := range baked.Tracks {
		switch n := len(track[outerPath].Times); {
		case k == idle && n != 1:
			t.Errorf("the idle proxy has %d keys", n)
		case n > 1:
			moving++
		}
	}
	if moving == 0 {
		t.Error("no proxy moves: the test shows nothing")
	}
	if baked.Loose() {
		t.Errorf("an error of %g m, %g m allowed", baked.Error, baked.Allowed)
	}
}

// TestBakeBoxes: where the error is measured on some of the vertices, a bone that moves none of those still has a box.
func TestBakeBoxes(t *testing.T) {
	var m skinning.Model
	const odd = 1 // every other vertex is measured
	for v := range mostVertices + 100 {
		shares := []skinning.Influence{{Joint: 0, Weight: 1}}
		if v == odd {
			shares = []skinning.Influence{{Joint: 0, Weight: 0.5}, {Joint: 1, Weight: 0.5}}
		}
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(v), 2, 3})
		m.Skin.Append(shares, 0)
	}
	b := &Baker{model: &m, bones: []Bone{{Joint: 0}, {Joint: 1}, {Joint: 2}}}
	b.collectVertices()
	if n := len(b.vertices); n > mostVertices || n < mostVertices/2 {
		t.Errorf("the error is measured on %d vertices", n)
	}
	if c := b.bones[1].corners; len(c) != 8 || c[0] != (mgl64.Vec3{odd, 2, 3}) || b.bones[1].unused {
		t.Errorf("the bone of one vertex has the box %v", c)
	}
	if !b.bones[2].unused || b.bones[2].corners != nil {
		t.Errorf("a bone of no vertex has the box %v", b.bones[2].corners)
	}
}

// addedBones lists a model's proxies as an export does, all of them roots.
func addedBones(m *skinning.Model) (bones []Bone) {
	for _, j := range gltftest.EnvelopeOf(m).Proxies {
		bones = append(bones, Bone{Joint: j, Parent: -1, Fallback: -1, Nested: true})
	}
	return bones
}

// settings are those of tests: no rate and no end of the budget.
func settings(tolerance float64, workers int) Settings {
	return Settings{Tolerance: tolerance, Workers: workers, Budget: math.MaxInt}
}
