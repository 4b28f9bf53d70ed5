package export

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/atomicfile"
	"skinlab/assets/demo"
	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/assets/gltf/bake"
	"skinlab/assets/shapefile"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/parallel"
)

// Options tune [File]. The zero value is sound.
type Options struct {
	// RMS is the fit's own RMS error over its training poses, as a fraction of the rest diagonal
	// ([metrics.Errors.RMS]). Keys are so dense that the error between them stays below a seventh of it, or below 1e-5
	// of the diagonal where that is more.
	RMS float64
	// Spare is the RMS error, as a fraction of the rest diagonal, that each clip may gain before it is worse than with
	// linear blending. No error between its keys exceeds that. 0, or no entry, sets no such bound.
	Spare []float64
	// FPS fixes the keys a second of the added joints; 0 leaves it to RMS.
	FPS float64
	// Extras are written beside the controllers under the skin's extras.skinlab, for example "ee". Values must be such
	// as encoding/json takes; a NaN or an infinity becomes null. "version", "twistSwing" and the keys of rigs are left
	// to the exporter.
	Extras map[string]any
	// Clips are written after those of the source. They animate nodes of the source but no morph weights.
	Clips []skinning.Clip
	// Hurry is closed when the user does not want to wait any longer: clips not baked by then are baked coarsely, with
	// a warning. Nil is never closed.
	Hurry <-chan struct{}
	// Workers bake side by side; 0 means GOMAXPROCS. The file does not depend on their number.
	Workers int
	// Progress receives, before every clip, the number of clips that are baked and that of all clips, on the goroutine
	// that exports. It may be nil.
	Progress func(done, of int)
	// Ready is asked by [File] once all clips are baked, right before it writes: its error ends the export, and no
	// file is touched. Nil is always ready.
	Ready func() error
}

// keyShare bounds the largest error between keys, as a share of the fit's RMS error. Half the share takes 1.4 times the
// keys.
const keyShare = 1. / 7

// leastKeyError is an error between keys that is always small enough, as a fraction of the rest diagonal.
const leastKeyError = 1e-5

// Report says what [File] wrote.
type Report struct {
	Bones      int     // added bones
	AddedNodes int     // nodes for them: two for a bone whose matrix has shear
	Clips      []Clip  // as in the model
	MaxError   float64 // the largest Error of all clips
	WorstClip  string  // the clip that has it; "" where it is 0
	Cut        int     // vertices that had more than four influences and keep the four strongest
	Bytes      int
	Warnings   []string
}

// Clip says how one clip was baked onto the added bones.
type Clip struct {
	Name  string
	Keys  int     // of all added bones: translation, rotation and scale count as three
	FPS   float64 // keys a second of the path that has most, on average over the clip
	Error float64 // the largest distance between keys from the live bones, as a fraction of the rest diagonal
}

// File writes a fitted model to a GLB file that any player shows with plain linear skinning: the document of its
// source, GLB or JSON, with the added joints as nodes, every clip baked onto them, and the new weights. Clips of other
// files' motion are written behind the source's own. All else in the document stays as it is; buffers, and pictures from files, move into the GLB. The skin's extras.skinlab hold the
// controllers that drive the bones live after loading again. Source is the name by which the fitted model was opened: a
// file, or a built-in model. [Encode] first writes a document for a built-in model or the mesh of an OBJ or PLY file.
// External files are read from the source's folder.
//
// A source that the model was not loaded from is an error, as is everything that [gltf.Open] refuses. An old file is
// replaced atomically. Where ctx is done before all clips are baked, the error wraps its own, and the old file stays.
func File(
	ctx context.Context, path, source string, fitted *skinning.Model, opt Options,
) (report Report, err error) {
	var data []byte
	var folder fs.FS
	switch {
	case strings.HasPrefix(source, demo.Prefix):
	case shapefile.Is(source):
		m, err := shapefile.OpenModel(source)
		if err != nil {
			return report, err
		}
		if data, err = Encode(m); err != nil {
			return report, err
		}
	default:
		var root *os.Root
		if data, root, err = readFile(source); err != nil {
			return report, err
		}
		defer root.Close()
		folder = root.FS()
	}
	// The output is opened only after this long step: a program that is stopped meanwhile leaves no file behind.
	x, err := newExport(ctx, data, folder, fitted, opt)
	if err != nil {
		return report, err
	}
	if opt.Ready != nil {
		if err := opt.Ready(); err != nil {
			return report, err
		}
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		report, err = x.write(w)
		return err
	})
	return report, err
}

// readFile reads a glTF file and opens its folder, from which its buffers and pictures are read.
func readFile(path string) (data []byte, folder *os.Root, err error) {
	if data, err = gltf.ReadFile(path); err != nil {
		return nil, nil, err
	}
	if folder, err = os.OpenRoot(filepath.Dir(path)); err != nil {
		return nil, nil, fault.OnFile(path, err)
	}
	return data, folder, nil
}

// newExport does everything that [File] does except the writing. A nil source stands for a built-in model. A nil fsys
// refuses external files. A done context ends the baking with an error that wraps its own.
func newExport(
	ctx context.Context, source []byte, fsys fs.FS, fitted *skinning.Model, opt Options,
) (x *exporter, err error) {
	defer func() {
		if r := recover(); r != nil {
			x, err = nil, fault.Internal(fitted.Name, "writing the fit", r)
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
	d, err := gltf.ReadSource(source, fsys, sceneOf(fitted))
	if err != nil {
		return nil, fault.InFile(fitted.Name, err)
	}
	if i := fitted.Scene; len(fitted.Scenes) > 0 && (d.Doc.Scene != nil || i > 0) {
		d.Doc.Scene = &i // it opens as the model that was fitted
	}
	own, motions := withoutMotions(fitted, len(d.Model.Clips))
	opt.Clips = append(motions, opt.Clips...)
	x = &exporter{Source: d, ctx: ctx, fitted: fileClips(own, len(d.Model.Clips)), opt: opt}
	if d.Decompressed != "" {
		x.orphaned = true // nothing reads the compressed bytes
		x.warn("the original is compressed with %s, this file is not: gltf-transform meshopt compresses it again",
			d.Decompressed)
	}
	if err := x.run(); err != nil {
		return nil, fault.InFile(fitted.Name, err)
	}
	return x, nil
}

// sceneOf names the scene of its file that a model shows.
func sceneOf(m *skinning.Model) string {
	if len(m.Scenes) == 0 {
		return ""
	}
	return "#" + strconv.Itoa(m.Scene)
}

func (x *exporter) write(w io.Writer) (report Report, err error) {
	x.report.Bytes, err = gltf.Write(w, &x.Doc, x.Paths, x.bin)
	return x.report, err
}

// warn adds a warning to the report.
func (x *exporter) warn(format string, args ...any) {
	x.report.Warnings = append(x.report.Warnings, fmt.Sprintf(format, args...))
}

// exporter adds a fit to a document.
type exporter struct {
	*gltf.Source // its document becomes the result; newExport has read it, and nothing else does
	ctx          context.Context
	out          *writer
	accessors    []bool // by accessor of the source: something refers to it
	views        []bool // by buffer view of the source: something refers to it
	orphaned     bool   // some bytes of the source's buffers belong to no view: dropped views', or compressed ones
	bin          []byte // the result's binary chunk
	fitted       *skinning.Model
	opt          Options
	report       Report
	bones        []bake.Bone
	parentOf     []int             // by bone, the node that its node becomes a child of; −1 for none
	skinPlans    map[int]*skinPlan // by the file's skin
	jointNode    []int             // by bone, the node that is the joint
	outerNode    []int             // by bone, its node, or the outer one of two
	morphs       morphPlan
	fromFile     []bool // by rig of the fitted model: an earlier fit has left it in the file, and it stays as it is
}

// masters returns the number of joints of the file.
func (x *exporter) masters() int { return len(x.Model.Skeleton.Joints) }

func (x *exporter) run() error {
	x.bindRigid()
	if err := x.checkSource(); err != nil {
		return err
	}
	x.out = newWriter(&x.Doc)
	x.accessors = referred(&x.Doc, len(x.Doc.Accessors), renumberAccessors)
	x.views = referred(&x.Doc, len(x.Doc.BufferViews), renumberViews)
	x.planSkins()
	x.planMorphs()
	x.embedPictures()
	x.dropChannels()
	x.shareRoots()
	x.replaceChannels()
	x.addOwnClips()
	x.dropUnlearnt()
	x.fillEmptyClips()
	if err := x.addClips(); err != nil {
		return err
	}
	if err := x.addBones(); err != nil {
		return err
	}
	x.fillStillClips()
	for i, skin := range x.Doc.Skins {
		if p := x.skinPlans[i]; p != nil {
			x.extendSkin(i, p)
		} else {
			x.putControllers(skin, nil)
		}
	}
	x.bindMeshes()
	if n := len(x.Unknown); n > 0 {
		x.warn("%d properties that glTF does not have are left out: %s first", n, fault.Shorten(x.Unknown[0]))
	}
	for _, in := range x.Model.Skin.Inputs {
		if method, ok := in.Method(); ok && x.fitted.Skin.Input(in.Input) == nil {
			what := "the second weight set"
			if in.Components > 0 {
				what = "the attribute " + gltf.Attribute(in.Input)
			}
			x.warn("%s, of %v, is left out: the new weights are made for linear skinning", what, method)
		}
	}
	if n := x.report.Cut; n > 0 {
		x.warn("%d vertices have more than four influences and keep the four strongest", n)
	}
	x.dropOrphans()
	x.bin = x.gatherBuffers()
	return nil
}

// dropUnlearnt takes the clips of which the fit knows no motion out of the document and of the fitted model.
func (x *exporter) dropUnlearnt() {
	if !slices.ContainsFunc(x.fitted.Clips, func(c skinning.Clip) bool { return c.Unlearnt }) {
		return
	}
	known, spare := *x.fitted, x.opt.Spare
	known.Clips, x.opt.Spare = nil, nil
	var animations []*qgltf.Animation
	for i, c := range x.fitted.Clips {
		if c.Unlearnt {
			continue
		}
		known.Clips, animations = append(known.Clips, c), append(animations, x.Doc.Animations[i])
		if i < len(spare) {
			x.opt.Spare = append(x.opt.Spare, spare[i])
		}
	}
	x.fitted, x.Doc.Animations = &known, animations
}

// addClips adds the clips of the options to the document and to the fitted model, which is baked in them too.
func (x *exporter) addClips() error {
	all, clips := *x.fitted, *x.fitted
	clips.Clips = x.opt.Clips
	all.Clips = append(slices.Clip(x.fitted.Clips), x.opt.Clips...)
	x.fitted = &all
	return (&encoder{writer: x.out, m: &clips}).clips()
}

// addBones gives the added joints parents, bakes the clips onto them, and adds their nodes and keys.
func (x *exporter) addBones() error {
	if len(x.bones) == 0 {
		return nil
	}
	x.placeBones()
	diagonal := x.fitted.Diagonal()
	tolerance := math.Max(x.opt.RMS*keyShare, leastKeyError) * diagonal
	spare := make([]float64, len(x.opt.Spare))
	for i, s := range x.opt.Spare {
		spare[i] = s * diagonal
	}
	b := bake.New(x.ctx, x.fitted, x.bones, bake.Settings{Tolerance: tolerance, Clips: spare, Rate: x.opt.FPS,
		Workers: parallel.Workers(x.opt.Workers), Budget: bake.Budget(x.size()), Hurry: x.opt.Hurry, Progress: x.opt.Progress})
	clips, err := b.BakeAll()
	if err != nil {
		return err
	}
	x.report.Bones = len(x.bones)
	hurried := 0
	for i := range clips {
		c := &clips[i]
		report := Clip{Name: x.fitted.Clips[i].Name}
		for k := range c.Tracks {
			for path := range c.Tracks[k] {
				times := c.Tracks[k][path].Times
				report.Keys += len(times)
				if seconds := float64(times[len(times)-1]) - float64(times[0]); seconds > 0 {
					report.FPS = math.Max(report.FPS, float64(len(times)-1)/seconds)
				}
			}
		}
		if diagonal > 0 {
			report.Error = c.Error / diagonal
		}
		x.report.Clips = append(x.report.Clips, report)
		if report.Error > x.report.MaxError {
			x.report.MaxError, x.report.WorstClip = report.Error, report.Name
		}
		switch {
		case c.Hurried:
			hurried++
		case x.opt.FPS == 0 && c.Loose():
			x.warn("clip %q: between keys the added bones are off by up to %s, %s is allowed: no number of keys follows them",
				report.Name, messages.ReportLength(report.Error, diagonal), messages.ReportLength(c.Allowed/diagonal, diagonal))
		}
	}
	if hurried > 0 {
		why := "the file has more motion than its size lets expect"
		if b.Cancelled() {
			why = "cancelled"
		}
		played := "the fit's errors are without that"
		if len(x.fitted.Rigs) > 0 {
			played = "skinlab drives the bones live as they were fitted"
		}
		x.warn("%s: %d of %d clips are baked coarsely, off by up to %s between keys; %s", why, hurried, len(clips),
			messages.ReportLength(x.report.MaxError, diagonal), played)
	}
	x.warnUnshown()
	x.addNodes()
	x.addKeys(clips)
	x.noteWays()
	return nil
}

// unevenRest is the ratio between two scales, along two axes of a joint at rest or of two joints as they are bound,
// above which Blender shows vertices elsewhere.
const unevenRest = 1.01

// warnUnshown warns of what Blender's bones cannot have: added bones whose nodes rest mirrored, and joints of the file
// that rest scaled unevenly, which misplaces the bones below them. [bake.Baker.BakeAll] has given the bones their rest
// transforms.
func (x *exporter) warnUnshown() {
	var mirrored, uneven []string
	for k := range x.bones {
		if s := x.bones[k].Rest.Scale; s[0]*s[1]*s[2] < 0 {
			mirrored = append(mirrored, x.fitted.Skeleton.Joints[x.bones[k].Joint].Name)
		}
	}
	for _, joint := range x.Model.Skeleton.Joints {
		s := x.Model.Skeleton.Nodes[joint.Node].Rest.Scale
		a, b, c := math.Abs(s[0]), math.Abs(s[1]), math.Abs(s[2])
		if max(a, b, c) > unevenRest*min(a, b, c) {
			uneven = append(uneven, joint.Name)
		}
	}
	if n := x.mixedScales(); n > 0 {
		x.warn("%s joints that are bound at different scales: Blender shows them elsewhere, in the original file too where they "+
			"do so there", messages.Count(n, "vertex follows", "vertices follow"))
	}
	if n := len(mirrored); n > 0 {
		x.warn("%s mirrored, %s first: Blender cannot show a mirrored bone",
			messages.Count(n, "added bone rests", "added bones rest"), fault.Shorten(mirrored[0]))
	}
	if n := len(uneven); n > 0 {
		x.warn("%s scaled unevenly, %s first: Blender shows what follows them, and added bones too, elsewhere",
			messages.Count(n, "joint rests", "joints rest"), fault.Shorten(uneven[0]))
	}
}

// mixedScales counts the vertices that follow joints bound at different scales in the fitted model. Blender's bones are
// bound without scale. Its importer poses the mesh by linear blending once more for that, which misplaces such vertices.
func (x *exporter) mixedScales() (count int) {
	scale := make([]float64, len(x.fitted.Skeleton.Joints)) // of the inverse bind matrices, mean of the axes
	of := func(a geom.Affine) float64 { return math.Cbrt(math.Abs(a.Linear().Det())) }
	for j := range scale {
		scale[j] = of(x.fitted.Skeleton.Joints[j].FromRest)
	}
	for k := range x.bones {
		scale[x.bones[k].Joint] = of(x.bones[k].FromRest)
	}
	var buf []skinning.Influence
	mixes := func(v int) bool {
		least, most := math.Inf(1), 0.0
		buf = x.fitted.Skin.Of(buf[:0], v)
		for _, f := range buf {
			least, most = min(least, scale[f.Joint]), max(most, scale[f.Joint])
		}
		return most > unevenRest*least
	}
	for v := range x.fitted.Skin.Positions {
		if mixes(v) {
			count++
		}
	}
	return count
}
