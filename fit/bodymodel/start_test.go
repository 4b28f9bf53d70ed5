package bodymodel

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel/limbs"
	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// start is Start of scans without a skeleton.
func start(t *testing.T, s *scans, opt startOptions) *Body {
	t.Helper()
	return Start(context.Background(), s, nil, opt)
}

// limbOf returns the limb of each vertex that it follows most.
func limbOf(b *Body) []int {
	out := make([]int, len(b.Vertices))
	for v, shares := range b.Swing {
		most := shares[0]
		for _, s := range shares {
			if s.Weight > most.Weight {
				most = s
			}
		}
		out[v] = int(most.Joint)
	}
	return out
}

// sizeOf returns the diagonal of a body's box.
func sizeOf(b *Body) float64 {
	lo, hi := geom.Bounds(b.Vertices)
	return hi.Sub(lo).Len()
}

// The limbs, joints and tree of bodies that are known are found again, from poses of 60 degrees a joint at most.
// Joints lie within 5 % of the body's size of the true ones, and 80 % of the vertices follow the limb whose weight is
// largest: the ring of vertices at a tube's joint, one of eight rings, follows both limbs alike.
func TestStartFindsLimbs(t *testing.T) {
	for seed := range uint64(5) {
		tube, tubeScans := tubeBody(5, 12, 1, seed)
		cross, crossScans := crossBody(12, 1, seed)
		for name, c := range map[string]struct {
			body  *Body
			scans *scans
		}{"tube": {tube, tubeScans}, "cross": {cross, crossScans}} {
			b := start(t, c.scans, startOptions{Limbs: len(c.body.Joints), Bind: 1})
			if len(b.Joints) != len(c.body.Joints) {
				t.Errorf("%s %d: %d limbs, expected %d", name, seed, len(b.Joints), len(c.body.Joints))
				continue
			}
			compareLimbs(t, name, b, c.body, 0.05)
			checkWhole(t, name, b, c.scans)
		}
	}
}

// compareLimbs holds limbs, tree and joints against those of the body that made the scans. Near is how far joints may
// be off, as a share of the size.
func compareLimbs(t *testing.T, name string, b, truth *Body, near float64) {
	t.Helper()
	of, is := limbOf(b), limbOf(truth)
	count := make([][]int, len(b.Joints))
	for k := range count {
		count[k] = make([]int, len(truth.Joints))
	}
	for v := range of {
		count[of[v]][is[v]]++
	}
	match, same := make([]int, len(count)), 0
	for k, c := range count {
		for j := range c {
			if c[j] > c[match[k]] {
				match[k] = j
			}
		}
		same += c[match[k]]
	}
	if share := float64(same) / float64(len(of)); !(share >= 0.8) {
		t.Errorf("%s: %.1f %% of the vertices are in the true limb", name, 100*share)
	}
	size := sizeOf(truth)
	for k, p := range b.Parents {
		if p < 0 {
			continue
		}
		x, y := match[k], match[p]
		joint := truth.Joints[x]
		switch {
		case truth.Parents[y] == x:
			joint = truth.Joints[y]
		case truth.Parents[x] != y:
			t.Errorf("%s: limb %d hangs on %d, which are %d and %d of the true tree", name, k, p, x, y)
			continue
		}
		if d := b.Joints[k].Sub(joint).Len(); !(d <= near*size) {
			t.Errorf("%s: joint %d is at %.3f, %.2f %% of the size off", name, k, b.Joints[k], 100*d/size)
		}
	}
}

// checkWhole checks what all bodies of Start have: parents first, one root, connected limbs, weights 1 in both sets.
func checkWhole(t *testing.T, name string, b *Body, s *scans) {
	t.Helper()
	if len(b.Parents) != len(b.Joints) || len(b.Axes) != len(b.Joints) || len(b.Poses) != len(s.Shapes) {
		t.Fatalf("%s: %d parents, %d joints, %d axes, %d poses", name, len(b.Parents), len(b.Joints), len(b.Axes), len(b.Poses))
	}
	for k, p := range b.Parents {
		if p >= k || (p < 0) != (k == 0) {
			t.Errorf("%s: limb %d has parent %d", name, k, p)
		}
	}
	links := limbs.Links(s.Rings, b.Vertices, 1)
	of := limbOf(b)
	within := make([][]int32, len(links)) // links inside limbs
	for v, ring := range links {
		for _, u := range ring {
			if of[u] == of[v] {
				within[v] = append(within[v], u)
			}
		}
	}
	if n := len(limbs.Parts(within)); n != len(b.Joints) {
		t.Errorf("%s: %d limbs in %d parts", name, len(b.Joints), n)
	}
	for v := range b.Swing {
		if len(b.Swing[v]) != 1 || b.Swing[v][0].Weight != 1 || !reflect.DeepEqual(b.Swing[v], b.Twist[v]) {
			t.Fatalf("%s: vertex %d has weights %v and %v", name, v, b.Swing[v], b.Twist[v])
		}
	}
}

// Real scans have as many limbs as are asked for, whole and connected.
func TestStartOnRealScans(t *testing.T) {
	s := armScans(t)
	b := start(t, s, startOptions{Limbs: 6})
	if len(b.Joints) != 6 {
		t.Errorf("%d limbs, expected 6", len(b.Joints))
	}
	checkWhole(t, "arm", b, s)
}

// The number of limbs that scans show is the true one or one more, where limbs bend by up to 60 degrees, and on real
// scans that of the parts of an arm and of a body.
func TestCountLimbs(t *testing.T) {
	count := func(name string, s *scans, least, most int) {
		if n := len(start(t, s, startOptions{}).Joints); n < least || n > most {
			t.Errorf("%s: %d limbs, expected %d to %d", name, n, least, most)
		}
	}
	for seed := range uint64(3) {
		_, tube := tubeBody(5, 12, 1, seed)
		count("tube", tube, 5, 6)
		_, cross := crossBody(12, 1, seed)
		count("cross", cross, 9, 10)
	}
	count("arm", armScans(t), 4, 6)
	if !testing.Short() {
		count("human", humanScans(t), 14, 18)
	}
}

// The number of workers changes no bit.
func TestStartIsDeterministic(t *testing.T) {
	_, s := crossBody(10, 1.5, 7)
	one, three := start(t, s, startOptions{Limbs: 7, Workers: 1}), start(t, s, startOptions{Limbs: 7, Workers: 3})
	if !reflect.DeepEqual(one, three) {
		t.Error("three workers make another body than one")
	}
}

// The bind shape is that of the scan that is asked for.
func TestStartBind(t *testing.T) {
	_, s := tubeBody(4, 8, 1.2, 5)
	for bind := range 3 {
		if found := start(t, s, startOptions{Limbs: 4, Bind: bind + 1}); !reflect.DeepEqual(found.Vertices, s.Shapes[bind]) {
			t.Errorf("bind shape %d: the vertices are others", bind)
		}
	}
}

// Joints are in the middle of the vertices along borders, to rounding.
func TestStartJoints(t *testing.T) {
	_, s := tubeBody(4, 8, 1.2, 5)
	b := start(t, s, startOptions{Limbs: 4, Bind: 1})
	of := limbOf(b)
	for j, p := range b.Parents {
		var middle mgl64.Vec3
		ends := 0.0
		for v, ring := range s.Rings {
			if slices.ContainsFunc(ring, func(u int32) bool { return of[v] == j && of[u] == p || of[v] == p && of[u] == j }) {
				middle = middle.Add(b.Vertices[v])
				ends++
			}
		}
		if p >= 0 && !(middle.Mul(1/ends).Sub(b.Joints[j]).Len() < 1e-12) {
			t.Errorf("joint %d is at %v, the middle of the border at %v", j, b.Joints[j], middle.Mul(1/ends))
		}
	}
}

// The root is the limb of the vertex that is asked for, or the middle of the tree: the tube's third limb of five.
func TestStartRoot(t *testing.T) {
	_, s := tubeBody(5, 10, 1, 3)
	for _, c := range []struct {
		vertex int
		want   float64 // where the root's middle is along the tube
	}{{0, 2.5}, {1, 0.5}, {len(s.Rings), 4.5}} {
		b := start(t, s, startOptions{Limbs: 5, Bind: 1, Root: c.vertex})
		if x := b.Joints[0][0]; !(math.Abs(x-c.want) < 0.3) {
			t.Errorf("vertex %d: the root is at %.2f m, expected %.2f", c.vertex, x, c.want)
		}
	}
}

// A mesh in several parts is one body: two tubes end to end with a gap hang together at the gap,
// where no vertex tells where the joint is: within 7 % of the size.
func TestStartOfParts(t *testing.T) {
	b, s := tubeBody(4, 8, 1, 2)
	var cut [][3]uint32
	for _, tri := range s.Triangles {
		lo, hi := math.Inf(1), 0.0
		for _, v := range tri {
			lo, hi = min(lo, b.Vertices[v][0]), max(hi, b.Vertices[v][0])
		}
		if !(lo < 2.05 && hi > 1.95) { // the rings of triangles at 2 m go: their vertices are parts of their own
			cut = append(cut, tri)
		}
	}
	parts := newScans(s.Shapes, cut)
	if n := len(limbs.Parts(parts.Rings)); n < 3 {
		t.Fatalf("%d parts, expected the two halves and single vertices", n)
	}
	found := start(t, parts, startOptions{Limbs: 4, Bind: 1})
	checkWhole(t, "cut tube", found, parts)
	compareLimbs(t, "cut tube", found, b, 0.07)
}

// manyParts returns so many triangles in a row, 1 m from each to the next, in no order.
func manyParts(n int) (shape []mgl64.Vec3, triangles [][3]uint32) {
	for k := range n {
		v, x := uint32(3*k), float64(k*7919%n) // 7919 is prime
		shape = append(shape, mgl64.Vec3{x}, mgl64.Vec3{x + 0.1}, mgl64.Vec3{x, 0.1})
		triangles = append(triangles, [3]uint32{v, v + 1, v + 2})
	}
	return shape, triangles
}

// A mesh of as many parts as are allowed is joined in time: triangles in a row hang together as in a chain.
func TestManyParts(t *testing.T) {
	shape, triangles := manyParts(limbs.MostParts)
	s := newScans([][]mgl64.Vec3{shape}, triangles)
	var links [][]int32
	took := cputime.Of(func() { links = limbs.Links(s.Rings, shape, 0) })
	t.Logf("%d parts take %v", limbs.MostParts, took)
	if took > 5*time.Second {
		t.Error("expected less than 5 s")
	}
	if n := len(limbs.Parts(links)); n != 1 {
		t.Errorf("%d parts are left", n)
	}
	for v, ring := range links {
		for _, u := range ring {
			if d := shape[v].Sub(shape[u]).Len(); !(d < 1.2) {
				t.Fatalf("a link of %g m, expected about 1", d)
			}
		}
	}
}

// A fit that is cancelled at once has one limb, and whole poses.
func TestStartCancelled(t *testing.T) {
	_, s := tubeBody(4, 6, 1, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := Start(ctx, s, nil, startOptions{Limbs: 4})
	if len(b.Joints) != 1 {
		t.Fatalf("%v", b)
	}
	checkWhole(t, "cancelled", b, s)
}

// With the true skeleton of rigid limbs, the true poses are found, also where a limb's vertices do not tell its turn: a
// limb of one vertex at its joint follows its parent.
func TestStartWithSkeleton(t *testing.T) {
	b, s := tubeBody(4, 6, 1.2, 9)
	for v, j := range limbOf(b) {
		b.Swing[v] = []skinning.Share{{Joint: uint16(j), Weight: 1}}
	}
	b.Twist = b.Swing
	b.Parents, b.Joints = append(b.Parents, 3), append(b.Joints, b.Vertices[0])
	b.Swing[0] = []skinning.Share{{Joint: 4, Weight: 1}}
	b.Parents[4] = 0
	b.setAxes()
	for i := range b.Poses {
		b.Poses[i].Turns = append(b.Poses[i].Turns, geom.IdentityQuat())
	}
	s.Shapes = posedShapes(b)
	found := Start(context.Background(), s,
		&skeleton{Parents: b.Parents, Joints: b.Joints, Vertices: b.Vertices, Weights: b.Swing}, startOptions{})
	for i := range b.Poses {
		for j, q := range b.Poses[i].Turns {
			if d := 1 - math.Abs(q.Dot(found.Poses[i].Turns[j])); !(d < 1e-12) { // a turn of 3e-6 radians
				t.Errorf("scan %d, limb %d: the turn is %v, expected %v", i, j, found.Poses[i].Turns[j], q)
			}
		}
		if d := b.Poses[i].Place.Sub(found.Poses[i].Place).Len(); !(d < 1e-9) {
			t.Errorf("scan %d: the root is off by %g m", i, d)
		}
	}
}
