// Package measure says how far what the window's pictures show is from a reference: at the pose that is shown, on a
// goroutine that follows the newest one, and over whole clips. It knows neither windows nor OpenGL, and nothing in it
// makes a frame wait.
package measure

import (
	"math"
	"sync"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// What can be measured of a file: the direct methods, then its blend bones.
var (
	directs = len(skinning.Methods())
	perFile = directs + 1
)

// Rows is how many rows there are: those of two files.
func Rows() int { return 2 * perFile }

// MostRows is more than Rows can be: a method is one byte.
const MostRows = 2 * (math.MaxUint8 + 1)

// RowSet says of each row whether it is in the set.
type RowSet [MostRows]bool

// OfPane returns the row of what a pane shows.
func OfPane(p state.Pane) int {
	row := int(p.Method)
	if p.Method == state.BlendBones {
		row = directs
	}
	if p.Beside {
		row += perFile
	}
	return row
}

// PaneOf is the inverse of [OfPane].
func PaneOf(row int) state.Pane {
	p := state.Pane{Method: skinning.Method(row % perFile), Beside: row >= perFile}
	if row%perFile == directs {
		p.Method = state.BlendBones
	}
	return p
}

// Row is what one method does to the skin at one pose.
type Row struct {
	There     bool // the rest is measured
	Compared  bool // the distances are: there is a reference for it
	RMS, Max  float64
	Worst     int     // the vertex of the largest error
	EE        float64 // percent, of this pose alone: each vertex's one joint is the best of this pose
	Volume    float64 // of the whole skin over that at rest; 0 where that has none
	Local     float64 // round the joint that was asked for, over that at rest; 0 where there is none
	Off       float64 // of the vertex that was asked for from where the reference has it, metres
	Vertex    mgl32.Vec3
	HasVertex bool
}

// Reading is what has been measured at one pose. RMS, Max and Off are metres.
type Reading struct {
	Serial    uint64 // of the request
	Reference skinning.Method
	Rows      []Row  // nil before anything has been measured
	OpenEdges [2]int // of the two files' skins: 0 is a closed surface, whose volume means what it says
}

// set makes r what another reading is, with rows of its own.
func (r *Reading) set(from *Reading) {
	rows := append(r.Rows[:0], from.Rows...)
	*r = *from
	r.Rows = rows
}

// Row returns what has been measured of a row, nil for nothing.
func (r *Reading) Row(i int) *Row {
	if i >= len(r.Rows) || !r.Rows[i].There {
		return nil
	}
	return &r.Rows[i]
}

// Request says what to measure. The frames are copied; all but Own may be nil.
type Request struct {
	Own, Fitted, Beside *skinning.Frame
	// BesideFitted says that Beside has blend bones and is posed by linear blending alone; SameSkin that its vertices are
	// the first file's, so that the first file's reference is its as well.
	BesideFitted, SameSkin bool
	Reference              skinning.Method
	Want                   RowSet
	Joint, Vertex          int // −1 for none; of the first file, and of the second with the same skin
}

// Ray asks which vertex lies under a point of a picture.
type Ray struct {
	Origin, Direction mgl32.Vec3 // the direction need not be of unit length
	Row               int        // what the picture shows
}

// Picked answers a [Ray].
type Picked struct {
	Vertex int             // −1 for none
	Joint  int             // that moves it most, −1 for none
	Own    *skinning.Model // the first file's, whose vertex it is; the window may show another by now
}

// Pauses of the live measurement: numbers that change faster cannot be read, and most of a processor is the picture's.
const (
	leastPause = 120 * time.Millisecond
	restShare  = 2 // how many times as long as measuring took
)

// Live measures the newest pose over and over. Its methods never wait for a measurement.
type Live struct {
	wake func()
	kick chan struct{} // of one: there is something to do

	mu      sync.Mutex
	asked   slot // the newest request
	fresh   bool
	serial  uint64
	ray     Ray
	rayed   bool
	done    Reading
	news    bool
	picked  Picked
	pickNew bool
	closed  bool
}

// slot is a request with its own copies of the frames.
type slot struct {
	Request
	own, fitted, beside *skinning.Frame // kept for the next copy
	serial              uint64
}

// NewLive starts the goroutine. It calls wake, from there, when it has something to say. Close ends it.
func NewLive(wake func()) *Live {
	l := &Live{wake: wake, kick: make(chan struct{}, 1)}
	go l.run()
	return l
}

// Close ends the goroutine once its measurement under way is done. It is nil-safe and may be called again.
func (l *Live) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.kick)
	}
}

// Ask replaces what is to be measured. It allocates nothing unless a model is new.
func (l *Live) Ask(q *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serial++
	s := &l.asked
	s.Request, s.serial = *q, l.serial
	s.Own = keep(&s.own, q.Own)
	s.Fitted = keep(&s.fitted, q.Fitted)
	s.Beside = keep(&s.beside, q.Beside)
	l.fresh = true
	l.poke()
}

// keep copies a frame into one that is kept.
func keep(mine **skinning.Frame, f *skinning.Frame) *skinning.Frame {
	if f == nil {
		return nil
	}
	if *mine == nil || (*mine).Model != f.Model {
		*mine = skinning.NewFrame(f.Model, f.Centers)
	}
	(*mine).Copy(f)
	return *mine
}

// Pick asks which vertex of the newest pose a ray meets first. A ray that was not answered yet is forgotten.
func (l *Live) Pick(r Ray) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ray, l.rayed = r, true
	l.poke()
}

func (l *Live) poke() {
	if l.closed {
		return
	}
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

// Read returns the newest reading into r and reports whether it was not there before.
func (l *Live) Read(r *Reading) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.news {
		return false
	}
	r.set(&l.done)
	l.news = false
	return true
}

// Picked returns the answer to the last ray, once.
func (l *Live) Picked() (p Picked, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok = l.picked, l.pickNew
	l.pickNew = false
	return p, ok
}

// Asked returns the number of the last request: the reading of that number is of it.
func (l *Live) Asked() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.serial
}

// run measures until the channel is closed. Rays are answered at once, poses with pauses between them.
func (l *Live) run() {
	var w worker
	defer w.close()
	var mine slot // what is being measured; Ask writes into the other
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	due := time.Now()
	for {
		select {
		case _, open := <-l.kick:
			if !open {
				return
			}
		case <-timer.C:
		}
		measure := !time.Now().Before(due)
		l.mu.Lock()
		ray, rayed := l.ray, l.rayed
		l.rayed = false
		taken := l.fresh && (measure || rayed)
		if taken {
			mine, l.asked = l.asked, mine
			l.fresh = false
		} else if l.fresh {
			timer.Reset(time.Until(due))
		}
		l.mu.Unlock()
		if mine.Own == nil {
			continue
		}
		w.use(&mine)
		if rayed {
			p := w.pick(&ray)
			l.mu.Lock()
			l.picked, l.pickNew = p, true
			l.mu.Unlock()
			l.wake()
		}
		if !taken {
			continue
		}
		start := time.Now()
		w.measure(&mine)
		took := time.Since(start)
		due = time.Now().Add(max(leastPause-took, restShare*took))
		l.mu.Lock()
		l.done.set(&w.reading)
		l.news = true
		l.mu.Unlock()
		l.wake()
	}
}
