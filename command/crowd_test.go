package command

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"skinlab/internal/longtest"
)

// writeCrowd writes a file of one mesh, a tube of four joints that bends, which many skins show.
func writeCrowd(t *testing.T, path string, skins int) {
	t.Helper()
	const around, along, joints, keys = 8, 115, 4, 20
	d := gltf.NewDocument()
	var positions, normals [][3]float32
	var bindings [][4]uint8
	var weights [][4]float32
	var corners []uint16
	for i := range along {
		y := 2 * float64(i) / (along - 1)
		at := y / 2 * (joints - 1)
		j := min(int(at), joints-2)
		for k := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
			positions = append(positions, [3]float32{float32(0.2 * cos), float32(y), float32(0.2 * sin)})
			normals = append(normals, [3]float32{float32(cos), 0, float32(sin)})
			bindings = append(bindings, [4]uint8{uint8(j), uint8(j + 1)})
			weights = append(weights, [4]float32{float32(1 - at + float64(j)), float32(at - float64(j))})
			if i > 0 {
				b, next := uint16(i*around+k), uint16(i*around+(k+1)%around)
				corners = append(corners, b-around, b, next-around, next-around, b, next)
			}
		}
	}
	d.Meshes = []*gltf.Mesh{{Primitives: []*gltf.Primitive{{Indices: gltf.Index(modeler.WriteIndices(d, corners)),
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(d, positions),
			gltf.NORMAL: modeler.WriteNormal(d, normals), gltf.JOINTS_0: modeler.WriteJoints(d, bindings),
			gltf.WEIGHTS_0: modeler.WriteWeights(d, weights)}}}}}
	var binds [][4][4]float32
	clip := &gltf.Animation{Name: "wave"}
	var times []float32
	for k := range keys {
		times = append(times, float32(k)/10)
	}
	input := modeler.WriteAccessor(d, gltf.TargetNone, times)
	d.Accessors[input].Min, d.Accessors[input].Max = []float64{0}, []float64{float64(times[keys-1])}
	for j := range joints {
		binds = append(binds, [4][4]float32{{1}, {0, 1, 0, -2 * float32(j) / (joints - 1)}, {0, 0, 1}, {0, 0, 0, 1}}) // by rows
		var turns [][4]float32
		for k := range keys {
			sin, cos := math.Sincos(0.6 * math.Sin(0.6*float64(k)+float64(j)))
			turns = append(turns, [4]float32{float32(0.6 * sin), float32(0.8 * sin), 0, float32(cos)})
		}
		clip.Samplers = append(clip.Samplers, &gltf.AnimationSampler{Input: input,
			Output: modeler.WriteAccessor(d, gltf.TargetNone, turns)})
	}
	bind := modeler.WriteAccessor(d, gltf.TargetNone, binds)
	for s := range skins {
		skin := &gltf.Skin{InverseBindMatrices: gltf.Index(bind)}
		for j := range joints {
			node := &gltf.Node{Translation: [3]float64{0, 2. / (joints - 1)}}
			if j == 0 {
				node.Translation = [3]float64{float64(s % 11), 0, float64(s / 11)}
				d.Scenes[0].Nodes = append(d.Scenes[0].Nodes, len(d.Nodes))
			} else {
				d.Nodes[len(d.Nodes)-1].Children = []int{len(d.Nodes)}
			}
			skin.Joints = append(skin.Joints, len(d.Nodes))
			clip.Channels = append(clip.Channels, &gltf.AnimationChannel{Sampler: j,
				Target: gltf.AnimationChannelTarget{Node: gltf.Index(len(d.Nodes)), Path: gltf.TRSRotation}})
			d.Nodes = append(d.Nodes, node)
		}
		d.Scenes[0].Nodes = append(d.Scenes[0].Nodes, len(d.Nodes))
		d.Nodes = append(d.Nodes, &gltf.Node{Mesh: gltf.Index(0), Skin: gltf.Index(s)})
		d.Skins = append(d.Skins, skin)
	}
	d.Animations = []*gltf.Animation{clip}
	if err := gltf.SaveBinary(d, path); err != nil {
		t.Fatal(err)
	}
}

// TestCrowd: one mesh in 121 skins, 111,320 vertices in a small file, is compared and fitted within the memory that a
// file may take ([allowedSize]) and 3 % of it, since Go's limit is a soft one: the same fit took 275 and 290 MB of
// 289 in two runs. Enveloping and the body model need more for their targets and equations alone, and say so before
// they begin.
func TestCrowd(t *testing.T) {
	longtest.Only(t)
	if runtime.GOOS != "linux" { // memory is measured in its units
		t.Skip("not on Linux")
	}
	folder := t.TempDir()
	path, out := filepath.Join(folder, "crowd.glb"), filepath.Join(folder, "out.glb")
	writeCrowd(t, path, 121)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	most := allowedSize(info.Size())
	for _, args := range [][]string{
		{"compare", path}, {"fit", "blend-bones", path, "-o", out}, {"fit", "half-way", path, "--force", "-o", out},
		{"fit", "ssd", path, "--teach", "dqs", "--force", "-o", out},
		{"fit", "helper-bones", path, "--teach", "dqs", "--force", "-o", out},
		{"fit", "enveloping", path, "--teach", "dqs"}, {"fit", "body-model", path, "--teach", "dqs"},
	} {
		cmd := program(args...)
		text, err := cmd.CombinedOutput()
		if refuses := args[1] == "enveloping" || args[1] == "body-model"; refuses != strings.Contains(string(text), "GOMEMLIMIT") || refuses != (err != nil) {
			t.Fatalf("%v: %v: %s", args, err, text)
		}
		if !strings.Contains(string(text), "meshes 121 times, 111320 in all") {
			t.Errorf("%v: does not say what it takes: %s", args, text)
		}
		used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		t.Logf("%v: %d MB of %d MB", args[:2], used>>10, most>>20)
		if used<<10 > most+most*3/100 && used > ownPeak() {
			t.Errorf("%v: %d MB of %d MB", args[:2], used>>10, most>>20)
		}
	}
}
