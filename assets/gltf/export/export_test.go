package export

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"skinlab/assets"
	"skinlab/assets/gltf/bake"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// object and list are JSON under construction.
type (
	object = gltftest.Object
	list   = gltftest.List
)

// source returns a model and the file that it comes from; no bytes for a built-in one.
func source(t testing.TB, name string) (*skinning.Model, []byte, fs.FS) {
	t.Helper()
	m, err := assets.Open(name)
	if err != nil {
		name = filepath.Join(gltftest.SharedModels(t), name)
		if m, err = assets.Open(name); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return m, data, os.DirFS(filepath.Dir(name))
	}
	return m, nil, nil
}

// writeFitted is [File] without files: source is the document that fitted's masters were loaded from, nil a built-in
// model, and fsys its folder.
func writeFitted(
	w io.Writer, source []byte, fsys fs.FS, fitted *skinning.Model, opt Options,
) (Report, error) {
	x, err := newExport(context.Background(), source, fsys, fitted, opt)
	if err != nil {
		return Report{}, err
	}
	return x.write(w)
}

// export writes a fitted model and reads it again.
func export(
	t testing.TB, fitted *skinning.Model, data []byte, files fs.FS, opt Options,
) (*skinning.Model, Report, []byte) {
	t.Helper()
	var out bytes.Buffer
	report, err := writeFitted(&out, data, files, fitted, opt)
	if err != nil {
		t.Fatal(err)
	}
	again := decoded(t, fitted.Name, out.Bytes())
	gltftest.CheckModel(t, again)
	return again, report, out.Bytes()
}

// apart returns the largest distance between the linearly blended skins of two models with the same vertices, posed by
// their frames, as a fraction of the diagonal.
func apart(a, b *skinning.Frame) float64 {
	worst := 0.0
	left, right := a.Reference(skinning.LBS), b.Reference(skinning.LBS)
	for v := range left.Positions {
		worst = math.Max(worst, left.Positions[v].Sub(right.Positions[v]).Len())
	}
	return worst / a.Model.Diagonal()
}

// apartBaked is apart for the baked nodes of an exported file. Where its static pose is the bind pose, these rest such
// that the mesh is as it was bound, whatever the live bones do there: it is then the distance from that.
func apartBaked(want, baked *skinning.Frame, clip int) float64 {
	b := bake.New(context.Background(), want.Model, nil, bake.Settings{Workers: 1})
	if clip < 0 && !b.Bound && len(want.Model.Clips) > 0 && gltftest.EnvelopeOf(want.Model) != nil {
		return 0 // bones of two nodes rest beside their parents: clips show where they are
	}
	if clip >= 0 || !b.Bound {
		return apart(want, baked)
	}
	worst := 0.0
	rest := want.Model.Skin.RestPositions(baked.Morphs)
	for v, p := range baked.Positions(skinning.LBS) {
		worst = math.Max(worst, p.Sub(rest[v]).Len())
	}
	return worst / want.Model.Diagonal()
}

var exported = []struct {
	name     string
	operator skinning.Method
}{
	{"demo:box", skinning.DQS}, {"demo:arm", skinning.DQS}, {"demo:tube", skinning.SBS},
	{"CesiumMan.glb", skinning.DQS}, {"Fox.glb", skinning.DIB}, {"Knight.glb", skinning.DQS},
	{"RobotExpressive.glb", skinning.SDQS}, {"human_male.glb", skinning.DQS}, {"SimpleSkin.gltf", skinning.SDQS},
	{"demo:leg", skinning.COR},
}

// TestExported: the exported file plays what the fitted model plays, with each kind of added joints.
func TestExported(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, e := range exported {
		t.Run(e.name, func(t *testing.T) {
			m, data, files := source(t, e.name)
			checkFitted(t, gltftest.HalfWay(t, m, e.operator, 12), data, files)
			checkEnveloped(t, gltftest.Enveloped(t, m, 12), data, files, 0.003)
			helped := gltftest.Helped(t, m, 12, true)
			again, _ := checkHelped(t, helped, data, files, 0.003)
			checkSameHelpers(t, again, helped)
		})
	}
	t.Run("morphed", func(t *testing.T) { checkFitted(t, gltftest.HalfWay(t, morphed(t), skinning.DQS, 12), nil, nil) })
}

func checkFitted(t *testing.T, fitted *skinning.Model, data []byte, files fs.FS) {
	t.Helper()
	again, _, _ := checkExport(t, fitted, data, files, 0.003, nil)
	got, want := blendOf(again), blendOf(fitted)
	if got == nil || len(got.Bones) != len(want.Bones) || got.Operator != want.Operator {
		t.Fatalf("the blend rig came back as %+v", got)
	}
}

// morphed returns a tube that grows to a few times its thickness in each clip, by a morph target.
func morphed(t *testing.T) *skinning.Model {
	t.Helper()
	m, _, _ := source(t, "demo:tube")
	morph := skinning.Morph{}
	for _, n := range m.Skin.Normals {
		morph.Positions = append(morph.Positions, n.Mul(0.2))
	}
	m.Skin.Morphs, m.MorphSlots = []skinning.Morph{morph}, []skinning.MorphSlot{{Name: "thick", Node: m.Skin.Parts[0].Node}}
	for i := range m.Clips {
		c := &m.Clips[i]
		c.Channels = append(c.Channels, skinning.Channel{Node: m.Skin.Parts[0].Node, Path: skinning.PathWeights, Width: 1,
			Times: []float32{0, float32(c.Seconds) / 2, float32(c.Seconds)}, Values: []float32{0, 1, 0}})
	}
	return m
}

// sheared returns a tube whose joints stretch each its own way while they bend, blended with scale: its blend bones
// shear.
func sheared(t testing.TB) *skinning.Model {
	t.Helper()
	m, _, _ := source(t, "demo:tube")
	for i := range m.Clips {
		c := &m.Clips[i]
		for j, joint := range m.Skeleton.Joints {
			stretch := float32(j%2)*0.8 - 0.3
			c.Channels = append(c.Channels, skinning.Channel{Node: joint.Node, Path: skinning.PathScale, Width: 3,
				Times:  []float32{0, float32(c.Seconds) / 2, float32(c.Seconds)},
				Values: []float32{1, 1, 1, 1 + stretch, 1 - stretch/2, 1, 1, 1 + stretch, 1 - stretch}})
		}
	}
	return gltftest.HalfWay(t, m, skinning.SDQS, 12)
}

// TestExportFile: over its own source, which survives an export that fails.
func TestExportFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.glb")
	if err := os.WriteFile(path, gltftest.Beam().Glb(), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := assets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	fitted := fit(t, m)
	if _, err := File(t.Context(), path, path, fitted,
		Options{Extras: map[string]any{"ee": make(chan int)}}); err == nil {
		t.Error("a channel in the extras was written")
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, gltftest.Beam().Glb()) {
		t.Errorf("a failed export changed the file (%v)", err)
	}
	report, err := File(t.Context(), path, path, fitted, Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := assets.Open(path)
	if err != nil || blendOf(again) == nil {
		t.Fatalf("%v, blend rig %v", err, blendOf(again))
	}
	if info, err := os.Stat(path); err != nil || info.Size() != int64(report.Bytes) {
		t.Errorf("%d bytes reported, %v (%v)", report.Bytes, info, err)
	}
	box, _, _ := source(t, "demo:box")
	if _, err := File(t.Context(), path, "demo:box", gltftest.HalfWay(t, box, skinning.DQS, 1), Options{}); err != nil {
		t.Error(err)
	}
	if _, err := File(t.Context(), path, filepath.Join(t.TempDir(), "none.glb"), fitted,
		Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a source that is not there gave %v", err)
	}
}

// TestExportFileCancelled: whoever loses interest before any of the clips gets the context's error, the file is as it
// was, and none lies beside it. Who does not is told of each clip, in order.
func TestExportFileCancelled(t *testing.T) {
	m, _, _ := source(t, "demo:tube")
	fitted := gltftest.HalfWay(t, m, skinning.DQS, 2)
	folder := t.TempDir()
	path := filepath.Join(folder, "model.glb")
	if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	for stop := range len(m.Clips) + 1 {
		ctx, cancel := context.WithCancel(t.Context())
		told := 0
		_, err := File(ctx, path, "demo:tube", fitted, Options{Progress: func(done, of int) {
			told++
			if done != told-1 || of != len(m.Clips) {
				t.Errorf("report %d is of %d clips of %d", told, done, of)
			}
			if done == stop {
				cancel()
			}
		}})
		cancel()
		data, fault := os.ReadFile(path)
		if fault != nil {
			t.Fatal(fault)
		}
		if entries, fault := os.ReadDir(folder); fault != nil || len(entries) != 1 {
			t.Errorf("cancelled at clip %d: %v, %v", stop, entries, fault)
		}
		if stop < len(m.Clips) && (!errors.Is(err, context.Canceled) || told != stop+1 || string(data) != "before") {
			t.Errorf("cancelled at clip %d: %d reports, %d bytes, %v", stop, told, len(data), err)
		}
		if stop == len(m.Clips) && (err != nil || told != stop) {
			t.Errorf("not cancelled: %d reports, %v", told, err)
		}
	}
}

// TestExportWithoutBones: a fit that added nothing still exports its weights; the controllers of an earlier fit go.
func TestExportWithoutBones(t *testing.T) {
	data := withExtras().Glb()
	m := decoded(t, "beam.glb", data)
	var weights skinning.Influences
	for range m.Skin.Bindings {
		weights.Append([]skinning.Influence{{Joint: 1, Weight: 1}}, 0)
	}
	fitted, err := rig.WithBlendBones(m, skinning.DQS, nil, weights)
	if err != nil {
		t.Fatal(err)
	}
	again, report, _ := export(t, fitted, data, nil, Options{})
	samePlay(t, fitted, again)
	if blendOf(again) != nil || report.Bones != 0 || len(again.Skeleton.Nodes) != len(m.Skeleton.Nodes) {
		t.Errorf("blend rig %v, report %+v, %d nodes", blendOf(again), report, len(again.Skeleton.Nodes))
	}
}

// TestBakeWorkers: any number of workers writes the same file to the bit, for proxies and for blend bones, keyed as the
// error asks for and at a fixed rate.
func TestBakeWorkers(t *testing.T) {
	m, _, _ := source(t, "demo:tube")
	for name, fitted := range map[string]*skinning.Model{"proxies": gltftest.Enveloped(t, m, 5),
		"blend bones": gltftest.HalfWay(t, m, skinning.DQS, 5)} {
		for _, fps := range []float64{0, 24} {
			var first []byte
			for _, workers := range []int{1, 2, 5} {
				var out bytes.Buffer
				if _, err := writeFitted(&out, nil, nil, fitted,
					Options{RMS: 1e-3, FPS: fps, Workers: workers}); err != nil {
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

// TestExportQuietClip: a clip that may gain less error than the others has that much between its keys, and the others
// keep theirs.
func TestExportQuietClip(t *testing.T) {
	m, data, files := source(t, "demo:arm")
	fitted := gltftest.HalfWay(t, m, skinning.DQS, 5)
	_, loose, _ := export(t, fitted, data, files, Options{RMS: 5e-3})
	const quiet = 1
	spare := make([]float64, len(m.Clips))
	spare[quiet] = loose.Clips[quiet].Error / 10
	_, tight, _ := export(t, fitted, data, files, Options{RMS: 5e-3, Spare: spare})
	for i, c := range tight.Clips {
		switch {
		case i == quiet && !(c.Error <= spare[quiet]):
			t.Errorf("clip %d: %.2g of the diagonal between keys, expected %.2g", i, c.Error, spare[quiet])
		case i != quiet && !(math.Abs(c.Error-loose.Clips[i].Error) <= 0.3*loose.Clips[i].Error):
			t.Errorf("clip %d: %.2g of the diagonal between keys, %.2g before", i, c.Error, loose.Clips[i].Error)
		}
	}
}

// TestExportAddedClip: a clip of the options stands behind the source's and shows its poses, and the added bones have
// keys in it. The skin is the fitted model's: live to float32 of weights, 2e-6 of the diagonal; baked to float32 of
// keys and the error that the report states.
func TestExportAddedClip(t *testing.T) {
	for _, name := range []string{"demo:tube", "Fox.glb"} {
		m, data, files := source(t, name)
		fitted := gltftest.HalfWay(t, m, skinning.DQS, 12)
		node := m.Skeleton.Joints[1].Node
		added := skinning.Clip{Name: "suggested", Seconds: 1, Channels: []skinning.Channel{{Node: node,
			Path: skinning.PathRotation, Interpolation: skinning.Step, Width: 4, Times: []float32{0, 1},
			Values: []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}}}}
		again, report, _ := export(t, fitted, data, files, Options{RMS: 0.003, Clips: []skinning.Clip{added}})
		clip, err := again.ClipIndex("suggested")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(report.Clips); clip != n-1 || report.Clips[clip].Keys == 0 {
			t.Errorf("%s: clip %d of %d, %d keys", name, clip, n, report.Clips[clip].Keys)
		}
		all := *fitted
		all.Clips = append(all.Clips[:len(all.Clips):len(all.Clips)], added)
		p := newPlaying(&all, again)
		for i := range 2 {
			if a, b := p.at(clip, float64(i)); !(a <= 2e-6) || !(b <= report.MaxError*1.1+4e-6) {
				t.Errorf("%s, key %d: live %.2g, baked %.2g of the diagonal", name, i, a, b)
			}
		}
	}
}
