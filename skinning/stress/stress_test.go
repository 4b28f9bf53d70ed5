package stress_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/internal/assetstest"
	"skinlab/internal/cputime"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/stress"
)

// clip returns the stress clip of m by its last word, nil where there is none.
func clip(m *skinning.Model, word string) *skinning.Clip {
	for _, c := range stress.Clips(m) {
		if c.Name == "stress:"+word {
			return &c
		}
	}
	return nil
}

// note returns the note of a time in a clip, "" where there is none.
func note(c *skinning.Clip, seconds float64) string {
	for _, n := range c.Notes {
		if seconds >= n.From && seconds < n.To {
			return n.Text
		}
	}
	return ""
}

// turned is how far a node is turned from rest, in degrees.
func turned(m *skinning.Model, p *skinning.Pose, node int) float64 {
	d := m.Skeleton.Nodes[node].Rest.Rotation.Dot(p.Local[node].Rotation)
	return 2 * math.Acos(math.Min(1, math.Abs(d))) * 180 / math.Pi
}

func TestClipsOfModels(t *testing.T) {
	for name, want := range map[string]string{
		"demo:box": "twist bend", "demo:tube": "twist bend", "demo:arm": "twist bend", "demo:figure": "twist bend shrug",
		"human_male.glb": "twist bend shrug", "Knight.glb": "twist bend shrug", "RobotExpressive.glb": "twist bend shrug",
		"Fox.glb": "twist bend shrug", "CesiumMan.glb": "twist bend shrug", "GenericHand.glb": "twist bend",
		"RiggedSimple.glb": "twist bend",
	} {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			var got []string
			for _, c := range stress.Clips(m) {
				got = append(got, strings.TrimPrefix(c.Name, "stress:"))
				if !(c.Seconds > 0.5 && c.Seconds <= 12) {
					t.Errorf("%s lasts %g s", c.Name, c.Seconds)
				}
				pose := m.NewPose()
				for _, at := range []float64{0, c.Seconds} {
					m.ResetPose(pose)
					c.Sample(pose, at)
					for i, l := range pose.Local {
						// Keys are float32: 1e-5 of the length of the translations, and 0.05 degrees.
						rest := m.Skeleton.Nodes[i].Rest
						if d := l.Translation.Sub(rest.Translation).Len(); !(d <= 1e-5*(1+rest.Translation.Len())) ||
							!(turned(m, pose, i) <= 0.05) {
							t.Fatalf("%s at %g s: node %d is not at rest", c.Name, at, i)
						}
					}
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("clips %q, want %q", got, want)
			}
		})
	}
}

// Every joint of the figure that divides its skin is twisted and bent in its turn, arms and legs far, and both sides
// are mirror images of each other at all times: to 1e-6, keys in float32.
func TestFigure(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	mirror := anatomy.NewMirror(m)
	most := make(map[string]float64)
	for _, word := range []string{"twist", "bend", "shrug"} {
		c := clip(m, word)
		pose, other := m.NewPose(), m.NewPose()
		for at := 0.0; at < c.Seconds; at += 0.05 {
			m.ResetPose(pose)
			c.Sample(pose, at)
			mirror.Apply(other, pose)
			for _, joint := range m.Skeleton.Joints {
				most[word+" "+joint.Name] = math.Max(most[word+" "+joint.Name], turned(m, pose, joint.Node))
				if !strings.HasPrefix(joint.Name, "left") && !strings.HasPrefix(joint.Name, "right") {
					continue
				}
				p, q := pose.Local[joint.Node].Rotation, other.Local[joint.Node].Rotation
				if d := 1 - math.Abs(p.Dot(q)); !(d <= 1e-6) {
					t.Fatalf("%s at %g s: %s is not the mirror image of the other side: %g", word, at, joint.Name, d)
				}
			}
		}
	}
	for _, joint := range m.Skeleton.Joints {
		least := 20.0
		for _, limb := range []string{"_arm", "forearm", "hand", "shin", "foot"} {
			if strings.Contains(joint.Name, limb) && joint.Name != "left_forearm_twist" && joint.Name != "right_forearm_twist" {
				least = 90
			}
		}
		if strings.Contains(joint.Name, "thigh") { // the two share vertices and turn against each other: 120 degrees in all
			least = 60 - 1e-3
		}
		if joint.Name == "hips" {
			least = 0
		}
		for _, word := range []string{"twist", "bend"} {
			least := least
			if word == "twist" && strings.HasSuffix(joint.Name, "upper_arm") { // the first of a limb
				least = 60 - 1e-3
			}
			if got := most[word+" "+joint.Name]; !(got >= least) {
				t.Errorf("%s turns %s by %g degrees at most, want %g", word, joint.Name, got, least)
			}
		}
	}
	// The shrug lifts the hands above the head.
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	clip(m, "shrug").Sample(pose, 2.7)
	frame.SetPose(pose)
	height := func(name string) float64 {
		for _, joint := range m.Skeleton.Joints {
			if joint.Name == name {
				return frame.Globals[joint.Node].Translation()[1]
			}
		}
		t.Fatalf("no joint %s", name)
		return 0
	}
	if l, r, head := height("left_hand"), height("right_hand"), height("head"); !(l > head+0.1 && math.Abs(l-r) < 1e-4) {
		t.Errorf("hands at %g and %g m, head at %g m", l, r, head)
	}
}

// The clip does what it is for: linear blending loses volume in the twist, dual quaternions do not.
func TestTwistShowsTheCollapse(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	c := clip(m, "twist")
	pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
	rest := metrics.Volume(metrics.SkinBody(m), frame.Positions(skinning.LBS))
	c.Sample(pose, 0.5*1.2) // the first joint's hold
	frame.SetPose(pose)
	lbs := metrics.Volume(metrics.SkinBody(m), frame.Positions(skinning.LBS)) / rest
	dqs := metrics.Volume(metrics.SkinBody(m), frame.Positions(skinning.DQS)) / rest
	if !(lbs < 0.8 && dqs > 0.95) {
		t.Errorf("volumes of %g and %g of rest", lbs, dqs)
	}
}

// chain is n joints along +Y, a unit apart, under nodes whose local axes are turned, scaled and mirrored at random,
// with one vertex each that also follows the next.
func chain(n int, rng *rand.Rand, wild bool) *skinning.Model {
	m := &skinning.Model{}
	globals := make([]geom.Affine, n)
	for i := range n {
		at := mgl64.Vec3{0, float64(i), 0}
		parent := geom.IdentityAffine()
		if i > 0 {
			parent = globals[i-1]
		}
		back, _ := parent.Inverse()
		rest := geom.IdentityTransform()
		rest.Translation = back.Apply(at)
		if wild {
			rest.Rotation = geom.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize()
			s := 0.8 + 0.4*rng.Float64()
			rest.Scale = mgl64.Vec3{s, s, s}
			if i%2 == 1 {
				rest.Scale = mgl64.Vec3{-s, s, s}
			}
		}
		globals[i] = parent.Mul(rest.Affine())
		bind, _ := globals[i].Inverse()
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: i - 1, Rest: rest})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: i, Parent: i - 1, FromRest: bind, Position: at})
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{0.3, float32(i) + 0.5, 0})
		m.Skin.Append([]skinning.Influence{{Joint: uint16(i), Weight: 1}, {Joint: uint16(min(i+1, n-1)), Weight: 1}}, 0)
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	return m
}

// A twist turns a joint about its bone, whatever the axes, scales and reflections of the nodes are: the joints of a
// straight chain stay where they are, to 1e-5 m, keys in float32.
func TestTwistIsAboutTheBone(t *testing.T) {
	m := chain(8, rand.New(rand.NewPCG(5, 6)), true)
	c := clip(m, "twist")
	pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
	most := 0.0
	for at := 0.0; at < c.Seconds; at += 0.1 {
		m.ResetPose(pose)
		c.Sample(pose, at)
		frame.SetPose(pose)
		for _, joint := range m.Skeleton.Joints {
			most = math.Max(most, turned(m, pose, joint.Node))
			if d := frame.Globals[joint.Node].Translation().Sub(joint.Position).Len(); !(d <= 1e-5) {
				t.Fatalf("at %g s joint %d is off by %g m", at, joint.Node, d)
			}
		}
	}
	if !(most > 119) {
		t.Errorf("twisted by %g degrees at most", most)
	}
}

func TestSizes(t *testing.T) {
	for _, m := range []*skinning.Model{{}, chain(1, nil, false)} {
		if c := stress.Clips(m); len(c) != 0 {
			t.Errorf("%d joints: %d clips", len(m.Skeleton.Joints), len(c))
		}
		if stress.Append(m) != m {
			t.Error("a model with nothing to append is copied")
		}
	}
	m := chain(1000, nil, false)
	var clips []skinning.Clip
	if d := cputime.Of(func() { clips = stress.Clips(m) }); d > 2*time.Second { // takes under 0.1 s
		t.Errorf("1000 joints take %v", d)
	}
	for _, c := range clips {
		if !(c.Seconds <= 12) || len(c.Channels) != 999 {
			t.Errorf("%s: %g s, %d channels", c.Name, c.Seconds, len(c.Channels))
		}
	}
}

// A flat hand stays in one piece: its knuckles keep their distances to 1.5 percent, the chord of an arc between two
// keys.
func TestFlatHand(t *testing.T) {
	m := assetstest.Open(t, "GenericHand.glb")
	at := make(map[string]int)
	for j, joint := range m.Skeleton.Joints {
		at[joint.Name] = j
	}
	for _, word := range []string{"twist", "bend"} {
		c := clip(m, word)
		pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
		moved := 0.0
		for s := 0.0; s < c.Seconds; s += 0.031 {
			m.ResetPose(pose)
			c.Sample(pose, s)
			frame.SetPose(pose)
			for _, pair := range [][2]string{
				{"wrist", "index-finger-metacarpal"}, {"index-finger-metacarpal", "index-finger-phalanx-proximal"},
				{"index-finger-phalanx-proximal", "index-finger-phalanx-intermediate"},
				{"thumb-phalanx-proximal", "thumb-phalanx-distal"},
			} {
				a, b := m.Skeleton.Joints[at[pair[0]]], m.Skeleton.Joints[at[pair[1]]]
				p, q := frame.Globals[a.Node].Translation(), frame.Globals[b.Node].Translation()
				rest := a.Position.Sub(b.Position).Len()
				if d := math.Abs(p.Sub(q).Len()/rest - 1); !(d <= 0.015) {
					t.Fatalf("%s at %g s: %v are %g of their distance apart", word, s, pair, d)
				}
				moved = math.Max(moved, q.Sub(b.Position).Len())
			}
		}
		if word == "bend" && !(moved > 0.03) {
			t.Errorf("the fingers move %g m", moved)
		}
	}
}

func TestAppend(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	own := len(m.Clips)
	more := stress.Append(m)
	if len(m.Clips) != own || len(more.Clips) != own+3 || &more.Skin.Positions[0] != &m.Skin.Positions[0] {
		t.Errorf("%d clips, then %d and %d", own, len(m.Clips), len(more.Clips))
	}
	if stress.Append(more) != more {
		t.Error("appended twice")
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"stress:twist": "stress:twist", "stress: bend": "stress:bend", "Stress:  Shrug": "stress:shrug", "walk": "",
		"stress": "", "walk:12": "",
	} {
		if got, ok := stress.Name(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", text, got, ok)
		}
	}
}

// Whatever the reader lets through has clips that play: finite poses, in order, in time.
func TestEveryModel(t *testing.T) {
	root := gltftest.SharedModels(t)
	opened := 0
	for _, pattern := range []string{"*.gl*", "reports/*.gl*", "conformance/*.gl*", "hostile/*.gl*", "sequences/*.glb", "examples/*.glb"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			m, err := assets.Open(path)
			if err != nil {
				continue
			}
			opened++
			var clips []skinning.Clip
			if d := cputime.Of(func() { clips = stress.Clips(m) }); d > 2*time.Second { // takes milliseconds
				t.Errorf("%s: took %v", path, d)
			}
			pose := m.NewPose()
			for _, c := range clips {
				if !(c.Seconds <= 12+1e-5) {
					t.Errorf("%s, %s: %g s", path, c.Name, c.Seconds)
				}
				for k := range 20 {
					m.ResetPose(pose)
					c.Sample(pose, c.Seconds*float64(k)/19)
					for i, l := range pose.Local {
						q := l.Rotation
						if !(math.Abs(q.Dot(q)-1) <= 1e-6) || math.IsNaN(l.Translation.Len()) {
							t.Fatalf("%s, %s: node %d is at %v", path, c.Name, i, l)
						}
					}
				}
			}
		}
	}
	if opened < 10 {
		t.Errorf("%d models opened", opened)
	}
}

// TestOwn: a model's own clips are those before the stress clips, whether it has these or not.
func TestOwn(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	if n, all := stress.Own(m), stress.Append(m); n != len(m.Clips) || stress.Own(all) != n || len(all.Clips) == n {
		t.Errorf("%d own clips of %d, %d of %d with stress clips", n, len(m.Clips), stress.Own(all), len(all.Clips))
	}
}

// Joints that share vertices stay within 120 degrees of each other in all stress clips, to a hundredth for keys in
// float32, and notes cover each clip from its start to its end.
func TestJointsStayWhereMethodsAreDefined(t *testing.T) {
	for _, name := range []string{"demo:tube", "demo:arm", "demo:figure", "human_male.glb", "Knight.glb",
		"RobotExpressive.glb", "Fox.glb", "CesiumMan.glb", "GenericHand.glb"} {
		m := assetstest.Open(t, name)
		pairs := metrics.NewHalfTurns(m).Pairs()
		frame, pose := skinning.NewFrame(m, nil), m.NewPose()
		apart := func(p [2]uint16) float64 {
			rigid := frame.Rigid()
			return 360 / math.Pi * math.Acos(min(1, math.Abs(rigid[p[0]].Real.Dot(rigid[p[1]].Real))))
		}
		static := make([]float64, len(pairs))
		for k, p := range pairs {
			static[k] = apart(p)
		}
		for _, c := range stress.Clips(m) {
			far := 0.0
			for at := 0.0; at < c.Seconds-1e-5; at += 0.02 {
				m.ResetPose(pose)
				c.Sample(pose, at)
				frame.SetPose(pose)
				for k, p := range pairs {
					if static[k] <= 120 {
						far = max(far, apart(p))
					}
				}
				if text := note(&c, at); !strings.HasSuffix(text, "°") {
					t.Fatalf("%s, %s at %g s: note %q", name, c.Name, at, text)
				}
			}
			if !(far <= 120.01) {
				t.Errorf("%s, %s: joints that share vertices are %.2f degrees apart", name, c.Name, far)
			}
		}
	}
	if text := note(clip(assetstest.Open(t, "demo:figure"), "twist"), 2.5); text != "forearm L+R, 120°" {
		t.Errorf("note %q", text)
	}
}
