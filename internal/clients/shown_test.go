package clients_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/internal/clients"
	"skinlab/skinning"
)

// modes are the ways that a file's queries ask for its clips.
var modes = [2]string{"each clip alone", "each clip after each other"}

const scripts = "../../assets/gltf/export/testdata/clients"

// fractions are the times of a clip that are looked at, of its length.
var fractions = []float64{0, 0.23, 0.5, 0.81, 1}

// shownFile is a file, and how it should look at the poses that clients are asked for.
type shownFile struct {
	path        string
	model       *skinning.Model
	fit         string  // "" for a model as it is
	stated      float64 // the error between keys that its export states, as a fraction of the diagonal
	queries     [2]clients.Query
	live, baked map[clients.Pose][]mgl64.Vec3
	part        map[[2]int]skinning.Part // by node and primitive
	named       []bool                   // by vertex: some triangle has it
	vertices    int                      // that are named
	diagonal    float64
}

// show opens a file and asks for its poses: each of so many clips alone, and each after each other.
func show(path, fit string, stated float64, most int) (*shownFile, error) {
	m, err := assets.Open(path)
	if err != nil {
		return nil, err
	}
	f := &shownFile{path: path, model: m, fit: fit, stated: stated, part: map[[2]int]skinning.Part{},
		named: make([]bool, len(m.Skin.Positions)), diagonal: m.Diagonal()}
	for _, p := range m.Skin.Parts {
		f.part[[2]int{p.Node, p.Primitive}] = p
	}
	for _, t := range m.Skin.Triangles {
		for _, v := range t {
			if !f.named[v] {
				f.named[v] = true
				f.vertices++
			}
		}
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	alone := []clients.Pose{{Clip: -1}}
	at := func(clip, time int) clients.Pose {
		return clients.Pose{Clip: clip, Time: fractions[time%len(fractions)] * m.Clips[clip].Seconds}
	}
	clips := spread(len(m.Clips), most)
	for _, c := range clips {
		for k := range fractions {
			alone = append(alone, at(c, k))
		}
	}
	var after []clients.Pose
	for _, c := range everyPair(clips) {
		after = append(after, at(c, len(after)))
	}
	f.queries = [2]clients.Query{{File: absolute, Poses: alone}, {File: absolute, After: true, Poses: after}}
	f.live, f.baked = f.references(false), f.references(true)
	return f, nil
}

// spread returns so many of n clips at most, as far apart as can be.
func spread(n, most int) (clips []int) {
	for c := range min(n, most) {
		clips = append(clips, c*n/min(n, most))
	}
	return clips
}

// everyPair walks over clips so that each follows each other one once, and ends where it began: 0 1 0 2 1 2 0 for
// three.
func everyPair(clips []int) (walk []int) {
	for i := range clips {
		for _, later := range clips[i+1:] {
			walk = append(walk, clips[i], later)
		}
	}
	if len(clips) > 0 {
		walk = append(walk, clips[0])
	}
	return walk
}

// references poses the model by plain linear blending, float64: driven live, or as its baked nodes say.
func (f *shownFile) references(baked bool) map[clients.Pose][]mgl64.Vec3 {
	out := map[clients.Pose][]mgl64.Vec3{}
	frame := skinning.NewFrame(f.model, nil)
	pose := f.model.NewPose()
	for _, q := range f.queries {
		for _, p := range q.Poses {
			if out[p] == nil {
				// Files that rest in their bind pose show the mesh as it was bound, beside what some fits do live.
				frame.Baked = baked || p.Clip < 0
				f.model.SamplePose(pose, p.Clip, p.Time)
				frame.SetPose(pose)
				out[p] = frame.Positions(skinning.LBS)
			}
		}
	}
	return out
}

// apart is how far a client is off: at each pose of a query the largest distance of a vertex from the live bones and
// from the baked nodes, as fractions of the rest diagonal.
type apart struct {
	live, baked []float64
}

// largest returns the largest distance from the live bones, leaving some poses out, and the pose that has it; NaN where
// there is one.
func (a apart) largest(leftOut []bool) (worst float64, pose int) {
	for k, d := range a.live {
		if leftOut != nil && leftOut[k] {
			continue
		}
		if !(d <= worst) {
			worst, pose = d, k
		}
		if math.IsNaN(d) {
			break
		}
	}
	return worst, pose
}

// beyond returns by how much the distance from the live bones is larger than that of another file at the same pose, and
// elsewhere of that, at the pose where that is most, leaving some poses out.
func (a apart) beyond(other apart, leftOut []bool) (worst float64, pose int) {
	more := apart{live: make([]float64, len(a.live))}
	for k, d := range a.live {
		more.live[k] = d - (1+elsewhere)*other.live[k]
	}
	return more.largest(leftOut)
}

// disturbed tells of each pose of a query whether the file itself is further off there than with its clip alone: a clip
// that was shown before has moved what this one leaves out.
func (f *shownFile) disturbed(mode int, off [2]apart) []bool {
	alone := map[clients.Pose]float64{}
	for k, p := range f.queries[0].Poses {
		alone[p] = off[0].live[k]
	}
	out := make([]bool, len(f.queries[mode].Poses))
	for k, p := range f.queries[mode].Poses {
		out[k] = !(off[mode].live[k] <= alone[p]+rounding)
	}
	return out
}

// compare holds a pose that a client shows against ours.
func (f *shownFile) compare(
	p clients.Pose, parts []clients.Part, positions []float64,
) (live, baked float64, err error) {
	seen := 0
	wantLive, wantBaked := f.live[p], f.baked[p]
	for _, part := range parts {
		ours, ok := f.part[[2]int{part.Node, part.Primitive}]
		if !ok {
			return 0, 0, fmt.Errorf("%s: node %d, primitive %d is no skinned part", f.path, part.Node, part.Primitive)
		}
		for k := range part.Count {
			v := k
			if part.Vertices != nil {
				v = part.Vertices[k]
			}
			if v >= ours.VertexCount {
				return 0, 0, fmt.Errorf("%s: vertex %d of %d in node %d", f.path, v, ours.VertexCount, part.Node)
			}
			v += ours.FirstVertex
			if f.named[v] {
				seen++
			}
			at := mgl64.Vec3(positions[3*k : 3*k+3])
			live = math.Max(live, at.Sub(wantLive[v]).Len()/f.diagonal)
			baked = math.Max(baked, at.Sub(wantBaked[v]).Len()/f.diagonal)
		}
		positions = positions[3*part.Count:]
	}
	if seen != f.vertices {
		err = fmt.Errorf("%s: %d vertices of triangles compared, expected %d", f.path, seen, f.vertices)
	}
	return live, baked, err
}

// measure asks a client for all files, each clip alone and each after each other.
func measure(ctx context.Context, c clients.Client, files []*shownFile) ([][2]apart, error) {
	var queries []clients.Query
	for _, f := range files {
		queries = append(queries, f.queries[:]...)
	}
	off := make([][2]apart, len(files))
	err := c.Run(ctx, scripts, queries, func(query, pose int, parts []clients.Part, positions []float64) error {
		live, baked, err := files[query/2].compare(queries[query].Poses[pose], parts, positions)
		a := &off[query/2][query%2]
		a.live, a.baked = append(a.live, live), append(a.baked, baked)
		return err
	})
	return off, err
}
