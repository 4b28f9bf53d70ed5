package skin

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// MaxInstances is the largest crowd.
const MaxInstances = 4096

// crowdShadows is the largest crowd that casts shadows: past it a body is fewer than a hundred texels of the shadow
// map, which would show blots for shadows.
const crowdShadows = 64

// Crowd is many instances of one model in a grid. All play one clip, each at a time of its own. Their palettes lie in
// one block that goes to the GPU in one piece; they are computed on all cores. It is for one goroutine at a time.
//
// Instances blend dual quaternions along the shorter arc: only a single model follows their signs through a clip.
type Crowd struct {
	upload
	model   *skinning.Model
	clips   []skinning.Clip // what is sampled of its clips
	morphs  *morphs         // its ranges alone
	bounds  *bounds
	clip    int
	seconds float64

	columns int
	step    [2]float32 // along x and z, metres

	morphTexels int // of one instance's list
	lists       [][4]uint32
	morphed     bool // a target is active somewhere
	box         Box
	version     uint64 // rises with every Pose

	workers []crowdWorker
	jobs    chan [2]int
	done    sync.WaitGroup
}

// crowdWorker poses instances one by one.
type crowdWorker struct {
	pose    *skinning.Pose
	frame   *skinning.Frame
	box     Box
	morphed bool
}

// crowdRun is how many instances a worker takes at a time.
const crowdRun = 4

// NewCrowd makes a crowd of one instance of a model that g poses, and starts workers, 0 for one a core. Close ends
// them.
func NewCrowd(g *Model, m *skinning.Model, workers int) *Crowd {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	b := g.Of(m)
	c := &Crowd{model: m, clips: m.LiveClips(), upload: upload{layout: b.layout, proxies: b.proxies},
		morphs: g.morphs, bounds: b.Bounds, columns: 1}
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	for range workers {
		w := crowdWorker{pose: m.NewPose(), frame: skinning.NewFrame(m, centers)}
		w.frame.LazyProxies = true
		c.workers = append(c.workers, w)
	}
	still := c.bounds.Of(c.workers[0].frame)
	size := still.Hi.Sub(still.Lo)
	least := max(0.35*still.Diagonal(), 1e-3) // limbs swing out of a narrow rest pose
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

// Pose computes the palettes of n instances, 1 to MaxInstances, for all methods that read no more than these forms. The
// first instance is at a time of a clip, in seconds; the others are spread over the clip, which repeats. A clip of −1
// is the static pose. Pose allocates nothing once n has been seen. A renderer limits n further, see
// [render.Renderer.CrowdLimit].
func (c *Crowd) Pose(n, clip int, seconds float64, reads skinning.Forms) {
	if n < 1 || n > MaxInstances {
		panic(fmt.Sprintf("render: a crowd of %d, 1 to %d expected", n, MaxInstances))
	}
	c.clip, c.seconds = clip, seconds
	c.columns = int(math.Ceil(math.Sqrt(float64(n))))
	c.resize(n, reads, c.proxies != nil && reads == 0)
	c.morphTexels = 1 + 2*len(c.morphs.ranges)
	c.lists = room(c.lists, c.instances*c.morphTexels)
	for i := range c.workers {
		c.workers[i].box, c.workers[i].morphed = EmptyBox(), false
	}
	if c.jobs == nil || n <= crowdRun { // a crowd of one is drawn from the first worker's frame
		c.run(&c.workers[0], 0, c.instances)
	} else {
		for lo := 0; lo < c.instances; lo += crowdRun {
			c.done.Add(1)
			c.jobs <- [2]int{lo, min(lo+crowdRun, c.instances)}
		}
		c.done.Wait()
	}
	c.box, c.morphed = EmptyBox(), false
	for i := range c.workers {
		w := &c.workers[i]
		c.morphed = c.morphed || w.morphed
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

// run poses some instances.
func (c *Crowd) run(w *crowdWorker, lo, hi int) {
	for i := lo; i < hi; i++ {
		c.model.ResetPose(w.pose)
		if c.clip >= 0 && c.clip < len(c.clips) {
			c.clips[c.clip].Sample(w.pose, c.Time(i))
		}
		w.frame.SetPose(w.pose)
		c.pack(i, w.frame)
		if c.morphs.pack(c.lists[i*c.morphTexels:(i+1)*c.morphTexels], w.frame.Morphs, c.morphs.first(c.model)) > 0 {
			w.morphed = true
		}
		at, b := c.Place(i), c.bounds.Of(w.frame)
		w.box.Join(Box{b.Lo.Add(at), b.Hi.Add(at)})
	}
}

// Model returns the model that there are many of.
func (c *Crowd) Model() *skinning.Model { return c.model }

// Instances returns how many there are.
func (c *Crowd) Instances() int { return c.instances }

// First returns the frame of the first instance of a crowd of one.
func (c *Crowd) First() *skinning.Frame { return c.workers[0].frame }

// Resend lets the palettes go up once more, as they do where they differ from the last frame's.
func (c *Crowd) Resend() { c.version++ }

// Time returns an instance's time in the clip. Instance i is ahead by the fraction of i/φ, φ being the golden ratio:
// that spreads any number of instances evenly, and none moves when more come.
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

// Place returns how far an instance is moved from where the model itself would be: there the grid has its middle.
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

// Bounds returns a box round all instances as they are posed, for a camera. Linear blending fills a little less.
func (c *Crowd) Bounds() (lo, hi mgl32.Vec3) { return c.box.Lo, c.box.Hi }

// Shadows reports whether the crowd casts shadows: one of up to 64 does.
func (c *Crowd) Shadows() bool { return c.instances <= crowdShadows }
