package transfer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning/parallel"
)

// The search for the first frame compares the known poses of the body with frames of the sequence. Known are the bind
// pose and at most startPoses poses of the body's clips. At most startFrames frames are compared.
const (
	startPoses    = 48
	startFrames   = 32
	startPairs    = 8 // of pose and frame, the most alike, are aligned
	startSearches = 6 // of the alignments, the best, have their limbs searched
	startFits     = 3 // of these, the best, are fitted: which of them was right shows only then
	finalSearches = 4 // and in the best of all the limbs are searched again among more points

	shapePoints = 256 // of a surface stand for it where shapes are compared
	alignPoints = 128 // and where they are aligned
)

// beginning is a pose of the body in a frame of the sequence.
type beginning struct {
	frame int
	pose  bodymodel.Pose
	cost  float64
}

// start finds a frame whose pose is similar to a known one, see [Options.Start] and [Options.Pose], and fits the body
// to it.
func (t *transfer) start(ctx context.Context, opt *Options) (*beginning, error) {
	t.progress("comparing with known poses", 0, 0)
	known := t.rig.knownPoses(opt.Pose)
	areas := vertexAreas(t.rig.body.Vertices, t.rig.mesh.triangles)
	marks, alignMarks := sample(areas, shapePoints), sample(areas, alignPoints)
	shapes, ofPose := make([][]mgl64.Vec3, len(known)), make([]profile, len(known))
	parallel.For(t.workers, len(known), func(w, i int) {
		shapes[i] = make([]mgl64.Vec3, len(t.rig.body.Vertices))
		t.posers[w].set(&known[i])
		t.posers[w].shape(shapes[i])
		ofPose[i] = newProfile(pick(shapes[i], marks))
	})
	frames := opt.Start
	if len(frames) == 0 {
		frames = spread(len(t.sequence.Frames), startFrames)
	}
	targets, ofFrame := make([]*target, len(frames)), make([]profile, len(frames))
	parallel.For(t.workers, len(frames), func(_, i int) {
		targets[i] = newTarget(t.sequence.frame(frames[i]), shapePoints)
		ofFrame[i] = newProfile(pick(targets[i].frame.Positions, targets[i].chosen))
	})
	if err := checkUnits(t.sequence, ofFrame[0].median(), ofPose[0].median()); err != nil {
		return nil, err
	}
	pairs := likePairs(ofPose, ofFrame)
	aligned := make([][]alignment, len(pairs))
	t.each(ctx, "aligning a known pose", len(pairs), func(_, i int) {
		pose, frame := pairs[i][0], pairs[i][1]
		target := newTarget(targets[frame].frame, alignPoints)
		aligned[i] = newAligner(shapes[pose], t.rig.mesh.triangles, alignMarks, target).best()
		for k := range aligned[i] {
			aligned[i][k].pair = i
		}
	})
	all := slices.Concat(aligned...)
	sortAlignments(all)
	all = all[:min(len(all), startSearches)]
	found := make([]beginning, len(all))
	t.each(ctx, "searching the limbs", len(all), func(w, i int) {
		pose, frame := pairs[all[i].pair][0], pairs[all[i].pair][1]
		found[i] = beginning{frame: frames[frame], pose: moved(&known[pose], all[i].turn, all[i].shift)}
		found[i].cost = newSearch(t.posers[w], targets[frame], known, 1).run(&found[i].pose)
	})
	slices.SortStableFunc(found, func(a, b beginning) int { return cmp.Compare(a.cost, b.cost) })
	found = found[:min(len(found), startFits)]
	t.each(ctx, "fitting the first frame", len(found), func(w, i int) {
		target := newTarget(t.sequence.frame(found[i].frame), matchPoints)
		found[i].cost = t.posers[w].approach(ctx, target, &found[i].pose, firstFrame)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best := slices.MinFunc(found, func(a, b beginning) int { return cmp.Compare(a.cost, b.cost) })
	b := t.searchAgain(ctx, best, known)
	if reach := 2 * firstFrame.lastReach * t.size; b.cost > reach*reach/3 {
		return nil, fmt.Errorf("%w: %s: in no frame that was tried do two thirds of it and of the body come near to each "+
			"other: it needs a frame like the bind pose or a pose of the body's clips, or a given one", errSequence,
			t.sequence.Name)
	}
	return b, ctx.Err()
}

// searchAgain repeats the search of a fitted frame with more points, and the fit after it, as long as that lowers the
// distance.
func (t *transfer) searchAgain(ctx context.Context, best beginning, known []bodymodel.Pose) *beginning {
	s, target := t.posers[0], newTarget(t.sequence.frame(best.frame), matchPoints)
	for k := range finalSearches {
		t.progress("searching the limbs again", k, finalSearches)
		next := beginning{frame: best.frame, pose: clonePose(&best.pose)}
		newSearch(s, target, known, densePoints).run(&next.pose)
		next.cost = s.approach(ctx, target, &next.pose, firstFrame)
		if !(next.cost < best.cost) {
			break
		}
		best = next
	}
	return &best
}

// spread returns at most most of the numbers 0 to n−1, evenly spread.
func spread(n, most int) []int {
	most = min(n, most)
	out := make([]int, most)
	for k := range out {
		out[k] = (2*k + 1) * n / (2 * most)
	}
	return out
}
