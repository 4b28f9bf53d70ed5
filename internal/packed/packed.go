// Package packed is the compact form in which generated models are embedded: a mesh with its rig and weights, positions
// to 27 µm, unit normals to 0.005 degrees, weights to 1/65535. Little-endian throughout.
package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Joint is a joint of the rig, unrotated at its rest position. Parents come before their children; −1 for a root.
type Joint struct {
	Name   string
	Parent int
	At     mgl64.Vec3 // metres; stored as float32
}

// Model is what a file holds. All vertex lists have the same length, at most 65,536.
type Model struct {
	Joints    []Joint
	Positions []mgl32.Vec3
	Normals   []mgl32.Vec3
	Triangles [][3]uint32
	Weights   skinning.Influences // at most four influences a vertex, at most 256 joints
}

var magic = [8]byte{'s', 'k', 'i', 'n', 'l', 'a', 'b', '1'}

// errMalformed reports bytes that are not a packed model.
var errMalformed = errors.New("not a packed model")

// header precedes the lists. A position is Centre + Step·(stored int16).
type header struct {
	Magic                       [8]byte
	Joints, Vertices, Triangles uint32
	Centre, Step                [3]float32
}

// vertex is one vertex as stored.
type vertex struct {
	Position [3]int16
	Normal   [2]int16 // octahedral map (Cigolle et al. 2014, "Survey of Efficient Representations for Independent Unit Vectors")
	Joints   [4]uint8
	Weights  [4]uint16 // sum 65535
}

// Encode packs m. It panics if m is too large for the format, which is a bug of the generator.
func Encode(m *Model) []byte {
	if len(m.Positions) > 1<<16 || len(m.Joints) > 256 || len(m.Normals) != len(m.Positions) ||
		len(m.Weights.Bindings) != len(m.Positions) || m.Weights.ExtraStart != nil {
		panic(fmt.Sprintf("packed: %d positions, %d normals, %d bindings, %d joints do not fit",
			len(m.Positions), len(m.Normals), len(m.Weights.Bindings), len(m.Joints)))
	}
	h := header{Magic: magic, Joints: uint32(len(m.Joints)), Vertices: uint32(len(m.Positions)),
		Triangles: uint32(len(m.Triangles))}
	lo, hi := geom.Bounds(m.Positions)
	for c := range lo {
		h.Centre[c] = (lo[c] + hi[c]) / 2
		h.Step[c] = (hi[c] - lo[c]) / 2 / math.MaxInt16
	}
	var out bytes.Buffer
	write := func(v any) {
		if err := binary.Write(&out, binary.LittleEndian, v); err != nil {
			panic("packed: " + err.Error())
		}
	}
	write(h)
	for _, j := range m.Joints {
		write(uint8(len(j.Name)))
		out.WriteString(j.Name)
		write(int16(j.Parent))
		write([3]float32(geom.Vec32(j.At)))
	}
	for i, p := range m.Positions {
		v := vertex{Normal: octahedral(m.Normals[i])}
		for c := range p {
			v.Position[c] = int16(math.RoundToEven(float64((p[c] - h.Centre[c]) / h.Step[c])))
		}
		rest := 65535
		b := m.Weights.Bindings[i]
		for k := 3; k > 0; k-- {
			v.Joints[k] = uint8(b.Joints[k])
			v.Weights[k] = uint16(math.Round(float64(b.Weights[k]) * 65535))
			rest -= int(v.Weights[k])
		}
		v.Joints[0], v.Weights[0] = uint8(b.Joints[0]), uint16(rest)
		write(v)
	}
	for _, t := range m.Triangles {
		write([3]uint16{uint16(t[0]), uint16(t[1]), uint16(t[2])})
	}
	return out.Bytes()
}

// Decode unpacks what [Encode] packed. Bytes cut short or changed in their counts return an error that wraps
// [errMalformed].
func Decode(data []byte) (*Model, error) {
	r := bytes.NewReader(data)
	var h header
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil || h.Magic != magic {
		return nil, fmt.Errorf("%w: bad header", errMalformed)
	}
	if h.Joints > 256 || h.Vertices > 1<<16 || uint64(h.Triangles)*6 > uint64(len(data)) {
		return nil, fmt.Errorf("%w: %d joints, %d vertices, %d triangles", errMalformed, h.Joints, h.Vertices, h.Triangles)
	}
	m := &Model{Joints: make([]Joint, h.Joints)}
	for i := range m.Joints {
		if err := readJoint(r, &m.Joints[i]); err != nil {
			return nil, fmt.Errorf("%w: joint %d: %w", errMalformed, i, err)
		}
	}
	vertices, triangles := make([]vertex, h.Vertices), make([][3]uint16, h.Triangles)
	if err := errors.Join(binary.Read(r, binary.LittleEndian, vertices),
		binary.Read(r, binary.LittleEndian, triangles)); err != nil {
		return nil, fmt.Errorf("%w: %w", errMalformed, err)
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%w: %d bytes left over", errMalformed, r.Len())
	}
	m.unpack(&h, vertices, triangles)
	return m, nil
}

func (m *Model) unpack(h *header, vertices []vertex, triangles [][3]uint16) {
	m.Positions, m.Normals = make([]mgl32.Vec3, len(vertices)), make([]mgl32.Vec3, len(vertices))
	m.Weights.Bindings = make([]skinning.Binding, 0, len(vertices))
	raw := make([]skinning.Influence, 4)
	for i, v := range vertices {
		for c := range v.Position {
			m.Positions[i][c] = h.Centre[c] + h.Step[c]*float32(v.Position[c])
		}
		m.Normals[i] = fromOctahedral(v.Normal)
		raw = raw[:4]
		for k := range raw {
			raw[k] = skinning.Influence{Joint: uint16(v.Joints[k]), Weight: float32(v.Weights[k])}
		}
		m.Weights.Append(raw, 0)
	}
	m.Triangles = make([][3]uint32, len(triangles))
	for i, t := range triangles {
		m.Triangles[i] = [3]uint32{uint32(t[0]), uint32(t[1]), uint32(t[2])}
	}
}

func readJoint(r *bytes.Reader, j *Joint) error {
	n, err := r.ReadByte()
	if err != nil {
		return err
	}
	name := make([]byte, n)
	var parent int16
	var at [3]float32
	err = errors.Join(binary.Read(r, binary.LittleEndian, name), binary.Read(r, binary.LittleEndian, &parent),
		binary.Read(r, binary.LittleEndian, &at))
	*j = Joint{Name: string(name), Parent: int(parent), At: geom.Vec64(at)}
	return err
}

// octahedral maps the unit sphere to a square: the upper half to the inner diamond, the lower half to the corners.
func octahedral(n mgl32.Vec3) [2]int16 {
	x, y, z := float64(n[0]), float64(n[1]), float64(n[2])
	s := math.Abs(x) + math.Abs(y) + math.Abs(z)
	u, v := x/s, y/s
	if z < 0 {
		u, v = math.Copysign(1-math.Abs(v), u), math.Copysign(1-math.Abs(u), v)
	}
	return [2]int16{int16(math.RoundToEven(u * math.MaxInt16)), int16(math.RoundToEven(v * math.MaxInt16))}
}

func fromOctahedral(o [2]int16) mgl32.Vec3 {
	u, v := float64(o[0])/math.MaxInt16, float64(o[1])/math.MaxInt16
	z := 1 - math.Abs(u) - math.Abs(v)
	if z < 0 {
		u, v = math.Copysign(1-math.Abs(v), u), math.Copysign(1-math.Abs(u), v)
	}
	return geom.Vec32(mgl64.Vec3{u, v, z}.Normalize())
}
