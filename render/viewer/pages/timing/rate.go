package timing

import "time"

const (
	// rateTime is how long frames are counted for a rate: a number that changes faster cannot be read.
	rateTime = time.Second / 2
	// rateGap is the longest time between two frames of a moving picture. After a longer one the count begins anew: the
	// window draws nothing while nothing moves.
	rateGap = time.Second
)

// frameRate counts frames of the moving picture.
type frameRate struct {
	since, last time.Time
	frames      int
	perSecond   float64 // 0 while unknown
}

// count counts a frame, which begins now.
func (r *frameRate) count(now time.Time, moves bool) {
	if !moves || now.Sub(r.last) > rateGap {
		*r = frameRate{since: now, last: now}
		return
	}
	r.last = now
	r.frames++
	if took := now.Sub(r.since); took >= rateTime {
		r.perSecond = float64(r.frames) / took.Seconds()
		r.since, r.frames = now, 0
	}
}
