package skin

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// MaxInstances is the largest crowd.
const MaxInstances = 4096

// crowdShadows is the largest crowd that casts shadows. In a larger one a body covers fewer than a hundred texels of
// the shadow map, and its shadow would be a blot.
const crowdShadows = 64

// Crowd is many instances of one model in a grid. All play one clip, each at a time of its own. Worker goroutines
// compute their palettes into one block, which goes to the GPU in one piece. Only one goroutine at a time may use a
// crowd.
//
// Instances blend dual quaternions along the shorter arc. Only a single model, and the joints of a rig that was
// fitted so ([skinning.Model.LongWay]), follow the quaternions' signs through a clip.
type Crowd struct {
	upload
	model   *skinning.Model
	clips   []skinning.Clip // sampled copies of the model's clips
	morphs  *morphs         // the model's morph targets, for packing only
	bounds  *bounds
	clip    int
	seconds float64
	signs   *skinning.Signs // of the clip; nil unless a rig wants them

	columns int
	step    [2]float32 // along x and z, metres

	morphTexels int // length of one instance's list of active targets
	lists       [][4]uint32
	morphed     bool // an instance has an active target
	mirrored    bool // a joint of an instance mirrors
	box         Box
	version     uint64 // grows with every Pose

	workers []crowdWorker
	jobs    chan [2]int
	done    sync.WaitGroup
}

// crowdWorker poses instances one by one.
type crowdWorker struct {
	pose              *skinning.Pose
	frame             *skinning.Frame
	box               Box
	morphed, mirrored bool
}

// crowdRun is the number of instances that a worker takes at a time.
const crowdRun = 4

// NewCrowd makes a crowd of one instance of a model that g poses. Centers are those of another frame of the model, or
// nil. It starts workers goroutines, or one per core if workers is 0. Close ends them.
func NewCrowd(g *Model, m *skinning.Model, centers *skinning.CenterSets, workers int) *Crowd {
	workers = parallel.Workers(workers)
	b := g.Of(m)
	c := &Crowd{model: m, clips: m.LiveClips(), upload: upload{layout: b.layout, proxies: b.proxies},
		morphs: g.morphs, bounds: b.Bounds, columns: 1}
	if centers == nil {
		centers = skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	}
	for range workers {
		w := crowdWorker{pose: m.NewPose(), frame: skinning.NewFrame(m, centers)}
		w.frame.LazyProxies = true
		c.workers = append(c.workers, w)
	}
	still := c.bounds.Of(c.workers[0].frame)
	size := still.Hi.Sub(still.Lo)
	least := max(0.35*still.Diagonal(), 1e-3) // limbs swing wider than a narrow rest pose
	c.step = [2]float32{max(1.15*size[0], least), max(1.15*size[2], least)}
	if workers > 1 {
		c.jobs = make(chan [2]int, 2*workers)
		for i := range c.workers {
			go c.work(&c.workers[i], c.jobs)
		}
	}
	c.Pose(1, -1, 0, 0)
	return c
}

// Close ends the workers. The crowd must not be posed afterwards.
func (c *Crowd) Close() {
	if c != nil && c.jobs != nil {
		close(c.jobs)
		c.jobs = nil
	}
}

// Pose computes the palettes of n instances, 1 to MaxInstances. reads are the forms of the palette that the methods to
// come read. The first instance is at a time of a clip, in seconds. The others are spread over the clip, which repeats.
// Clip −1 is the static pose. Pose allocates nothing once n has been used. A renderer limits n further, see
// [render.Renderer.CrowdLimit].
func (c *Crowd) Pose(n, clip int, seconds float64, reads skinning.Forms) {
	if n < 1 || n > MaxInstances {
		panic(fmt.Sprintf("render: a crowd of %d, 1 to %d expected", n, MaxInstances))
	}
	if clip != c.clip && c.model.LongWay() {
		c.signs = skinning.NewSigns(c.model, clip)
	}
	c.clip, c.seconds = clip, seconds
	c.columns = int(math.Ceil(math.Sqrt(float64(n))))
	c.resize(n, reads, c.proxies != nil && reads == 0)
	c.morphTexels = 1 + 2*len(c.morphs.ranges)
	c.lists = room(c.lists, c.instances*c.morphTexels)
	for i := range c.workers {
		w := &c.workers[i]
		w.box, w.morphed, w.mirrored = EmptyBox(), false, false
	}
	if c.jobs == nil || n <= crowdRun { // a crowd of one is drawn from this worker's frame
		c.run(&c.workers[0], 0, c.instances)
	} else {
		for lo := 0; lo < c.instances; lo += crowdRun {
			c.done.Add(1)
			c.jobs <- [2]int{lo, min(lo+crowdRun, c.instances)}
		}
		c.done.Wait()
	}
	c.box, c.morphed, c.mirrored = EmptyBox(), false, false
	for i := range c.workers {
		w := &c.workers[i]
		c.morphed, c.mirrored = c.morphed || w.morphed, c.mirrored || w.mirrored
		c.box.Join(w.box)
	}
	if c.box.empty() {
		c.box = Box{}
	}
	c.version++
}

func (c *Crowd) work(w *crowdWorker, jobs <-chan [2]int) {
	for j := range jobs {
		c.run(w, j[0], j[1])
		c.done.Done()
	}
}

// run poses the instances from lo up to hi.
func (c *Crowd) run(w *crowdWorker, lo, hi int) {
	for i := lo; i < hi; i++ {
		c.model.ResetPose(w.pose)
		if c.clip >= 0 && c.clip < len(c.clips) {
			c.clips[c.clip].Sample(w.pose, c.Time(i))
		}
		w.frame.SetPose(w.pose)
		if c.signs != nil {
			c.signs.Apply(w.frame, c.Time(i))
		}
		c.pack(i, w.frame)
		if c.morphs.pack(c.lists[i*c.morphTexels:(i+1)*c.morphTexels], w.frame.Morphs, c.morphs.first(c.model)) > 0 {
			w.morphed = true
		}
		w.mirrored = w.mirrored || w.frame.Mirrored()
		at, b := c.Place(i), c.bounds.Of(w.frame)
		w.box.Join(Box{b.Lo.Add(at), b.Hi.Add(at)})
	}
}

// Model returns the model of the instances.
func (c *Crowd) Model() *skinning.Model { return c.model }

// Instances returns the number of instances.
func (c *Crowd) Instances() int { return c.instances }

// First returns the frame of the instance in a crowd of one.
func (c *Crowd) First() *skinning.Frame { return c.workers[0].frame }

// WantsSurfaceNormals reports whether the frame of any instance wants them; where a morph target has a weight, all
// targets count.
func (c *Crowd) WantsSurfaceNormals(method skinning.Method) bool {
	return c.model.WantsSurfaceNormals(method) || c.morphed && slices.ContainsFunc(c.model.Skin.Morphs,
		func(t skinning.Morph) bool { return t.Normals == nil })
}

// Resend makes the next draw send the palettes again although they have not changed.
func (c *Crowd) Resend() { c.version++ }

// Time returns an instance's time in the clip. Instance i is ahead of the first by the fractional part of i/φ of the
// clip, with the golden ratio φ. This spreads any number of instances evenly, and more instances do not move those that
// are there.
func (c *Crowd) Time(instance int) float64 {
	if c.clip < 0 || c.clip >= len(c.model.Clips) || instance == 0 {
		return c.seconds
	}
	length := c.model.Clips[c.clip].Seconds
	if !(length > 0) {
		return c.seconds
	}
	_, share := math.Modf(float64(instance) * (math.Sqrt(5) - 1) / 2)
	t := math.Mod(c.seconds+share*length, length)
	if t < 0 {
		t += length
	}
	return t
}

// Place returns how far an instance is moved along x and z from where the model itself would stand. The middle of the
// grid is there.
func (c *Crowd) Place(instance int) mgl32.Vec3 {
	first := c.first()
	return mgl32.Vec3{
		first[0] + c.step[0]*float32(instance%c.columns), 0,
		first[1] + c.step[1]*float32(instance/c.columns),
	}
}

// first returns the place of the first instance.
func (c *Crowd) first() [2]float32 {
	rows := (c.instances + c.columns - 1) / c.columns
	return [2]float32{-c.step[0] * float32(c.columns-1) / 2, -c.step[1] * float32(rows-1) / 2}
}

// Bounds returns a box round all posed instances, for a camera. Linear blending stays inside.
func (c *Crowd) Bounds() (lo, hi mgl32.Vec3) { return c.box.Lo, c.box.Hi }

// Shadows reports whether the crowd is small enough to cast shadows.
func (c *Crowd) Shadows() bool { return c.instances <= crowdShadows }
