package blendbones

import "skinlab/skinning"

// departures are the steps by which the fit leaves Algorithm 1 of ALNS. Each stands for itself, and the fit as
// published has none of them. What each buys is the ratio of EE without it to EE with it, on the whole of the clip that
// poses are learnt of and on other clips, in the geometric mean over the sets of docs/ablation.md (row 161 is the fit as
// published).
type departures struct {
	// exact: weights sum to one exactly, and the four influences of a vertex are those whose loss costs least, improved by
	// exchanges. A candidate is tried with the bones that a vertex follows already. In the paper the sum is a soft row
	// (equation 5), the smallest weights are dropped, and a candidate is tried with all bones in reach. It buys 15 % on
	// whole clips and 11 % on others, in a quarter of the time (row 157).
	exact bool
	// quick: few samples of a candidate are tried, and only on vertices whose error is worth it. Without it fits take 1.8
	// times as long, and EE is 3 % higher on whole clips and 4 % on others (row 158).
	quick bool
	// reach: a vertex may follow masters above and below those of the input model ([data.lineage]), where they take off much
	// of its error ([reachWorth]). It buys 8 % on whole clips and nothing on others (row 87).
	reach bool
	// prior: prior poses decide what the given poses leave open ([priorPoses]). They cost 3 % on whole clips and buy 54 %
	// on others (row 74).
	prior bool
	// follow: weights follow the bones within a u-step (variable projection), which is damped and shortened where it does
	// not lower the error. In the paper the two alternate, in 4.6 times the time, to an EE that is 6 % higher (row 159).
	follow bool
	// settle: at the end all bones move together, and all vertices choose again. In the paper bones move only together
	// with a new one, with which they share a master. It buys 8 % on whole clips and 13 % on others (row 160).
	settle bool
	// extend: a settled bone may gain joints that it was not placed with ([solver.extend]). It buys 7 % on whole clips and
	// 13 % on others (row 92).
	extend bool
	// trim: influences that are worth almost nothing are removed ([solver.trimInfluences]), a ninth of all, for 0.5 % of EE
	// (row 97). Without it six models take 6 to 13 % longer to pose.
	trim bool
}

// ours are the departures of a fit that is not as published.
var ours = departures{
	exact:  true,
	quick:  true,
	reach:  true,
	prior:  true,
	follow: true,
	settle: true,
	extend: true,
	trim:   true,
}

// teacher is the operator that a fit is trained on. As published, DIB is trained on dual quaternion linear blending,
// whose derivatives have a closed form (ALNS appendix A). Here that has DIB's scale phase.
func (o *Options) teacher(operator skinning.Method) skinning.Method {
	if o.AsPublished && operator == skinning.DIB {
		return skinning.SDQS
	}
	return operator
}

// judged returns the solver that errors are measured with: another one, with the bones posed by the operator that was
// asked for, if the fit is trained on another.
func (r *run) judged() *solver {
	j := r.judge
	if j == nil {
		return r.solver
	}
	j.w, j.bones = r.w, j.bones[:0]
	for _, b := range r.bones {
		posed := &bone{joints: b.joints, u: b.u, swings: b.swings}
		j.place(posed)
		j.bones = append(j.bones, posed)
	}
	return j
}
