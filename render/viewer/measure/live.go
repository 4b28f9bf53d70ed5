// Package measure computes the distances of the window's pictures to a reference. A goroutine measures the newest pose,
// another function whole clips. The package uses neither windows nor OpenGL, and no frame waits for it.
package measure

import (
	"math"
	"sync"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// The rows of a file are those of the direct methods and of its blend bones. The row of the examples is between those of
// the first file and of the second.
var (
	directs  = len(skinning.Methods())
	examples = directs + 1
	second   = examples + 1
)

func Rows() int { return second + directs + 1 }

// MostRows is an upper limit of Rows, because a method is one byte.
const MostRows = 2*(math.MaxUint8+1) + 1

type RowSet [MostRows]bool

// OfPane returns the row of a pane's content.
func OfPane(p state.Pane) int {
	row := int(p.Method)
	switch p.Method {
	case state.Examples:
		return examples
	case state.Fitted:
		row = directs
	}
	if p.Beside {
		row += second
	}
	return row
}

// PaneOf is the inverse of [OfPane].
func PaneOf(row int) state.Pane {
	if row == examples {
		return state.Pane{Method: state.Examples}
	}
	p := state.Pane{Beside: row >= second}
	if p.Beside {
		row -= second
	}
	p.Method = skinning.Method(row)
	if row == directs {
		p.Method = state.Fitted
	}
	return p
}

type Row struct {
	There     bool // it has been measured
	Compared  bool // there is a reference, and the distances have been measured
	RMS, Max  float64
	Top       float64 // see metrics.Measurement
	Worst     int     // vertex with the largest error
	EE        float64 // percent, of this pose alone; NaN where there is nothing to divide by
	Volume    float64 // ratio of the skin's volume to that at rest; 0 if there is none at rest
	Local     float64 // the same round the requested joint; 0 without a joint
	Least     float64 // the same of the region that loses most; 0 where no region encloses a volume
	LeastAt   int     // the joint of that region
	Off       float64 // distance of the requested vertex from its place in the reference, metres
	Vertex    mgl32.Vec3
	HasVertex bool
}

// Reading holds the measurements at one pose. RMS, Max and Off are metres.
type Reading struct {
	Serial    uint64 // number of the request
	Reference skinning.Reference
	Rows      []Row            // nil before the first measurement
	Distances [][]float32      // of the vertices of each row from the reference, metres; empty where not asked for
	HalfTurn  metrics.HalfTurn // joints of the first file that are half a turn apart, if Turned
	Turned    bool
	// OpenEdges and EdgesAgainst are of the skins of the two files. A volume is exact only if both are 0.
	OpenEdges, EdgesAgainst [2]int
}

// set copies another reading into r, including its rows.
func (r *Reading) set(from *Reading) {
	rows, distances := append(r.Rows[:0], from.Rows...), r.Distances
	if distances == nil {
		distances = make([][]float32, len(from.Distances))
	}
	for i := range from.Distances {
		distances[i] = append(distances[i][:0], from.Distances[i]...)
	}
	*r = *from
	r.Rows, r.Distances = rows, distances
}

// Row returns the measurements of a row, nil if there are none.
func (r *Reading) Row(i int) *Row {
	if i >= len(r.Rows) || !r.Rows[i].There {
		return nil
	}
	return &r.Rows[i]
}

// Request says what to measure. The frames are copied. All but Own may be nil. Examples is the frame that shows the
// examples of Own's pose, of a model with as many vertices.
type Request struct {
	Own, Fitted, Beside, Examples *skinning.Frame
	// BesideFitted says that Beside has blend bones, so only linear blending poses it. SameSkin says that Beside has
	// the first file's vertices, so the first file's reference is the reference of Beside too.
	BesideFitted, SameSkin bool
	// Still says that Beside is a pose of the first file's skin by itself, so the volume at rest is the first file's.
	Still         bool
	ReferBeside   bool            // the reference is the method on Beside, which has the first file's vertices
	FittedMethod  skinning.Method // that poses Fitted
	Reference     skinning.Reference
	Want          RowSet
	Each          RowSet // rows of Want whose reading has the distance of each vertex
	Joint, Vertex int    // −1 for none; of the first file, and of the second one if SameSkin is set
}

// Ray asks for the vertex under a point of a picture.
type Ray struct {
	Origin, Direction mgl32.Vec3 // of any length
	Row               int        // row of the picture's content
	Hidden            []bool     // per part of the picture's model, see [skinning.Model.EachPart]; nil for none
}

// Picked is the answer to a [Ray].
type Picked struct {
	Vertex int             // −1 for none
	Joint  int             // joint with the largest weight, −1 for none
	Own    *skinning.Model // the first file's model, to which Vertex belongs; the window may show another one by now
}

// Pauses of the live measurement. Numbers that change faster cannot be read, and drawing needs most of the processor.
const (
	leastPause = 120 * time.Millisecond
	restShare  = 2 // the pause is at least this many times as long as the measurement
)

// Live measures the newest pose again and again. Its methods never wait for a measurement.
type Live struct {
	wake func()
	kick chan struct{} // capacity 1: there is something to do

	mu      sync.Mutex
	asked   slot // newest request
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

// slot is a request with copies of its frames.
type slot struct {
	Request
	own, fitted, beside, examples *skinning.Frame // reused by the next copy
	serial                        uint64
}

// NewLive starts the goroutine. The goroutine calls wake when it has a result. Close ends it.
func NewLive(wake func()) *Live {
	l := &Live{wake: wake, kick: make(chan struct{}, 1)}
	go l.run()
	return l
}

// Close ends the goroutine after its current measurement. It is nil-safe and may be called again.
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

// Ask replaces the request. It allocates nothing unless a model is new.
func (l *Live) Ask(q *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serial++
	s := &l.asked
	s.Request, s.serial = *q, l.serial
	s.Own = keep(&s.own, q.Own)
	s.Fitted = keep(&s.fitted, q.Fitted)
	s.Beside = keep(&s.beside, q.Beside)
	s.Examples = keep(&s.examples, q.Examples)
	l.fresh = true
	l.poke()
}

// keep copies f into *mine, which is made if it is of another model.
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

// Pick asks which vertex of the newest pose a ray meets first. It replaces a ray that has not been answered.
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

// Read copies the newest reading into r and reports whether it is new.
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

// Picked returns the answer to the last ray once.
func (l *Live) Picked() (p Picked, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok = l.picked, l.pickNew
	l.pickNew = false
	return p, ok
}

// Asked returns the number of the last request. The reading of that request has the same number.
func (l *Live) Asked() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.serial
}

// run measures until the channel is closed. It answers rays at once and pauses between poses.
func (l *Live) run() {
	var w worker
	defer w.close()
	var mine slot // the request being measured; Ask writes into the other
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
