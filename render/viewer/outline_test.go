package viewer

import (
	"image"
	"path/filepath"
	"testing"

	"skinlab/assets/atomicfile"
	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/skinning"
)

// treeEye returns the item of an eye of the tree of nodes by its entry.
func treeEye(entry int) int { return modelpage.ItemTree + 3*entry + 2 }

// TestEyesHideMeshes: the eye of a node hides all meshes below it from the picture, that of a mesh the mesh alone; what
// is hidden is not picked, and a second click shows it as it was.
func TestEyesHideMeshes(t *testing.T) {
	t.Parallel()
	path := assetstest.Path(t, "RobotExpressive.glb")
	w := openLive(t, path, "-child.time", "0.01")
	w.do(t, "mousemove", "600", "300")
	s := w.until("the tree", func(s *Snapshot) bool { return s.item(treeEye(0)).W > 0 })
	before := w.settled()
	view := within(s.View)

	w.click(s.item(treeEye(0)), 0.5) // of the root
	w.until("all hidden", func(s *Snapshot) bool { return s.HiddenParts == s.Parts && s.Parts > 10 })
	none := w.settled()
	if d := differing(before, none, view, 24); d < 0.05 {
		t.Errorf("without any mesh only %.2g of the picture differs, expected 0.05 at least", d)
	}
	// The backdrop and the floor are grey; the robot is orange.
	if n := orange(hideAxes(none, s.View), view); n != 0 {
		t.Errorf("%d orange pixels of a robot that is hidden", n)
	}
	middle := s.View
	middle.X, middle.Y, middle.W, middle.H = middle.X+middle.W/2-2, middle.Y+middle.H/2-2, 4, 4
	w.click(middle, 0.5)
	w.untilRest()
	if v := w.now().State.Vertex; v >= 0 {
		t.Errorf("vertex %d of a hidden mesh is picked", v)
	}
	w.click(s.item(treeEye(0)), 0.5)
	w.until("all seen", func(s *Snapshot) bool { return s.HiddenParts == 0 })
	if d := differing(before, w.settled(), view, 0); d != 0 {
		t.Errorf("seen again, %.2g of the picture differs", d)
	}

	// The filter lists one mesh, and its eye hides it alone.
	w.click(w.item(modelpage.ItemFilter), 0.4)
	w.until("a field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "type", "--delay", "4", "ROOT node")
	w.until("one row", func(s *Snapshot) bool { return s.item(treeEye(0)).W > 0 && s.TreeRows == 1 })
	w.do(t, "key", "ctrl+a", "key", "BackSpace")
	w.do(t, "type", "--delay", "4", "primitive 1 torso")
	one := w.until("one mesh", func(s *Snapshot) bool { return s.TreeRows == 1 && s.item(treeEye(0)).W == 0 })
	for _, at := range one.Placed {
		if at.Item > modelpage.ItemTree && at.Item < modelpage.ItemMorph && (at.Item-modelpage.ItemTree)%3 == 2 {
			w.click(at.Rect, 0.5)
		}
	}
	w.until("one hidden", func(s *Snapshot) bool { return s.HiddenParts == 1 })
	d := differing(before, w.settled(), view, 24)
	if all := differing(before, none, view, 24); !(d > 0.002 && d < 0.7*all) {
		t.Errorf("without the torso %.3g of the picture differs, without any mesh %.3g", d, all)
	}
}

// orange counts the pixels of a picture that are much redder than blue.
func orange(img *image.NRGBA, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if p := img.NRGBAAt(x, y); int(p.R) > int(p.B)+60 {
				n++
			}
		}
	}
	return n
}

// TestMorphSliders: a slider moves the vertices as the reference on the CPU does, while the clip's other weights and
// its time go on; undo and the button give the weight back.
func TestMorphSliders(t *testing.T) {
	t.Parallel()
	const slot = 3
	w := openLive(t, "demo:leg", "-child.time", "0.01")
	w.do(t, "mousemove", "600", "300", "key", "g") // the floor is lower under the reference's rest pose
	s := w.until("the page", func(s *Snapshot) bool { return s.item(modelpage.ItemGroup).W > 0 })
	for _, k := range []int{2, 0} { // the groups above the sliders make room for them
		w.click(s.item(modelpage.ItemGroup+k), 0.3)
		s = w.until("a folded group", func(now *Snapshot) bool {
			return now.item(modelpage.ItemMorph+4*slot).Y != s.item(modelpage.ItemMorph+4*slot).Y
		})
	}
	before := w.settled()
	s = w.now()
	slider := s.item(modelpage.ItemMorph + 4*slot)
	if slider.W <= 0 {
		t.Fatal("no slider")
	}
	w.click(slider, 0.999)
	w.until("a whole target", func(s *Snapshot) bool { return s.Morphs[slot] == 1 })
	w.do(t, "mousemove", "5", "5") // neither the pointer nor a tip is over the picture
	after := w.settled()
	s = w.now()

	m := assetstest.Open(t, "demo:leg")
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, s.State.Clip, s.State.Time)
	for k, x := range s.Morphs {
		if k != slot && x != pose.Morphs[k] {
			t.Errorf("target %d, which nobody has touched, is at %g, the clip at %g", k, x, pose.Morphs[k])
		}
	}
	pose.Morphs[slot] = 1
	frame.SetPose(pose)
	moved := frame.Snapshot(frame.Positions(skinning.LBS))
	expected, err := headlessPicture(moved.Model, &picture.Scene{Camera: s.Camera, Method: skinning.LBS, Frame: moved,
		Width: int(s.View.W), Height: int(s.View.H)})
	if err != nil {
		t.Skipf("no headless context to compare with: %v", err)
	}
	placed := image.NewNRGBA(after.Rect)
	for y := range expected.Rect.Dy() {
		for x := range expected.Rect.Dx() {
			placed.SetNRGBA(x+int(s.View.X), y+int(s.View.Y), expected.NRGBAAt(x, y))
		}
	}
	if *keep != "" {
		for name, img := range map[string]*image.NRGBA{"slider.png": after, "reference.png": placed} {
			if err := atomicfile.WritePNG(filepath.Join(*keep, name), img); err != nil {
				t.Fatal(err)
			}
		}
	}
	view := within(s.View)
	// Soft shadows and normals that are summed differ by a few levels, and edges by the quarters of a pixel that the
	// window samples; a vertex in another place changes its edge by more.
	const level = 48
	change := differing(before, after, view, level)
	wrong := differing(hideAxes(after, s.View), hideAxes(placed, s.View), view, level)
	t.Logf("the slider changes %.3g of the picture, %.3g differs from the reference", change, wrong)
	if change < 0.001 || !(wrong < 0.1*change) {
		t.Errorf("the slider changes %.3g of the picture, of which %.3g is not as in the reference", change, wrong)
	}

	w.do(t, "mousemove", "600", "300", "key", "period")
	w.until("the clip to move on with the target", func(now *Snapshot) bool {
		return now.State.Time > s.State.Time && now.Morphs[slot] == 1
	})
	w.do(t, "key", "ctrl+z")
	w.until("undone", func(s *Snapshot) bool { return s.Morphs[slot] != 1 })
	w.do(t, "key", "ctrl+shift+z")
	held := w.until("done again", func(s *Snapshot) bool { return s.Morphs[slot] == 1 })
	w.click(held.item(modelpage.ItemMorph+4*slot+2), 0.5)
	w.until("the clip's again", func(s *Snapshot) bool { return s.Morphs[slot] != 1 })

	// Typed.
	number := w.now().item(modelpage.ItemMorph + 4*slot + 1)
	w.do(t, "mousemove", "0", "0")
	w.click(number, 0.5)
	w.until("a field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "key", "ctrl+a")
	w.do(t, "type", "--delay", "4", "0.25")
	w.do(t, "key", "Return")
	w.until("a quarter", func(s *Snapshot) bool { return s.Morphs[slot] == 0.25 })
}
