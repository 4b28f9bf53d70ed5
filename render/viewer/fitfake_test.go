package viewer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// fakeFits stands in for the solvers: it adds bones one by one, evenly between the pairs of joints that share vertices,
// and says how long it pretends to take. Its EE is made up.
type fakeFits struct {
	pause time.Duration
	third bool // there is a fit beyond those that the program has
	body  bool // there is a fit that makes a model of its own
}

// failing lets the next fit of blend bones fail.
var failing atomic.Bool

// slow makes the next fits slow.
var slow atomic.Bool

// Fits are rows as the real ones.
func (f fakeFits) Fits() []fitpage.Row {
	number := func(name, title string, slider fit.Slider) fit.Option {
		slider.Title = title
		return fit.Option{Name: name, Help: "a number of the fit", Least: 1, Slider: &slider}
	}
	count := func(title string, most, usual float64) fit.Option {
		o := number("count", title, fit.Slider{Most: most, Step: 1, Default: usual})
		o.Kind = fit.Count
		return o
	}
	row := func(name, title, noun, suffix string, options ...fit.Option) fitpage.Row {
		return fitpage.Row{Method: &fit.Method{Name: name, Title: title, Help: "Pretends to fit", Noun: noun, Suffix: suffix,
			Options: options}}
	}
	target := number("target", "Target EE", fit.Slider{Most: 20, Step: 0.5, Unit: "%", Nothing: "none"})
	target.Least = 0
	rows := []fitpage.Row{
		row("blend-bones", "Blend bones", "blend bone", "-blend", count("Max bones", 40, 10), target),
		row("enveloping", "Enveloping", "proxy bone", "-envelope", count("Max proxies", 120, 40)),
	}
	rows[1].Learns = fit.Shapes
	rows[1].Others = []fit.Other{{Title: "Raised", Help: "The skin, higher"}, {Title: "Broken", Help: "It fails"}}
	rows[1].Targets = &fitpage.TargetReader{Endings: []string{".obj"}, Posed: true, Read: fakeTargets}
	if f.third {
		height := number("height", "Height", fit.Slider{Most: 1, Step: 0.1, Nothing: "flat"})
		height.Least = 0
		rows = append(rows, row("twins", "Twins", "twin", "-twins", count("Max twins", 4, 3), height))
	}
	if f.body {
		rows = append(rows, row("body", "Body", "limb", "-body"))
		rows[len(rows)-1].Learns = fit.Scans
	}
	return rows
}

// Fit first works at what has no model to show where it learns shapes, as the real one does.
func (f fakeFits) Fit(ctx context.Context, m *skinning.Model, req fitpage.Request, update func(fitpage.Update)) {
	if f.body && req.Row == 2 {
		fakeBody(m, update)
		return
	}
	most := int(req.Values["count"])
	if req.Row != 1 {
		if failing.Swap(false) {
			update(fitpage.Update{Done: true, Err: errors.New("this fit is for failing")})
			return
		}
		f.grow(ctx, most, fitpage.Update{}, update, func(n int) (*skinning.Model, error) { return sampledBones(m, req.By, n) })
		return
	}
	u := fitpage.Update{Progress: fit.Progress{Stage: "joint weights", Share: 0.1, Marks: []fit.Mark{{Name: "own weights", EE: 60}}}}
	update(u)
	time.Sleep(f.pause)
	if req.Files {
		u.Stage = fmt.Sprintf("%d shapes of clip %d, %s", len(req.Targets.Shapes), req.Clip, req.Times)
		update(u)
		time.Sleep(f.pause)
	}
	u.Stage, u.Marks = "proxy bones", append(u.Marks[:1:1], fit.Mark{Name: "trained weights", EE: 34})
	f.grow(ctx, most, u, update, func(n int) (*skinning.Model, error) { return sampledProxies(m, n) })
}

// fakeTargets finds a shape in each file, and refuses a file with words.
func fakeTargets(_ context.Context, m *skinning.Model, folder string, report func(read, of int)) (*fitpage.Targets, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.obj"))
	for k, path := range files {
		report(k, len(files))
		if words, err := os.ReadFile(path); err != nil || len(words) > 0 {
			return nil, fmt.Errorf("%s: %s", path, words)
		}
	}
	return &fitpage.Targets{Folder: folder, Files: files, Shapes: make([][]mgl64.Vec3, len(files))}, err
}

// Examples finds those of a file by the clip's name, as in the models that tests use.
func (fakeFits) Examples(m *skinning.Model) (clip, count int) {
	if clip, err := m.ClipIndex("examples"); err == nil && len(m.Skin.Morphs) > 0 {
		return clip, len(m.Clips[clip].KeyTimes())
	}
	return -1, 0
}

// Operator pretends that the joints of the fox scale.
func (fakeFits) Operator(m *skinning.Model) (method skinning.Method, lost string) {
	if strings.HasPrefix(m.Name, "Fox") {
		return skinning.SDQS, "Methods without scale lose that joint \"head\" scales by 2."
	}
	return skinning.DQS, ""
}

// keptModels is the number of models of the last Keep.
var keptModels atomic.Int64

// Keep counts.
// Advise takes a moment for each way, and recommends the second fit.
func (f fakeFits) Advise(ctx context.Context, q fitpage.Question, doing func(string)) (*advise.Advice, error) {
	a := &advise.Advice{Model: q.Model.Name, Against: q.Reference.String(), Clips: 2, Poses: 48}
	for k, m := range append(skinning.Methods(), state.Fitted) {
		w := advise.Way{Name: m.String(), Title: m.Title(), RMS: float64(k) / 1e3, Needs: advise.Shader}
		if m == state.Fitted {
			w = advise.Way{Name: "enveloping", Title: "Enveloping", RMS: 1e-4, Needs: advise.Nothing, Live: true}
		}
		doing("fitting " + w.Name)
		select {
		case <-time.After(f.pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		a.Ways = append(a.Ways, w)
	}
	a.Choice = advise.Choice{Choose: "enveloping", Reasons: []string{"It is the closest."}, Passed: true}
	return a, nil
}

func (fakeFits) Keep(models []*skinning.Model) { keptModels.Store(int64(len(models))) }

// raised is how far the first of the others raises the skin, metres, and raising how long that takes.
const (
	raised  = 0.25
	raising = 200 * time.Millisecond
)

// Other poses as the fitted model does, and higher; the other one fails.
func (fakeFits) Other(_ context.Context, m *skinning.Model, other int) (*fit.Deformation, error) {
	if other > 0 {
		return nil, errors.New("this is for failing")
	}
	return &fit.Deformation{
		Pose: func(f *skinning.Frame) []mgl64.Vec3 {
			time.Sleep(raising)
			f.SolveProxies() // the window leaves this to the GPU
			out := slices.Clone(f.Positions(skinning.LBS))
			for v := range out {
				out[v][1] += raised
			}
			return out
		}}, nil
}

// grow pretends to fit up to so many bones.
func (f fakeFits) grow(ctx context.Context, most int, u fitpage.Update, update func(fitpage.Update),
	with func(n int) (*skinning.Model, error)) {
	start, pause := time.Now(), f.pause
	if slow.Load() {
		pause = 500 * time.Millisecond // a file is read again within two or three steps
	}
	for n := 0; n <= most; n++ {
		model, err := with(n)
		if err != nil {
			update(fitpage.Update{Done: true, Err: err})
			return
		}
		if u.Stage == "" {
			u.Share = float64(n) / float64(most)
		}
		u.Now = fit.Step{Added: n, EE: 34 * math.Exp(-float64(n)/5), Elapsed: time.Since(start), Model: of(model)}
		u.History = append(slices.Clone(u.History), u.Now)
		u.Done, u.Reason = n == most, "bone limit"
		if u.Done {
			u.Verdict, u.Worse = "Worse than linear blending in 1 of 2 clips: twist.", true
		}
		select {
		case <-ctx.Done():
			u.Done, u.Reason = true, "cancelled"
		case <-time.After(pause):
		}
		update(u)
		if u.Done {
			return
		}
	}
}

// sampledProxies is sampledBones with proxy bones, each a linear mix of its masters: the skin is that of linear
// blending.
func sampledProxies(m *skinning.Model, n int) (*skinning.Model, error) {
	blended, err := sampledBones(m, skinning.DQS, n)
	if err != nil {
		return nil, err
	}
	joints := len(m.Skeleton.Joints)
	envelope := rig.Enveloping{
		Middle: make([]mgl64.Vec3, joints), Keys: make([]rig.GradientKey, n), C1: make([]float64, 12*n*n),
		C2: make([]float64, 16*n*joints),
	}
	for j := range joints {
		envelope.Masters, envelope.Parents = append(envelope.Masters, j), append(envelope.Parents, m.Skeleton.Joints[j].Parent)
	}
	for b := range n {
		bone := &skinning.RigOf[*rig.BlendBones](blended).Bones[b]
		envelope.Keys[b] = rig.GradientKey{
			Terms:  []rig.RotationTerm{{Joint: int(bone.Masters[0]), U: bone.Weights[0], W: geom.Quat{0, 0, 0, 1}}},
			Second: -1,
		}
		envelope.C1[4*b*3*n+3*b] = 1
		for k, j := range bone.Masters {
			for row := range 4 {
				envelope.C2[(4*b+row)*4*joints+4*int(j)+row] = bone.Weights[k]
			}
		}
	}
	return rig.WithEnveloping(m, envelope, make([]mgl64.Vec3, n), blended.Skin.Influences)
}

type jointPair [2]uint16

// sampledBones spreads n blend bones over the pairs of joints: each pair's share of a vertex goes to the two samples
// next to it, as in ALNS table 2.
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
	var bones []rig.BlendBone
	first := map[jointPair]int{}
	for _, p := range pairs {
		first[p] = len(m.Skeleton.Joints) + len(bones)
		for k := range count[p] {
			u := float64(k+1) / float64(count[p]+1)
			bones = append(bones, rig.BlendBone{Masters: []uint16{p[0], p[1]}, Weights: []float64{1 - u, u}})
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
	return rig.WithBlendBones(m, operator, bones, in)
}

// lateFile is the name of a file that is not there before an export, and has come before it ends.
const lateFile = "late.glb"

// fakeExport writes what it was given, in words.
func fakeExport(path string, master, fitted *skinning.Model, ready func() error) (string, error) {
	if len(master.Added()) > 0 || len(fitted.Added()) == 0 {
		return "", fmt.Errorf("%s: the models are the wrong way round", path)
	}
	text := fmt.Sprintf("%s with %d bones", master.Name, len(fitted.Added()))
	if filepath.Base(path) == lateFile { // another program writes it while clips are baked
		if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			f.WriteString("precious")
			f.Close()
		}
	}
	if err := ready(); err != nil {
		return "", err
	}
	return text, os.WriteFile(path, []byte(text), 0o644)
}

// checkOutput is that of the program.
func checkOutput(path, ending string, reads []string, replace bool) (string, error) {
	out := assets.Output{Path: path, Endings: []string{ending}, Reads: func() []string { return reads }, Replace: replace}
	return out.Check()
}

// dropFitted loads a built-in model with blend bones, as a file that was exported has.
func dropFitted(a *app, path string) {
	load := a.loader.Options.Load
	a.loader.Options.Load = func(ctx context.Context, path, scene string, report func(string, float64)) (*skinning.Model, error) {
		m, err := load(ctx, path, scene, report)
		if err != nil {
			return nil, err
		}
		return sampledBones(m, skinning.DQS, 5)
	}
	a.Drop([]string{path})
	a.loader.Options.Load = load
}

// updatedFits are fits that end at once with an update.
type updatedFits struct {
	fakeFits
	update fitpage.Update
}

func (f *updatedFits) Fit(_ context.Context, _ *skinning.Model, _ fitpage.Request, update func(fitpage.Update)) {
	update(f.update)
}

// of is the model function of a fit's step.
func of(m *skinning.Model) func() *skinning.Model { return func() *skinning.Model { return m } }

// beginFit shows what a fit that is done has made, which the window's fits, [updatedFits], give.
func beginFit(a *app, name string, done fitpage.Update) {
	a.opt.Fit.(*updatedFits).update = done
	for a.fit.Begin(name); a.fit.Running(); time.Sleep(time.Millisecond) {
		a.fit.Receive()
	}
}
