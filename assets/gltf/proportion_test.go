package gltf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skinlab/assets/fault"
	"skinlab/internal/cputime"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// flatPNG returns a picture of one colour of any size: a thousandth of the bytes that its pixels take. Past 4096 rows
// it is cut: only its header is ever read.
func flatPNG(width, height, depth int) []byte {
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		start := len(out)
		out = append(append(out, kind...), body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	chunk("IHDR", append(head, byte(depth), 6, 0, 0, 0)) // colour type 6: RGBA
	var body bytes.Buffer
	z := zlib.NewWriter(&body)
	row := make([]byte, 1+4*width*depth/8)
	for range min(height, 4096) {
		z.Write(row)
	}
	z.Close()
	chunk("IDAT", body.Bytes())
	chunk("IEND", nil)
	return out
}

func repeated(item string, n int) string {
	return strings.TrimSuffix(strings.Repeat(item+",", n), ",")
}

// overstatement is a file that stands for far more than it holds.
type overstatement struct {
	name    string
	refused bool   // an error; else it loads
	warns   string // part of a warning, where it loads
	data    func() []byte
}

func overstatements() []overstatement {
	picture := func(width, height, depth int) func() []byte {
		return func() []byte {
			b := gltftest.Beam()
			b.Set("images.0.bufferView", b.View(flatPNG(width, height, depth)))
			return b.Glb()
		}
	}
	text := func(format string, args ...any) func() []byte {
		return func() []byte { return []byte(`{"asset":{"version":"2.0"},` + fmt.Sprintf(format, args...) + `}`) }
	}
	const zeros = `"accessors":[{"count":65536,"componentType":5126,"type":"VEC3"},{"count":65536,"componentType":5126,"type":"VEC4"},{"count":65536,"componentType":5121,"type":"VEC4"}]`
	return []overstatement{
		{"picture of 1 gigabyte", false, "16384×16384 pixels", picture(16384, 16384, 8)},
		{"picture wider than any", false, "at most", picture(1<<20, 1, 8)},
		{"picture of 64 MiB", false, "", picture(4096, 4096, 8)},
		{"picture of 16 bits", false, "out of proportion", picture(4096, 4096, 16)},
		{"zeros", true, "", text(`"accessors":[{"count":100000,"componentType":5126,"type":"VEC3"}]`)},
		{"instances", true, "", text(`"nodes":[%s],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],`+zeros, repeated(`{"mesh":0}`, 2000))},
		{"as many instances as fit", false, "", text(`"nodes":[%s],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],`+zeros, repeated(`{"mesh":0}`, 3))},
		{"one instance more", true, "", text(`"nodes":[%s],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],`+zeros, repeated(`{"mesh":0}`, 4))},
		{"as many skinned instances as fit", false, "", text(`"nodes":[%s],"skins":[{"joints":[0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0,"JOINTS_0":2,"WEIGHTS_0":1}}]}],`+
			zeros, `{"mesh":0,"skin":0}`)},
		{"one skinned instance more", true, "", text(`"nodes":[%s],"skins":[{"joints":[0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0,"JOINTS_0":2,"WEIGHTS_0":1}}]}],`+
			zeros, repeated(`{"mesh":0,"skin":0}`, 2))},
		{"triangles", true, "", text(`"nodes":[{"mesh":0}],"meshes":[{"primitives":[%s]}],"accessors":[{"count":3,"componentType":5126,"type":"VEC3"},{"count":65536,"componentType":5121,"type":"SCALAR"}]`,
			repeated(`{"attributes":{"POSITION":0},"indices":1,"mode":5}`, 2000))},
		{"morph targets", true, "", text(`"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"targets":[%s]}]}],`+zeros, repeated(`{"POSITION":0}`, 2000))},
		{"morph slots", true, "", text(`"nodes":[%s],"meshes":[{"primitives":[{"attributes":{},"targets":[%s]}]}]`, repeated(`{"mesh":0}`, 5000), repeated(`{}`, 10000))},
		{"primitives without positions", true, "", text(`"nodes":[%s],"meshes":[{"primitives":[%s]}]`, repeated(`{"mesh":0}`, 5000), repeated(`{"attributes":{}}`, 5000))},
		{"influence sets", true, "", text(`"nodes":[{"mesh":0,"skin":0}],"skins":[{"joints":[0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0%s}}]}],`+zeros, func() string {
			var s strings.Builder
			for n := range 1000 {
				fmt.Fprintf(&s, `,"JOINTS_%d":2,"WEIGHTS_%d":1`, n, n)
			}
			return s.String()
		}())},
		{"twist weights", true, "", text(`"nodes":[{"mesh":0,"skin":0}],"skins":[{"joints":[0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":1%s}}]}],`+zeros, func() string {
			var s strings.Builder
			for n := range 1000 {
				fmt.Fprintf(&s, `,"_TWIST_JOINTS_%d":2,"_TWIST_WEIGHTS_%d":1`, n, n)
			}
			return s.String()
		}())},
		{"nodes", false, "", text(`"nodes":[%s]`, repeated(`{}`, 300_000))},
		{"materials", false, "", text(`"materials":[%s]`, repeated(`{}`, 100_000))},
		{"accessors", true, "", text(`"accessors":[%s]`, repeated(`{}`, 100_000))},
		{"primitives", true, "", text(`"meshes":[%s]`, repeated(`{}`, 100_000))},
		{"channels", false, "", func() []byte {
			b := gltftest.Beam()
			one := b.Doc["animations"].(list)[0].(object)
			one["channels"] = list{}
			for range 20_000 {
				one["channels"] = append(one["channels"].(list),
					object{"sampler": 0, "target": object{"node": 2, "path": "rotation"}})
			}
			return b.Glb()
		}},
		{"skins below a long chain", false, "", func() []byte {
			const n = 20_000
			b := gltftest.NewBuilder()
			nodes := make(list, n)
			for i := range nodes {
				nodes[i] = object{"mesh": 0, "skin": i, "children": list{i + 1}}
				b.Push("skins", object{"joints": list{n - 1 - i%7}})
			}
			delete(nodes[n-1].(object), "children")
			b.Doc["nodes"] = nodes
			b.Push("meshes", object{"primitives": list{object{"attributes": object{
				"POSITION": b.Accessor(gltftest.Float, "VEC3", 0, 0, 0), "JOINTS_0": b.Accessor(gltftest.Ubyte, "VEC4", 0, 0, 0, 0),
				"WEIGHTS_0": b.Accessor(gltftest.Float, "VEC4", 1, 0, 0, 0)}}}})
			return b.Glb()
		}},
		{"too many joints", true, "", func() []byte {
			b := gltftest.NewBuilder()
			joints := make(list, 1<<16+1)
			nodes := make(list, len(joints))
			for i := range joints {
				joints[i], nodes[i] = i, object{}
			}
			nodes[0] = object{"mesh": 0, "skin": 0}
			b.Doc["nodes"] = nodes
			b.Push("skins", object{"joints": joints})
			b.Push("meshes", object{"primitives": list{object{"attributes": object{
				"POSITION": b.Accessor(gltftest.Float, "VEC3", 0, 0, 0), "JOINTS_0": b.Accessor(gltftest.Ubyte, "VEC4", 0, 0, 0, 0),
				"WEIGHTS_0": b.Accessor(gltftest.Float, "VEC4", 1, 0, 0, 0)}}}})
			return b.Glb()
		}},
		{"long name", true, "", text(`"nodes":[{"name":"%s","mesh":3}]`, strings.Repeat("ä", 1<<20))},
	}
}

// TestOutOfProportion loads every overstatement in a process of its own. Peak memory stays below 200 MB and 64 bytes
// for each byte of the file (Go's own share is about 15 MB of it); the answer takes less than 2 s of the processors'
// time, and 1 s more for every megabyte: six times what the slowest take.
func TestOutOfProportion(t *testing.T) {
	if testing.Short() {
		t.Skip("short: time and memory are measured, and the race detector multiplies both")
	}
	dir := t.TempDir()
	for _, c := range overstatements() {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, "model.glb")
			data := c.data()
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			limit := 2*time.Second + time.Duration(len(data))*time.Microsecond
			var refused bool
			var peak int64
			var elapsed time.Duration // of the processors, in nanoseconds on the line
			cmd := exec.Command(os.Args[0], "-test.run=^TestLoadHelper$", "-test.v")
			cmd.Env = append(os.Environ(), loadHelper+"="+path)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, line, _ := strings.Cut(string(out), "HELPER ")
			if _, err := fmt.Sscan(line, &refused, &peak, (*int64)(&elapsed)); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%d bytes: %v, %d MB, refused %v", len(data), elapsed, peak>>20, refused)
			if refused != c.refused || !strings.Contains(string(out), c.warns) {
				t.Errorf("refused: %v, expected %v with %q\n%s", refused, c.refused, c.warns, out)
			}
			if limit := 200_000_000 + 64*int64(len(data)); peak > limit {
				t.Errorf("%d bytes of memory for a file of %d", peak, len(data))
			}
			if elapsed > limit {
				t.Errorf("%v for a file of %d bytes", elapsed, len(data))
			}
			if len(out) > 32<<10 {
				t.Errorf("%d bytes of messages", len(out))
			}
		})
	}
}

// loadHelper names the environment variable that turns TestLoadHelper into the loading process.
const loadHelper = "SKINLAB_TEST_LOAD"

func TestLoadHelper(t *testing.T) {
	path := os.Getenv(loadHelper)
	if path == "" {
		t.Skip("runs only as a child of TestOutOfProportion")
	}
	var m *skinning.Model
	var err error
	elapsed := cputime.Of(func() { m, err = openFile(path) })
	if err != nil && !errors.Is(err, fault.ErrMalformed) && !errors.Is(err, fault.ErrUnsupported) {
		t.Fatal(err)
	}
	fmt.Println("HELPER", err != nil, peakMemory(), elapsed.Nanoseconds())
	if err != nil {
		fmt.Println(err)
	} else {
		fmt.Println(strings.Join(m.Warnings, "\n"))
	}
}

// peakMemory returns the most memory that the process has had resident, in bytes, or 0 where the system does not say.
func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	var kilobytes int64
	if _, line, ok := strings.Cut(string(status), "VmHWM:"); ok {
		fmt.Sscan(line, &kilobytes)
	}
	return kilobytes << 10
}
