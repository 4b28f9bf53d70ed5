package meshopt

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"skinlab/internal/clients"
)

// vector is a compressed buffer with what meshoptimizer makes of it.
type vector struct {
	Mode   Mode   `json:"mode"`
	Filter Filter `json:"filter"`
	Count  int    `json:"count"`
	Stride int    `json:"stride"`
	Packed []byte `json:"packed"`
	Want   []byte `json:"want"`
}

// vectors returns buffers that the encoder of meshoptimizer makes, in all modes, versions, widths and filters. It skips
// the test where node or the package is not there.
func vectors(t testing.TB) (all []vector) {
	t.Helper()
	folder, err := filepath.Abs("../export/testdata/clients")
	if err != nil {
		t.Fatal(err)
	}
	if err := clients.Install(t.Context(), folder); err != nil {
		t.Skip(err)
	}
	command := exec.CommandContext(t.Context(), "node", "meshopt.mjs")
	command.Dir, command.Stderr = folder, os.Stderr
	text, err := command.Output()
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every buffer is decoded to the same bytes as by meshoptimizer's own decoder, cut short it is an error, and with bytes
// more too.
func TestDecodeAgainstMeshoptimizer(t *testing.T) {
	counts := map[string]int{}
	for i, v := range vectors(t) {
		if err := Check(v.Mode, v.Filter, v.Count, v.Stride); err != nil {
			t.Fatalf("vector %d: %v", i, err)
		}
		got := make([]byte, v.Count*v.Stride)
		if err := Decode(got, v.Packed, v.Mode, v.Filter, v.Count, v.Stride); err != nil {
			t.Errorf("vector %d, %s, %s, %d of %d bytes: %v", i, v.Mode, v.Filter, v.Count, v.Stride, err)
			continue
		}
		if !bytes.Equal(got, v.Want) {
			k := 0
			for got[k] == v.Want[k] {
				k++
			}
			t.Errorf("vector %d, %s, %s, %d of %d bytes: byte %d is %d, expected %d", i, v.Mode, v.Filter, v.Count, v.Stride, k,
				got[k], v.Want[k])
		}
		counts[string(v.Mode)+" "+string(v.Filter)]++
		for _, bad := range [][]byte{v.Packed[:len(v.Packed)-1], append(bytes.Clone(v.Packed), 0), nil} {
			if err := Decode(got, bad, v.Mode, v.Filter, v.Count, v.Stride); len(bad) < len(v.Packed) && v.Mode == Attributes && !errors.Is(err, ErrData) {
				t.Errorf("vector %d cut to %d bytes: %v", i, len(bad), err)
			}
		}
	}
	t.Log(counts)
	if len(counts) != 7 {
		t.Errorf("vectors of %v, expected attributes with five filters, triangles and indices", counts)
	}
}

// A triangle, a sequence and a constant attribute, packed by hand from the specification.
func TestDecode(t *testing.T) {
	table := make([]byte, 16)
	for _, c := range []struct {
		mode          Mode
		count, stride int
		packed        []byte
		want          []byte
	}{
		{Triangles, 6, 2, append([]byte{0xe1, 0xf0, 0x00}, table...), []byte{0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0}},
		{Indices, 3, 2, []byte{0xd1, 0x0c, 0x04, 0x02, 0, 0, 0, 0}, []byte{3, 0, 4, 0, 3, 0}},
		{Attributes, 2, 4, append(append(append([]byte{0xa0}, 0, 0, 0, 0), make([]byte, 28)...), 7, 8, 9, 10), []byte{7, 8, 9, 10, 7, 8, 9, 10}},
	} {
		got := make([]byte, c.count*c.stride)
		err := Decode(got, c.packed, c.mode, None, c.count, c.stride)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, expected %v", c.mode, got, err, c.want)
		}
	}
}

// FuzzDecode: no input panics, or reads or writes outside.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0xa1, 1, 2, 3, 4}, uint8(0), uint8(0), uint16(20), uint8(4))
	f.Add(append([]byte{0xe1, 0xf0, 0x00}, make([]byte, 16)...), uint8(1), uint8(0), uint16(6), uint8(2))
	f.Add([]byte{0xd1, 0x0c, 0x04, 0x06, 0, 0, 0, 0}, uint8(2), uint8(0), uint16(3), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, mode, filter uint8, count uint16, stride uint8) {
		m := []Mode{Attributes, Triangles, Indices}[mode%3]
		how := []Filter{None, Octahedral, Quaternion, Exponential, Color}[filter%5]
		if Check(m, how, int(count), int(stride)) != nil {
			return
		}
		const guard = 8
		dst := make([]byte, int(count)*int(stride)+guard)
		if err := Decode(dst[:len(dst)-guard:len(dst)-guard], data, m, how, int(count), int(stride)); err != nil && !errors.Is(err, ErrData) {
			t.Errorf("%v", err)
		}
		if binary.LittleEndian.Uint64(dst[len(dst)-guard:]) != 0 {
			t.Error("bytes behind the elements were written")
		}
	})
}
