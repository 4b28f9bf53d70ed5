package assets

import (
	"bytes"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestBakeWorkers: any number of workers writes the same file to the bit, for proxies and for blend bones, keyed as the
// error asks for and at a fixed rate.
func TestBakeWorkers(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	for name, fitted := range map[string]*skinning.Model{"proxies": enveloped(t, m, 5),
		"blend bones": halfWay(t, m, skinning.DQS, 5)} {
		for _, fps := range []float64{0, 24} {
			var first []byte
			for _, workers := range []int{1, 2, 5} {
				var out bytes.Buffer
				if _, err := ExportFitted(&out, nil, nil, fitted,
					ExportOptions{RMS: 1e-3, FPS: fps, Workers: workers}); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = out.Bytes()
				} else if !bytes.Equal(out.Bytes(), first) {
					t.Errorf("%s at %g keys a second: %d workers write another file than one", name, fps, workers)
				}
			}
		}
	}
}

// TestBakeBudget: where the moments of a clip run out, the bones have fewer keys and the error says so.
func TestBakeBudget(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	fitted := enveloped(t, m, 20)
	keys, errors := [2]int{}, [2]float64{}
	for i, most := range []int{1 << 20, 200} {
		b := newBaker(fitted, addedBones(fitted), 1e-6, 0, 2)
		b.most = most
		baked, _ := b.bake(clip)
		for _, track := range baked.tracks {
			for path := range track {
				keys[i] += len(track[path].times)
			}
		}
		errors[i] = baked.error
		if baked.loose() != (i == 1) {
			t.Errorf("within %d moments an error of %g m, %g m allowed: loose is %v", most, baked.error, baked.allowed,
				baked.loose())
		}
	}
	if !(keys[1] < keys[0]) || !(errors[1] > errors[0]) {
		t.Errorf("%d keys and an error of %g m, within 200 moments %d and %g", keys[0], errors[0], keys[1], errors[1])
	}
}

// TestBakeIdle: a bone that moves no vertex has one key, and the others and the error are as with it.
func TestBakeIdle(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	fitted := enveloped(t, m, 5)
	const idle = 2 // of the proxies
	var skin skinning.Influences
	var buf []skinning.Influence
	for v := range fitted.Skin.Bindings {
		buf = fitted.Skin.Of(buf[:0], v)
		for i := range buf {
			if int(buf[i].Joint) == envelopeOf(fitted).Proxies[idle] {
				buf[i].Joint = 0
			}
		}
		skin.Append(buf, 0)
	}
	without := *fitted
	without.Skin.Influences = skin
	b := newBaker(&without, addedBones(&without), 1e-5, 0, 2)
	baked, _ := b.bake(0)
	moving := 0
	for k, track := range baked.tracks {
		switch n := len(track[outerPath].times); {
		case k == idle && n != 1:
			t.Errorf("the idle proxy has %d keys", n)
		case n > 1:
			moving++
		}
	}
	if moving == 0 {
		t.Error("no proxy moves: the test shows nothing")
	}
	if baked.loose() {
		t.Errorf("an error of %g m, %g m allowed", baked.error, baked.allowed)
	}
}

// TestBakeStepsEnd: the search for STEP keys ends where no error is allowed and keys are rounded, so that none is close
// enough at its own moment.
func TestBakeStepsEnd(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	fitted := enveloped(t, m, 2)
	b := newBaker(fitted, addedBones(fitted), 0, 0, 1)
	shown := false
	for clip := range m.Clips {
		times := b.keyTimes(&m.Clips[clip], false)
		moments := newClipMoments(b, clip)
		moments.sample(times)
		for k := range b.bones {
			keys, gone, _ := b.split(k, moments.ordered, &b.posers[0])
			r := newReducer(b, k, clip, times, moments.ordered, keys, gone, 0)
			r.short, r.steps = true, true
			for i := range r.jumps {
				r.jumps[i] = true
			}
			c := &course{r: r, share: 1, shaped: true}
			for i := range r.live {
				rounded := c.held(r.live[i])
				shown = shown || !c.well(i, &rounded)
			}
			if c.choose(); len(c.at) == 0 || len(c.at) > len(times) {
				t.Errorf("clip %d, bone %d: %d keys at %d moments", clip, k, len(c.at), len(times))
			}
		}
	}
	if !shown {
		t.Error("every rounded key is close enough at its own moment: the test shows nothing")
	}
}

// TestBakeForgetsBadClips: a clip whose bones no key follows is no reason to key the next one more closely.
func TestBakeForgetsBadClips(t *testing.T) {
	m, err := demo.New("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	fitted := enveloped(t, m, 5)
	b := newBaker(fitted, addedBones(fitted), 1e-12, 0, 2)
	for p := range b.bones { // where the bones' nodes cannot say where they are
		b.bones[p].toRest = geom.NewAffine(geom.Mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}, mgl64.Vec3{1, 2, 3})
	}
	baked, _ := b.bake(0)
	if !baked.loose() {
		t.Fatalf("an error of %g m, %g m allowed: the test shows nothing", baked.error, baked.allowed)
	}
	if b.loose != looseBones {
		t.Errorf("bones may be off %g times the error after the clip, %g before", b.loose, looseBones)
	}
}

// TestBakeBoxes: where the error is measured on some of the vertices, a bone that moves none of those still has a box.
func TestBakeBoxes(t *testing.T) {
	var m skinning.Model
	const odd = 1 // every other vertex is measured
	for v := range mostBakeSamples + 100 {
		shares := []skinning.Influence{{Joint: 0, Weight: 1}}
		if v == odd {
			shares = []skinning.Influence{{Joint: 0, Weight: 0.5}, {Joint: 1, Weight: 0.5}}
		}
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(v), 2, 3})
		m.Skin.Append(shares, 0)
	}
	b := &baker{model: &m, bones: []bakedBone{{joint: 0}, {joint: 1}, {joint: 2}}}
	b.collectVertices()
	if n := len(b.vertices); n > mostBakeSamples || n < mostBakeSamples/2 {
		t.Errorf("the error is measured on %d vertices", n)
	}
	if c := b.bones[1].corners; len(c) != 8 || c[0] != (mgl64.Vec3{odd, 2, 3}) || b.bones[1].idle {
		t.Errorf("the bone of one vertex has the box %v", c)
	}
	if !b.bones[2].idle || b.bones[2].corners != nil {
		t.Errorf("a bone of no vertex has the box %v", b.bones[2].corners)
	}
}

// addedBones lists a model's proxies as an export does, all of them roots.
func addedBones(m *skinning.Model) (bones []bakedBone) {
	for _, j := range envelopeOf(m).Proxies {
		bones = append(bones, bakedBone{joint: j, parent: -1, fallback: -1, nested: true})
	}
	return bones
}
