package transfer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/parallel"
	"skinlab/skinning/stress"
)

// The paper begins with a frame whose pose is similar to a given one, see [Options.Start] and [Options.Pose]. Where
// these are not given, frames and poses of the body's clips are compared: spread over their time, at most startPoses of
// each.
const (
	startPoses = 48
	// startPairs pairs of a pose and a frame, the most alike, are aligned rigidly, each from as many directions. Of
	// all these alignments the best startSearches have their limbs searched, and of these the best startFits are
	// fitted.
	startPairs    = 8
	startSearches = 6
	startFits     = 3
	finalSearches = 4 // and in the best of all the limbs are searched again among more points
	// startPoints stand for a surface where shapes are compared and aligned.
	startPoints = 256
)

// beginning is a pose of the body in a frame of the sequence.
type beginning struct {
	frame int
	pose  bodymodel.Pose
	cost  float64 // mean squared distance of the surfaces, m²
}

// start fits the body to a frame whose pose is similar to a known one.
func (t *transfer) start(ctx context.Context, opt *Options) (*beginning, error) {
	t.progress("comparing with known poses", 0, 0)
	poses, frames := t.rig.knownPoses(opt.Pose), opt.Start
	if len(frames) == 0 {
		frames = spread(len(t.sequence.Frames), startPoses)
	}
	chosen := sample(vertexAreas(t.rig.body.Vertices, t.rig.mesh.triangles), startPoints)
	known, targets := make([]knownPose, len(poses)), make([]startTarget, len(frames))
	parallel.For(t.workers, len(poses), func(w, i int) { known[i] = t.posers[w].knownPose(&poses[i], chosen) })
	parallel.For(t.workers, len(frames), func(_, i int) {
		x := newTarget(t.sequence.frame(frames[i]), startPoints)
		targets[i] = startTarget{x, frames[i], newProfile(pick(x.frame.Positions, x.chosen))}
	})
	if err := checkUnits(t.sequence, targets[0].profile.median(), known[0].profile.median()); err != nil {
		return nil, err
	}
	pairs := likePairs(known, targets)
	aligned := make([][]beginning, len(pairs))
	t.each(ctx, "aligning a known pose", len(pairs), func(_, i int) { aligned[i] = pairs[i].align(t.rig.mesh.triangles) })
	found := slices.Concat(aligned...)
	sortByCost(found)
	found = found[:min(len(found), startSearches)]
	t.each(ctx, "searching the limbs", len(found), func(w, i int) {
		target := newTarget(t.sequence.frame(found[i].frame), startPoints)
		found[i].cost = newSearch(t.posers[w], target, poses, searchPoints).run(&found[i].pose)
	})
	sortByCost(found)
	found = found[:min(len(found), startFits)]
	t.each(ctx, "fitting the first frame", len(found), func(w, i int) {
		target := newTarget(t.sequence.frame(found[i].frame), matchPoints)
		found[i].cost = t.posers[w].approach(ctx, target, &found[i].pose)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sortByCost(found)
	best := t.searchAgain(ctx, found[0], poses)
	if reach := 2 * lastReach * t.size; best.cost > reach*reach/3 {
		return nil, fmt.Errorf("%w: %s: in no frame that was tried do two thirds of it and of the body come near to each "+
			"other: it needs a frame like the bind pose or a pose of the body's clips, or a given one", errSequence,
			t.sequence.Name)
	}
	return best, ctx.Err()
}

// searchAgain repeats the search of a fitted frame with more points, and the fit after it, as long as that lowers the
// distance.
func (t *transfer) searchAgain(ctx context.Context, best beginning, known []bodymodel.Pose) *beginning {
	s, target := t.posers[0], newTarget(t.sequence.frame(best.frame), matchPoints)
	for k := range finalSearches {
		t.progress("searching the limbs again", k, finalSearches)
		next := beginning{frame: best.frame, pose: clonePose(&best.pose)}
		newSearch(s, target, known, matchPoints).run(&next.pose)
		next.cost = s.approach(ctx, target, &next.pose)
		if !(next.cost < best.cost) {
			break
		}
		best = next
	}
	return &best
}

func sortByCost(all []beginning) {
	slices.SortStableFunc(all, func(a, b beginning) int { return cmp.Compare(a.cost, b.cost) })
}

// knownPoses lists the given pose or, if it is nil, the bind pose and poses of the model's clips, spread evenly over
// their time.
func (r *rig) knownPoses(given *skinning.Pose) []bodymodel.Pose {
	m := r.model
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	if given != nil {
		frame.SetPose(given)
		return []bodymodel.Pose{r.poseOf(frame)}
	}
	poses := []bodymodel.Pose{r.rest()}
	clips := stress.Own(m)
	total := 0.0
	for c := range clips {
		total += m.Clips[c].Seconds
	}
	for c := range clips {
		seconds := m.Clips[c].Seconds
		n := 1
		if total > 0 {
			n = max(1, int(startPoses*seconds/total))
		}
		for k := range n {
			if len(poses) > startPoses {
				break
			}
			m.SamplePose(pose, c, seconds*(float64(k)+0.5)/float64(n))
			frame.SetPose(pose)
			poses = append(poses, r.poseOf(frame))
		}
	}
	return poses
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
