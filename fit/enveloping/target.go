package enveloping

// fewest finds the fewest proxies whose whole model has an error below the target, and returns that model. It doubles
// their number until one has, and then halves the range between it and the last that had not: the error falls with
// their number, but not at every step. Where none has, it returns the best of those that it tried.
func (r *run) fewest(s *SSD, groups *clustering, fixed []bool) (best *Model, count int, reason Reason, err error) {
	groups.joinTo(1, r.cancelled)
	least := 0.0
	met := func(count int) bool {
		var m *Model
		if m, _, err = r.solve(s, groups, fixed, count, r.opt.rounds); m == nil {
			return false // cancelled, or an error
		}
		ee := r.errors(m).EE
		if best == nil || ee < max(least, r.opt.Target) {
			best, least = m, ee
		}
		return ee < r.opt.Target
	}
	missed, most := 0, min(r.opt.Proxies, len(groups.triangles))
	for count = 1; !met(count); missed, count = count, min(2*count, most) {
		if err != nil || r.cancelled() {
			return nil, 0, Cancelled, err
		}
		if count == most {
			return best, count, TargetMissed, nil
		}
	}
	for count-missed > 1 {
		middle := (count + missed) / 2
		ok := met(middle)
		if err != nil || r.cancelled() {
			return nil, 0, Cancelled, err
		}
		if ok {
			count = middle
		} else {
			missed = middle
		}
	}
	return best, count, TargetMet, nil
}
