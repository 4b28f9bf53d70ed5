package gltf

import (
	"encoding/binary"
	"fmt"
	"math"

	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
)

// Component types of accessors: GL's enumeration.
const (
	componentByte   = 5120
	ComponentUbyte  = 5121
	ComponentShort  = 5122
	ComponentUshort = 5123
	ComponentUint   = 5125
	ComponentFloat  = 5126
)

// accessor is one checked accessor: data, where not nil, holds count elements stride bytes apart, and sparse overrides
// some of them. Without data the elements are zero.
type accessor struct {
	component  int
	normalized bool
	shape      string // SCALAR, VEC2, ... MAT4
	width      int    // components an element
	Count      int
	stride     int
	Data       []byte
	sparse     *sparse
}

// sparse holds the overridden elements: their indices, strictly rising, and their values, tightly packed.
type sparse struct {
	count          int
	indexComponent int
	indices        []byte
	values         []byte
	checked        bool
}

// ComponentSize returns the bytes of a component, 0 for an unknown type.
func ComponentSize(component int) int {
	switch component {
	case componentByte, ComponentUbyte:
		return 1
	case ComponentShort, ComponentUshort:
		return 2
	case ComponentUint, ComponentFloat:
		return 4
	}
	return 0
}

// ElementLayout returns the components and bytes of one element; 0 for an unknown type. Matrix columns start on
// multiples of four bytes (glTF 2.0, section 3.6.2.4).
func ElementLayout(shape string, componentBytes int) (width, size int) {
	columns, rows := 1, 0
	switch shape {
	case "SCALAR":
		rows = 1
	case "VEC2":
		rows = 2
	case "VEC3":
		rows = 3
	case "VEC4":
		rows = 4
	case "MAT2":
		columns, rows = 2, 2
	case "MAT3":
		columns, rows = 3, 3
	case "MAT4":
		columns, rows = 4, 4
	}
	bytes := rows * componentBytes
	if columns > 1 {
		bytes = (bytes + 3) &^ 3
	}
	return columns * rows, columns * bytes
}

// checkAccessors checks every accessor against its buffer views.
func (d *Source) checkAccessors() error {
	d.Accessors = make([]accessor, len(d.Doc.Accessors))
	for i := range d.Doc.Accessors {
		if err := d.checkAccessor(i); err != nil {
			return fmt.Errorf("accessor %d: %w", i, err)
		}
	}
	return nil
}

func (d *Source) checkAccessor(i int) error {
	info, a := &d.Doc.Accessors[i], &d.Accessors[i]
	bytes := ComponentSize(int(info.ComponentType))
	if bytes == 0 {
		return fault.Malformed("componentType is %d, expected 5120 to 5123, 5125 or 5126", info.ComponentType)
	}
	width, size := ElementLayout(info.Type, bytes)
	if width == 0 {
		return fault.Malformed("type is %q, expected SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4", fault.Shorten(info.Type))
	}
	if info.Count < 1 {
		return fault.Malformed("count is %d, expected at least 1", info.Count)
	}
	*a = accessor{
		component: int(info.ComponentType), normalized: info.Normalized, shape: info.Type, width: width, stride: size,
	}
	if info.BufferView == nil {
		// Zeros cost the file nothing, so only a count that its bytes could have held is believed.
		if limit := max(d.budget.size, 1<<16); int64(info.Count) > limit {
			return fault.Malformed("count is %d without a buffer view, out of proportion to a file of %d bytes", info.Count,
				d.budget.size)
		}
	} else {
		if err := inRange("buffer view", int64(*info.BufferView), len(d.Doc.BufferViews)); err != nil {
			return err
		}
		data := d.view(int(*info.BufferView))
		if s := d.Doc.BufferViews[*info.BufferView].ByteStride; s != nil && *s != 0 {
			a.stride = int(*s)
		}
		if a.stride < size {
			return fault.Malformed("elements of %d bytes with a byteStride of %d", size, a.stride)
		}
		var err error
		if a.Data, err = window(data, info.ByteOffset, int64(info.Count), int64(a.stride), int64(size)); err != nil {
			return err
		}
	}
	a.Count = int(info.Count)
	if info.Sparse == nil {
		return nil
	}
	if err := d.checkSparse(info.Sparse, a, size); err != nil {
		return fmt.Errorf("sparse: %w", err)
	}
	return nil
}

func (d *Source) checkSparse(info *sparseInfo, a *accessor, size int) error {
	if info.Count < 1 || int64(info.Count) > int64(a.Count) {
		return fault.Malformed("count is %d, expected 1 to %d", info.Count, a.Count)
	}
	switch info.Indices.ComponentType {
	case ComponentUbyte, ComponentUshort, ComponentUint:
	default:
		return fault.Malformed("indices: componentType is %d, expected 5121, 5123 or 5125", info.Indices.ComponentType)
	}
	s := &sparse{count: int(info.Count), indexComponent: int(info.Indices.ComponentType)}
	part := func(kind string, view *strictjson.Integer, offset strictjson.Integer, size int) ([]byte, error) {
		if view == nil {
			return nil, fault.Malformed("%s: no buffer view", kind)
		}
		if err := inRange("buffer view", int64(*view), len(d.Doc.BufferViews)); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		b, err := window(d.view(int(*view)), offset, int64(s.count), int64(size), int64(size))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		return b, nil
	}
	var err error
	s.indices, err = part("indices", info.Indices.BufferView, info.Indices.ByteOffset, ComponentSize(s.indexComponent))
	if err != nil {
		return err
	}
	if s.values, err = part("values", info.Values.BufferView, info.Values.ByteOffset, size); err != nil {
		return err
	}
	a.sparse = s
	return nil
}

// window cuts count elements of size bytes, stride apart, out of data. It cannot overflow: count is checked by
// division.
func window(data []byte, offset strictjson.Integer, count, stride, size int64) ([]byte, error) {
	have := int64(len(data))
	if offset < 0 || int64(offset) > have {
		return nil, fault.Malformed("byteOffset %d is not inside a buffer view of %d bytes", offset, have)
	}
	room := have - int64(offset)
	if room < size || (room-size)/stride < count-1 {
		return nil, fault.Malformed("%d elements of %d bytes, %d apart, from byte %d on do not fit a buffer view of %d bytes",
			count, size, stride, offset, have)
	}
	end := int64(offset) + (count-1)*stride + size
	return data[offset:end:end], nil
}

// at returns sparse index k.
func (s *sparse) at(k int) int {
	switch s.indexComponent {
	case ComponentUbyte:
		return int(s.indices[k])
	case ComponentUshort:
		return int(binary.LittleEndian.Uint16(s.indices[2*k:]))
	default:
		return int(binary.LittleEndian.Uint32(s.indices[4*k:]))
	}
}

// reader runs once through the elements of an accessor.
type reader struct {
	*accessor
	next      int // the next element
	cursor    int // the next sparse entry
	valueSize int
}

// Read starts reading accessor i, which exists. The sparse indices are checked here, once, not for accessors that
// nothing uses.
func (d *Source) Read(i int) (reader, error) {
	a := &d.Accessors[i]
	_, size := ElementLayout(a.shape, ComponentSize(a.component))
	r := reader{accessor: a, valueSize: size}
	if s := a.sparse; s != nil && !s.checked {
		last := -1
		for k := 0; k < s.count; k++ {
			v := s.at(k)
			if v <= last || v >= a.Count {
				return reader{}, fault.Malformed("accessor %d: sparse: index %d is %d, expected more than %d and less than %d",
					i, k, v,
					last, a.Count)
			}
			last = v
		}
		s.checked = true
	}
	return r, nil
}

// Value reads the next element into dst, len(dst) == width. Normalised integers become 0..1 or −1..1. Matrices are read
// right for float components only.
func (r *reader) Value(dst []float64) {
	i := r.next
	r.next++
	var b []byte
	if r.Data != nil {
		b = r.Data[i*r.stride:]
	}
	if s := r.sparse; s != nil && r.cursor < s.count && s.at(r.cursor) == i {
		b = s.values[r.cursor*r.valueSize:]
		r.cursor++
	}
	if b == nil {
		clear(dst)
		return
	}
	switch r.component {
	case ComponentFloat:
		for k := range dst {
			dst[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:])))
		}
		return
	case componentByte:
		for k := range dst {
			dst[k] = float64(int8(b[k]))
		}
	case ComponentUbyte:
		for k := range dst {
			dst[k] = float64(b[k])
		}
	case ComponentShort:
		for k := range dst {
			dst[k] = float64(int16(binary.LittleEndian.Uint16(b[2*k:])))
		}
	case ComponentUshort:
		for k := range dst {
			dst[k] = float64(binary.LittleEndian.Uint16(b[2*k:]))
		}
	case ComponentUint:
		for k := range dst {
			dst[k] = float64(binary.LittleEndian.Uint32(b[4*k:]))
		}
	}
	if r.normalized {
		normalize(dst, r.component)
	}
}

// normalize maps integers to 0..1 or −1..1 (glTF 2.0, section 3.6.2.2).
func normalize(v []float64, component int) {
	var most float64
	switch component {
	case componentByte:
		most = math.MaxInt8
	case ComponentUbyte:
		most = math.MaxUint8
	case ComponentShort:
		most = math.MaxInt16
	case ComponentUshort:
		most = math.MaxUint16
	case ComponentUint:
		most = math.MaxUint32
	}
	for k := range v {
		v[k] = max(v[k]/most, -1)
	}
}

// finite reports whether no value is NaN or infinite, also after rounding to float32.
func finite(v []float64) bool {
	for _, x := range v {
		if !(math.Abs(x) <= math.MaxFloat32) {
			return false
		}
	}
	return true
}

// notFiniteOf names the first of many numbers that is not [finite].
func notFiniteOf(v []float64) string {
	for i := range v {
		if !finite(v[i : i+1]) {
			return fmt.Sprintf("number %d is %.3g", i, v[i])
		}
	}
	return "none"
}
