package retarget_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
	"skinlab/skinning/retarget"
)

func open(t *testing.T, name string) *skinning.Model {
	t.Helper()
	if filepath.Ext(name) != "" {
		name = filepath.Join(gltftest.SharedModels(t), name)
	}
	m, err := assets.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// moved returns a character with one clip of a motion, its last.
func moved(t *testing.T, character, motion *skinning.Model, clip int) *skinning.Model {
	t.Helper()
	m, first, err := retarget.Append(retarget.NewMatches(character, motion, nil), []int{clip})
	if err != nil {
		t.Fatal(err)
	}
	if first != len(m.Clips)-1 {
		t.Fatalf("clip %d is the first of %d", first, len(m.Clips))
	}
	return m
}

// times are keys of a clip, and times between them.
func times(c *skinning.Clip) (out []float64) {
	keys := c.KeyTimes()
	for k := 0; k+1 < len(keys); k += max(len(keys)/5, 1) {
		out = append(out, keys[k], 0.3*keys[k]+0.7*keys[k+1])
	}
	return append(out, c.Seconds)
}

func globals(m *skinning.Model, clip int, seconds float64) []geom.Affine {
	out, pose := make([]geom.Affine, len(m.Skeleton.Nodes)), m.NewPose()
	m.SamplePose(pose, clip, seconds)
	m.Skeleton.Globals(out, pose)
	return out
}

// skin returns the skin posed by linear blending, in the units of a model that is scaled by unit.
func skin(m *skinning.Model, clip int, seconds, unit float64) (out []mgl64.Vec3) {
	pose, palette := gltftest.Posed(m, clip, seconds)
	for v := range m.Skin.Positions {
		out = append(out, gltftest.LinearBlend(m, pose, palette, v).Mul(1/unit))
	}
	return out
}

func farthest(a, b []mgl64.Vec3) (d float64) {
	for i := range a {
		if x := a[i].Sub(b[i]).Len(); !(x <= d) {
			d = x
		}
	}
	return d
}

// The same rig from two files: every clip is the same, to float32's rounding of the keys, at keys and between them.
func TestSameRigIsExact(t *testing.T) {
	for _, name := range []string{"demo:figure", "demo:arm", "human_male.glb", "Knight.glb", "CesiumMan.glb", "Fox.glb",
		"RobotExpressive.glb", "bvh/cmu_02_01_walk.bvh"} {
		m := open(t, name)
		for clip := 0; clip < len(m.Clips); clip += max(len(m.Clips)/3, 1) {
			same := moved(t, m, m, clip)
			for _, at := range times(&m.Clips[clip]) {
				have, want := globals(same, len(same.Clips)-1, at), globals(m, clip, at)
				for i := range have {
					if d := have[i].Translation().Sub(want[i].Translation()).Len(); !(d <= 1e-6*m.Diagonal()) {
						t.Errorf("%s, %s: node %q is off by %g of the diagonal at %g s", name, m.Clips[clip].Name,
							m.Skeleton.Nodes[i].Name, d/m.Diagonal(), at)
						break
					}
				}
				if d := farthest(skin(same, len(same.Clips)-1, at, 1), skin(m, clip, at, 1)); !(d <= 1e-6*m.Diagonal()) {
					t.Errorf("%s, %s: the skin is off by %g of the diagonal at %g s", name, m.Clips[clip].Name, d/m.Diagonal(), at)
				}
			}
		}
	}
}

// variant returns a model whose joints have other frames: the local frame of node i is turned by frames[i], the world
// by world, lengths are multiplied by unit. It has no clips.
func variant(m *skinning.Model, frames []geom.Quat, world geom.Quat, unit float64) *skinning.Model {
	out := *m
	out.Clips = nil
	out.Skeleton.Nodes, out.Skeleton.Joints = slices.Clone(m.Skeleton.Nodes), slices.Clone(m.Skeleton.Joints)
	out.Skin.Positions = slices.Clone(m.Skin.Positions)
	for i := range out.Skeleton.Nodes {
		n := &out.Skeleton.Nodes[i]
		above := world.Conjugate() // of a root
		if n.Parent >= 0 {
			above = frames[n.Parent]
		}
		n.Rest.Translation = above.Conjugate().Rotate(n.Rest.Translation).Mul(unit)
		n.Rest.Rotation = above.Conjugate().Mul(n.Rest.Rotation).Mul(frames[i])
	}
	for j := range out.Skeleton.Joints {
		joint := &out.Skeleton.Joints[j]
		l := frames[joint.Node].Conjugate().Mat3().Mul(joint.FromRest.Linear()).Mul(world.Mat3().Transpose())
		joint.FromRest = geom.NewAffine(l, frames[joint.Node].Conjugate().Rotate(joint.FromRest.Translation()).Mul(unit))
		joint.Position = world.Rotate(joint.Position).Mul(unit)
	}
	for v, p := range out.Skin.Positions {
		out.Skin.Positions[v] = geom.Vec32(world.Rotate(geom.Vec64(p)).Mul(unit))
	}
	return &out
}

func identities(n int) []geom.Quat {
	all := make([]geom.Quat, n)
	for i := range all {
		all[i] = geom.IdentityQuat()
	}
	return all
}

// reposed returns a model that rests in another pose: one of its own that a function makes of the static one.
func reposed(m *skinning.Model, change func(pose *skinning.Pose)) *skinning.Model {
	out := *m
	out.Clips = nil
	out.Skeleton.Nodes, out.Skeleton.Joints = slices.Clone(m.Skeleton.Nodes), slices.Clone(m.Skeleton.Joints)
	pose := m.NewPose()
	change(pose)
	at := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(at, pose)
	for i := range out.Skeleton.Nodes {
		out.Skeleton.Nodes[i].Rest = pose.Local[i]
	}
	for j := range out.Skeleton.Joints {
		joint := &out.Skeleton.Joints[j]
		joint.FromRest, _ = at[joint.Node].Inverse()
		joint.Position = at[joint.Node].Translation()
	}
	return &out
}

// jointsOff returns the largest distance of joints in two clips, the second in a world that is turned and scaled.
func jointsOff(a *skinning.Model, clipA int, b *skinning.Model, clipB int, world geom.Quat, unit float64) (off float64) {
	keys := b.Clips[clipB].KeyTimes()
	for k := 0; k < len(keys); k += max(len(keys)/10, 1) {
		at := keys[k]
		have, want := globals(a, clipA, at), globals(b, clipB, at)
		for j := range a.Skeleton.Joints {
			i := a.Skeleton.Joints[j].Node
			if d := have[i].Translation().Sub(world.Rotate(want[i].Translation()).Mul(unit)).Len() / unit; !(d <= off) {
				off = d
			}
		}
	}
	return off
}

// Twins of a rig that differ in size, in the axes of every joint, in the way that they look and in their rest poses move
// as the rig itself.
func TestTwinsMoveAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	half := geom.AxisAngle(mgl64.Vec3{0, 1, 0}, math.Pi)
	lying := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, math.Pi/2)
	for _, name := range []string{"demo:figure", "human_male.glb"} {
		m := open(t, name)
		n, clip := len(m.Skeleton.Nodes), 0
		random := func(angle float64) geom.Quat {
			return geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, angle)
		}
		axes := make([]geom.Quat, n)
		for i := range axes {
			axes[i] = random(2 * math.Pi * r.Float64())
		}
		raise := func(pose *skinning.Pose, angle float64) { // the arms, as from A to T
			at := make([]geom.Affine, n)
			m.Skeleton.Globals(at, m.NewPose())
			body := anatomy.Humanoid(&m.Skeleton, jointNodes(m))
			for side, angle := range map[string]float64{"left": angle, "right": -angle} {
				i := body[side+"UpperArm"][0]
				bone := at[body[side+"LowerArm"][0]].Translation().Sub(at[i].Translation()).Normalize()
				forward := mgl64.Vec3{0, 0, 1}
				q := geom.AxisAngle(forward.Sub(bone.Mul(bone[2])), angle) // across the bone: nothing says how it is twisted
				var world geom.Mat3
				geom.PolarRotation(&world, &at[i])
				w := geom.QuatFromMat3(world)
				pose.Local[i].Rotation = pose.Local[i].Rotation.Mul(w.Conjugate()).Mul(q).Mul(w)
			}
		}
		arms := func(pose *skinning.Pose) { raise(pose, math.Pi/5) }
		all := func(pose *skinning.Pose) {
			for i := range pose.Local {
				if m.Skeleton.Nodes[i].Parent >= 0 {
					pose.Local[i].Rotation = pose.Local[i].Rotation.Mul(random(0.3))
				}
			}
		}
		for _, c := range []struct {
			what  string
			twin  *skinning.Model
			world geom.Quat
			unit  float64
		}{
			{"of centimetres", variant(m, identities(n), geom.IdentityQuat(), 0.01), geom.IdentityQuat(), 0.01},
			{"of other axes", variant(m, axes, geom.IdentityQuat(), 1), geom.IdentityQuat(), 1},
			{"of other axes and size", variant(m, axes, geom.IdentityQuat(), 100), geom.IdentityQuat(), 100},
			{"that looks back", variant(m, identities(n), half, 1), half, 1},
			{"that has Z up, of other axes", variant(m, axes, lying, 0.01), lying, 0.01},
			{"with raised arms", reposed(m, arms), geom.IdentityQuat(), 1},
			{"with raised arms and other axes", variant(reposed(m, arms), axes, geom.IdentityQuat(), 2), geom.IdentityQuat(), 2},
			{"in a pose of all joints", reposed(m, all), geom.IdentityQuat(), 1},
		} {
			twin := moved(t, c.twin, m, clip)
			if off := jointsOff(twin, 0, m, clip, c.world, c.unit); !(off <= 2e-6*m.Diagonal()) { // float32 keys, twice
				t.Errorf("%s: a twin %s is off by %g of the diagonal", name, c.what, off/m.Diagonal())
			}
			back := *m // and the rig as the twin, where the twin's clip is the motion
			back.Clips = nil
			again := moved(t, &back, twin, 0)
			if off := jointsOff(again, 0, m, clip, geom.IdentityQuat(), 1); !(off <= 4e-6*m.Diagonal()) {
				t.Errorf("%s: the rig by a twin %s is off by %g of the diagonal", name, c.what, off/m.Diagonal())
			}
		}
	}
}

func jointNodes(m *skinning.Model) (nodes []int) {
	for j := range m.Skeleton.Joints {
		nodes = append(nodes, m.Skeleton.Joints[j].Node)
	}
	return nodes
}

// Motion capture on a character: the bones of arms and legs have the directions of the capture in all frames, as in the
// clip that was made of the same capture for this character, and the hips travel as far as the legs are long.
func TestMotionCaptureOnCharacter(t *testing.T) {
	human, walk := open(t, "human_male.glb"), open(t, "bvh/cmu_02_01_walk.bvh")
	m := moved(t, human, walk, 0)
	own, err := human.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	nodes := func(m *skinning.Model) anatomy.Body { return anatomy.Humanoid(&m.Skeleton, jointNodes(m)) }
	body, source := nodes(human), nodes(walk)
	bones := [][2]string{{"UpperArm", "LowerArm"}, {"LowerArm", "Hand"}, {"UpperLeg", "LowerLeg"}, {"LowerLeg", "Foot"}}
	direction := func(b anatomy.Body, at []geom.Affine, from, to string) mgl64.Vec3 {
		return at[b[to][0]].Translation().Sub(at[b[from][0]].Translation()).Normalize()
	}
	degrees := func(a, b mgl64.Vec3) float64 { return math.Atan2(a.Cross(b).Len(), a.Dot(b)) * 180 / math.Pi }
	low, frame := math.Inf(1), walk.Clips[0].KeyTimes()[1]
	for _, at := range walk.Clips[0].KeyTimes() {
		have, want := globals(m, len(m.Clips)-1, at), globals(walk, 0, at)
		// The character's own clip has every fourth frame from the third on.
		ownTime := at - 2*frame
		made := globals(human, own, ownTime)
		for _, side := range []string{"left", "right"} {
			for _, bone := range bones {
				d := direction(body, have, side+bone[0], side+bone[1])
				if x := degrees(d, direction(source, want, side+bone[0], side+bone[1])); !(x <= 0.01) {
					t.Fatalf("%s%s is %g degrees off the capture at %g s", side, bone[0], x, at)
				}
				if ownTime < 0 || ownTime > human.Clips[own].Seconds || math.Abs(ownTime*30-math.Round(ownTime*30)) > 0.01 {
					continue
				}
				if x := degrees(d, direction(body, made, side+bone[0], side+bone[1])); !(x <= 0.02) {
					t.Errorf("%s%s is %g degrees off the clip made for the character at %g s", side, bone[0], x, at)
				}
			}
			low = min(low, have[body[side+"Toes"][0]].Translation()[1])
		}
	}
	first, last := m.Clips[len(m.Clips)-1].KeyTimes()[0], m.Clips[len(m.Clips)-1].Seconds
	travel := func(m *skinning.Model, clip, node int) float64 {
		return globals(m, clip, last)[node].Translation().Sub(globals(m, clip, first)[node].Translation()).Len()
	}
	leg := func(m *skinning.Model, b anatomy.Body) (length float64) {
		at := globals(m, -1, 0)
		for _, side := range []string{"left", "right"} {
			for _, bone := range bones[2:] {
				length += at[b[side+bone[0]][0]].Translation().Sub(at[b[side+bone[1]][0]].Translation()).Len()
			}
		}
		return length
	}
	ratio := travel(m, len(m.Clips)-1, body["hips"][0]) / travel(walk, 0, source["hips"][0])
	if want := leg(human, body) / leg(walk, source); !(math.Abs(ratio/want-1) <= 1e-3) {
		t.Errorf("the hips travel %g times as far, with legs %g times as long", ratio, want)
	}
	rest := globals(human, -1, 0)[body["leftToes"][0]].Translation()[1]
	if !(math.Abs(low-rest) <= 0.03) { // metres: feet of other lengths
		t.Errorf("the toes come down to %g m, at rest they are at %g m", low, rest)
	}
}

// A VRM animation says which node is which bone. A character with bones of any other names has the directions of its
// arms and legs, and walks as far as its legs allow.
func TestVRMAnimation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wave.vrma")
	if err := os.WriteFile(path, gltftest.VRMA().Glb(), 0o600); err != nil {
		t.Fatal(err)
	}
	wave, err := assets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(wave.Warnings)+len(wave.Ignored) > 0 {
		t.Errorf("warnings %q, not read %q", wave.Warnings, wave.Ignored)
	}
	source := anatomy.Humanoid(&wave.Skeleton, nil)
	for _, name := range []string{"human_male.glb", "CesiumMan.glb", "Knight.glb", "demo:figure"} {
		character := open(t, name)
		m := moved(t, character, wave, 0)
		body := anatomy.Humanoid(&m.Skeleton, jointNodes(m))
		legs := func(m *skinning.Model, b anatomy.Body) (length float64) {
			at := globals(m, -1, 0)
			for _, bone := range [][2]string{{"leftUpperLeg", "leftLowerLeg"}, {"leftLowerLeg", "leftFoot"}} {
				length += at[b[bone[0]][0]].Translation().Sub(at[b[bone[1]][0]].Translation()).Len()
			}
			return length
		}
		clip := len(m.Clips) - 1
		start := globals(m, clip, 0)[body["hips"][0]].Translation()
		for _, at := range []float64{0, 0.5, 1} {
			have, want := globals(m, clip, at), globals(wave, 0, at)
			for _, side := range []string{"left", "right"} {
				for _, bone := range [][2]string{{"UpperArm", "LowerArm"}, {"LowerArm", "Hand"}, {"UpperLeg", "LowerLeg"},
					{"LowerLeg", "Foot"}} {
					d := have[body[side+bone[1]][0]].Translation().Sub(have[body[side+bone[0]][0]].Translation())
					e := want[source[side+bone[1]][0]].Translation().Sub(want[source[side+bone[0]][0]].Translation())
					if a := math.Atan2(d.Cross(e).Len(), d.Dot(e)) * 180 / math.Pi; !(a <= 0.01) {
						t.Errorf("%s: %s%s is %g degrees off at %g s", name, side, bone[0], a, at)
					}
				}
			}
			way := have[body["hips"][0]].Translation().Sub(start)
			ahead := mgl64.Vec3{0, 0, at * legs(m, body) / legs(wave, source)}
			if d := way.Sub(ahead).Len(); !(d <= 0.02*ahead.Len()+1e-9) { // the legs are not quite of one length
				t.Errorf("%s: the hips are at %v at %g s, expected %v", name, way, at, ahead)
			}
		}
	}
}

// The hands of every character go where arms of its length can: nothing flies.
func TestProportionsStay(t *testing.T) {
	human, knight := open(t, "human_male.glb"), open(t, "Knight.glb")
	for _, c := range [][2]*skinning.Model{{knight, human}, {human, knight}, {open(t, "CesiumMan.glb"), human},
		{open(t, "demo:figure"), open(t, "bvh/cmu_05_06_dance.bvh")}, {open(t, "RobotExpressive.glb"), human}} {
		m := moved(t, c[0], c[1], 0)
		clip := len(m.Clips) - 1
		hips := anatomy.Humanoid(&m.Skeleton, jointNodes(m))["hips"][0]
		rest := globals(m, -1, 0)
		for _, at := range times(&m.Clips[clip]) {
			now := globals(m, clip, at)
			for j := range m.Skeleton.Joints {
				node := m.Skeleton.Joints[j].Node
				parent := m.Skeleton.Nodes[node].Parent
				if parent < 0 || node == hips || isAbove(&m.Skeleton, node, hips) {
					continue
				}
				have := now[node].Translation().Sub(now[parent].Translation()).Len()
				want := rest[node].Translation().Sub(rest[parent].Translation()).Len()
				if !(math.Abs(have-want) <= 1e-5*m.Diagonal()) {
					t.Fatalf("%s by %s: the bone of %q is %g m long at %g s, at rest %g m", m.Name, c[1].Name,
						m.Skeleton.Nodes[node].Name, have, at, want)
				}
			}
		}
	}
}

func isAbove(s *skinning.Skeleton, above, node int) bool {
	for node >= 0 && node != above {
		node = s.Nodes[node].Parent
	}
	return node == above
}

// Joints without a match and all others that a map leaves at rest keep their static transform.
func TestMapGoesFirst(t *testing.T) {
	m := open(t, "demo:figure")
	node := func(name string) int {
		return slices.IndexFunc(m.Skeleton.Nodes, func(n skinning.Node) bool { return n.Name == name })
	}
	fixed := map[int]int{node("left_hand"): -1, node("right_hand"): node("right_foot")}
	matches := retarget.NewMatches(m, m, fixed)
	if !slices.Equal(matches.Rest, []int{node("left_hand")}) {
		t.Errorf("at rest are %v", matches.Rest)
	}
	for _, p := range matches.Pairs {
		if p.Node == node("right_hand") && (p.Source != node("right_foot") || p.By != retarget.ByMap) {
			t.Errorf("the right hand follows node %d", p.Source)
		}
	}
	out, first, err := retarget.Append(matches, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range out.Clips[first].Channels {
		if ch.Node == node("left_hand") {
			t.Error("a joint that the map leaves at rest has keys")
		}
	}
	if !slices.Contains(matches.Unused, node("left_hand")) {
		t.Error("the motion's left hand is not among the joints that nothing follows")
	}
}

// Clips get names that the character has not.
func TestClipNames(t *testing.T) {
	m := open(t, "demo:figure")
	out, first, err := retarget.Append(retarget.NewMatches(m, m, nil), []int{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := out.Clips[first].Name, out.Clips[first+1].Name; a == m.Clips[0].Name || a == b || out.Clips[first].Motion != m.Name {
		t.Errorf("clips are named %q and %q, of %q", a, b, out.Clips[first].Motion)
	}
	still := *m
	still.Clips = nil
	if _, _, err := retarget.Append(retarget.NewMatches(m, &still, nil), nil); err == nil {
		t.Error("a motion without clips is no error")
	}
	arm := open(t, "demo:tube")
	if _, _, err := retarget.Append(retarget.NewMatches(arm, open(t, "demo:leg"), nil), []int{0}); err == nil {
		t.Log("a tube follows a leg")
	}
}
