package assets

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"

	"skinlab/skinning"
)

// ExportOptions tune [ExportFitted]. The zero value is sound.
type ExportOptions struct {
	// RMS is the fit's own RMS error over its training poses, as a fraction of the rest diagonal ([metrics.Errors.RMS]).
	// Clips are keyed so densely that the error between keys stays under a seventh of it, or under 1e-5 of the diagonal
	// where that is more.
	RMS float64
	// FPS fixes the keys a second of the added joints; 0 leaves it to RMS.
	FPS float64
	// Extras joins the controllers under the skin's extras.skinlab: "ee", say. Values are what encoding/json takes; a NaN
	// or an infinity becomes null. The names "version", "blendBones" and "enveloping" are taken.
	Extras map[string]any
	// Hurry, once it is closed, has the clips that are left baked coarsely, with a warning: the user does not want to wait
	// for them, and not to lose the fit. Nil is never closed.
	Hurry <-chan struct{}
	// Workers bake side by side; 0 means GOMAXPROCS. What is written does not depend on it.
	Workers int
	// Progress is told before every clip how many of how many are baked, on the goroutine that exports; nil for none.
	Progress func(done, of int)
	// Ready is asked by [ExportFile] once all clips are baked, right before it writes: its error ends the export, and no
	// file is touched. Nil is always ready.
	Ready func() error
}

// keyShare is what of the fit's RMS error the largest error between keys may be. Half the share takes 1.4 times the keys.
const keyShare = 1. / 7

// leastKeyError is the error between keys that is never worth more keys, as a fraction of the rest diagonal.
const leastKeyError = 1e-5

// ExportReport says what [ExportFitted] wrote.
type ExportReport struct {
	Bones      int            // added bones
	AddedNodes int            // nodes for them: two for a bone whose matrix has shear
	Clips      []ExportedClip // as in the model
	MaxError   float64        // the largest Error of all clips
	Cut        int            // vertices that had more than four influences and keep the four strongest
	Bytes      int
	Warnings   []string
}

// ExportedClip says how one clip was baked onto the added bones.
type ExportedClip struct {
	Name  string
	Keys  int     // of all added bones, of their translations, rotations and scales apart
	FPS   float64 // of the path that has most keys, on average; they stand closer where the motion asks for it
	Error float64 // the largest distance between keys from the live bones, as a fraction of the rest diagonal
}

// ExportFitted writes a fitted model as a GLB that any player shows with plain linear skinning: the document of source,
// GLB or JSON, from which fitted's masters were loaded, with the added joints as nodes, every clip baked onto them, and
// the new weights. All else in the document stays as it is; buffers, and pictures from files, move into the GLB. The
// skin's extras.skinlab hold what drives the bones live after loading again.
//
// External files are read from fsys, the source's folder; nil refuses them. A nil source stands for a built-in model:
// its masters are written by [Encode] first. A source that the model was not loaded from is an error, as is everything
// that [Open] refuses. Write to a file through [WriteFileAtomic], so that an interrupted export leaves the old one.
func ExportFitted(
	w io.Writer, source []byte, fsys fs.FS, fitted *skinning.Model, opt ExportOptions,
) (ExportReport, error) {
	x, err := newExport(context.Background(), source, fsys, fitted, opt)
	if err != nil {
		return ExportReport{}, err
	}
	return x.write(w)
}

// newExport does all of [ExportFitted] but the writing. A done context ends the baking with an error that wraps its
// own.
func newExport(
	ctx context.Context, source []byte, fsys fs.FS, fitted *skinning.Model, opt ExportOptions,
) (x *exporter, err error) {
	defer func() {
		if r := recover(); r != nil {
			x, err = nil, fmt.Errorf("%s: internal error in writing the fit, please report: %v", fitted.Name, r)
		}
	}()
	if !(opt.FPS >= 0 && opt.FPS <= 10000) || !(opt.RMS >= 0) {
		return nil, fmt.Errorf("export: %g keys a second and an RMS error of %g, expected numbers from 0 on", opt.FPS,
			opt.RMS)
	}
	if source == nil {
		fitted = builtInClips(fitted)
		if source, err = Encode(masterModel(fitted)); err != nil {
			return nil, err
		}
	}
	d, err := readDocument(source, fsys, progress{})
	if err != nil {
		return nil, inFile(fitted.Name, err)
	}
	x = &exporter{decoder: d, ctx: ctx, fitted: fileClips(fitted, len(d.model.Clips)), opt: opt}
	if err := x.run(); err != nil {
		return nil, inFile(fitted.Name, err)
	}
	return x, nil
}

func (x *exporter) write(w io.Writer) (ExportReport, error) {
	counted := &countingWriter{to: w}
	err := x.out.writeGLB(counted)
	x.report.Bytes = counted.bytes
	return x.report, err
}

type countingWriter struct {
	to    io.Writer
	bytes int
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += n
	return n, err
}

// exporter adds a fit to a document.
type exporter struct {
	*decoder  // the source
	ctx       context.Context
	out       *treeWriter
	fitted    *skinning.Model
	opt       ExportOptions
	report    ExportReport
	bones     []bakedBone
	hangOn    []int             // the node that a bone's node becomes a child of, −1 for none
	skinPlans map[int]*skinPlan // by the file's skin
	boneNode  []int             // the node that is the joint, per bone
	morphs    morphPlan
	kept      []bool // by rig of the fitted model: it is from the file, and stays as it is
}

// masters returns the number of joints that are not added by the fit.
func (x *exporter) masters() int { return len(x.model.Skeleton.Joints) }

func (x *exporter) run() error {
	if err := x.checkSource(); err != nil {
		return err
	}
	var err error
	if x.out, err = parseTree(x.text); err != nil {
		return err
	}
	if err := x.checkTree(); err != nil {
		return err
	}
	x.planSkins()
	x.planMorphs()
	x.gatherBuffers(x.findOrphans())
	x.embedPictures()
	x.dropWeightChannels()
	x.shareRoots()
	x.holdClips()
	if err := x.addBones(); err != nil {
		return err
	}
	for i := range x.doc.Skins {
		if p := x.skinPlans[i]; p != nil {
			x.extendSkin(i, p)
		} else {
			x.putControllers(x.out.at("skins", i), nil)
		}
	}
	if err := x.bindMeshes(); err != nil {
		return err
	}
	if n := x.report.Cut; n > 0 {
		x.report.Warnings = append(x.report.Warnings,
			fmt.Sprintf("%d vertices have more than four influences and keep the four strongest", n))
	}
	x.out.compact()
	return nil
}

// checkSource compares the model that the source holds with the one that was fitted.
func (x *exporter) checkSource() error {
	m, f := x.model, x.fitted
	differ := func(what string, have, want int) error {
		return fmt.Errorf("the file is not the one that the fitted model comes from: %d %s, the model has %d", have, what,
			want)
	}
	added, err := x.checkAdded()
	switch {
	case err != nil:
		return err
	case len(f.Skeleton.Joints) != x.masters()+added:
		return differ("joints", x.masters(), len(f.Skeleton.Joints)-added)
	case len(f.Skeleton.Nodes) < len(m.Skeleton.Nodes):
		return differ("nodes", len(m.Skeleton.Nodes), len(f.Skeleton.Nodes))
	case len(f.Skin.Bindings) != len(m.Skin.Positions):
		return differ("skinned vertices", len(m.Skin.Positions), len(f.Skin.Bindings))
	case len(f.Clips) != len(m.Clips):
		return differ("clips", len(m.Clips), len(f.Clips))
	case len(f.Skin.Parts) != len(m.Skin.Parts):
		return differ("skinned parts", len(m.Skin.Parts), len(f.Skin.Parts))
	}
	for j := range m.Skeleton.Joints {
		if m.Skeleton.Joints[j].Node != f.Skeleton.Joints[j].Node {
			return fmt.Errorf("the file is not the one that the fitted model comes from: joint %d is another node", j)
		}
	}
	for i, p := range m.Skin.Parts {
		if q := f.Skin.Parts[i]; p.Node != q.Node || p.VertexCount != q.VertexCount {
			return fmt.Errorf("the file is not the one that the fitted model comes from: part %d is another mesh", i)
		}
	}
	return f.Skin.Influences.Validate(len(f.Skeleton.Joints))
}

// checkTree makes sure that the generic tree has the lists that the checked document has: the two decoders differ on
// keys of another case and on keys given twice.
func (x *exporter) checkTree() error {
	for _, l := range []struct {
		name string
		want int
	}{
		{"nodes", len(x.doc.Nodes)}, {"skins", len(x.doc.Skins)}, {"meshes", len(x.doc.Meshes)},
		{"buffers", len(x.doc.Buffers)},
		{"bufferViews", len(x.doc.BufferViews)}, {"accessors", len(x.doc.Accessors)}, {"animations", len(x.doc.Animations)},
		{"images", len(x.doc.Images)}, {"scenes", len(x.doc.Scenes)},
	} {
		have := x.out.list(l.name)
		for i := range have {
			if have[i] == nil {
				have[i] = dict{} // a null counts as an object without properties
			}
			if _, ok := have[i].(dict); !ok {
				return malformed("%s: element %d is no object", l.name, i)
			}
		}
		if len(have) != l.want {
			return malformed("%s: %d elements, expected %d", l.name, len(have), l.want)
		}
	}
	return nil
}

// size returns how many bytes the source has, with the buffers beside it.
func (x *exporter) size() int {
	n := len(x.text)
	for _, data := range x.buffers {
		n += len(data)
	}
	return n
}

// addBones decides where added joints hang, bakes them and writes their nodes and keys.
func (x *exporter) addBones() error {
	if len(x.bones) == 0 {
		return nil
	}
	x.placeBones()
	diagonal := x.fitted.Diagonal()
	tolerance := math.Max(x.opt.RMS*keyShare, leastKeyError) * diagonal
	workers := x.opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	warn := func(warning string) { x.report.Warnings = append(x.report.Warnings, warning) }
	b := newBaker(x.fitted, x.bones, tolerance, x.opt.FPS, workers)
	b.ctx, b.hurry, b.progress, b.warn = x.ctx, x.opt.Hurry, x.opt.Progress, warn
	b.budget = max(leastBakeBudget, x.size())
	clips, err := b.bakeAll()
	if err != nil {
		return err
	}
	x.report.Bones = len(x.bones)
	hurried := 0
	for i := range clips {
		c := &clips[i]
		report := ExportedClip{Name: x.fitted.Clips[i].Name}
		for k := range c.tracks {
			for path := range c.tracks[k] {
				times := c.tracks[k][path].times
				report.Keys += len(times)
				if seconds := float64(times[len(times)-1]) - float64(times[0]); seconds > 0 {
					report.FPS = math.Max(report.FPS, float64(len(times)-1)/seconds)
				}
			}
		}
		if diagonal > 0 {
			report.Error = c.error / diagonal
		}
		x.report.Clips = append(x.report.Clips, report)
		x.report.MaxError = math.Max(x.report.MaxError, report.Error)
		switch {
		case c.hurried:
			hurried++
		case x.opt.FPS == 0 && c.loose():
			warn(fmt.Sprintf("clip %q: between keys the added bones are off by up to %.1e of the diagonal, "+
				"%.1e is allowed: no number of keys follows them", report.Name, report.Error, c.allowed/diagonal))
		}
	}
	if hurried > 0 {
		why := "the file has more motion than its size lets expect"
		if b.cancelled() {
			why = "cancelled"
		}
		warn(fmt.Sprintf("%s: %d of %d clips are baked coarsely, off by up to %.1e of the diagonal between keys; "+
			"skinlab drives the bones live as they were fitted", why, hurried, len(clips), x.report.MaxError))
	}
	strained := 0
	for k := range x.bones {
		if x.bones[k].strained {
			strained++
		}
	}
	if strained > 0 {
		warn(fmt.Sprintf("%d added bones are bound with a stretch, as the file rests in another pose than its bind pose and has "+
			"no clip: Blender's importer drops it, and is slightly off where they move", strained))
	}
	x.addKeys(clips, x.addNodes())
	return nil
}
