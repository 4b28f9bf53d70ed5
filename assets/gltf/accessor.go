package gltf

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
)

// accessor is one checked accessor. Data holds its elements, stride bytes apart; where it is nil they are zero. Sparse
// overrides some of them.
type accessor struct {
	*gltf.Accessor
	width  int // components an element
	stride int
	Data   []byte
	sparse *sparse
}

// sparse holds the overridden elements: their indices, strictly rising, and their values, tightly packed.
type sparse struct {
	count          int
	indexComponent gltf.ComponentType
	indices        []byte
	values         []byte
	checked        bool
}

// ElementLayout returns the components and bytes of one element. Matrix columns start on multiples of four bytes (glTF
// 2.0, section 3.6.2.4).
func ElementLayout(shape gltf.AccessorType, component gltf.ComponentType) (width, size int) {
	columns := map[gltf.AccessorType]int{gltf.AccessorMat2: 2, gltf.AccessorMat3: 3, gltf.AccessorMat4: 4}[shape]
	width = shape.Components()
	if columns == 0 {
		return width, width * component.ByteSize()
	}
	return width, columns * ((width/columns*component.ByteSize() + 3) &^ 3)
}

// unsigned reports whether indices may have a component type.
func unsigned(c gltf.ComponentType) bool {
	return c == gltf.ComponentUbyte || c == gltf.ComponentUshort || c == gltf.ComponentUint
}

// checkAccessors checks every accessor against its buffer views.
func (d *Source) checkAccessors() error {
	d.Accessors = make([]accessor, len(d.Doc.Accessors))
	return each("accessor", d.Doc.Accessors, d.checkAccessor)
}

func (d *Source) checkAccessor(i int, info *gltf.Accessor) error {
	a := &d.Accessors[i]
	width, size := ElementLayout(info.Type, info.ComponentType)
	if info.Count < 1 {
		return fault.Malformed("count is %d, expected at least 1", info.Count)
	}
	*a = accessor{Accessor: info, width: width, stride: size}
	if info.BufferView == nil {
		// Zeros take no bytes in a file. So a count is accepted only if the file has enough bytes for as many elements.
		if limit := max(d.budget.size, 1<<16); int64(info.Count) > limit {
			return fault.Malformed("count is %d without a buffer view, out of proportion to a file of %d bytes", info.Count,
				d.budget.size)
		}
	} else {
		if err := inRange("buffer view", *info.BufferView, len(d.Doc.BufferViews)); err != nil {
			return err
		}
		data := d.view(*info.BufferView)
		if s := d.Doc.BufferViews[*info.BufferView].ByteStride; s != 0 {
			a.stride = s
		}
		if a.stride < size {
			return fault.Malformed("elements of %d bytes with a byteStride of %d", size, a.stride)
		}
		var err error
		if a.Data, err = window(data, info.ByteOffset, int64(info.Count), int64(a.stride), int64(size)); err != nil {
			return err
		}
	}
	if info.Sparse == nil {
		return nil
	}
	if err := d.checkSparse(info.Sparse, a, size); err != nil {
		return fmt.Errorf("sparse: %w", err)
	}
	return nil
}

func (d *Source) checkSparse(info *gltf.Sparse, a *accessor, size int) error {
	if info.Count < 1 || info.Count > a.Count {
		return fault.Malformed("count is %d, expected 1 to %d", info.Count, a.Count)
	}
	if !unsigned(info.Indices.ComponentType) {
		return fault.Malformed("indices: componentType is %s, expected UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT",
			info.Indices.ComponentType)
	}
	s := &sparse{count: info.Count, indexComponent: info.Indices.ComponentType}
	part := func(kind string, view, offset, size int) ([]byte, error) {
		if err := inRange("buffer view", view, len(d.Doc.BufferViews)); err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		b, err := window(d.view(view), offset, int64(s.count), int64(size), int64(size))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		return b, nil
	}
	var err error
	s.indices, err = part("indices", info.Indices.BufferView, info.Indices.ByteOffset, s.indexComponent.ByteSize())
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
func window(data []byte, offset int, count, stride, size int64) ([]byte, error) {
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
	case gltf.ComponentUbyte:
		return int(s.indices[k])
	case gltf.ComponentUshort:
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

// Read starts reading accessor i, which must exist. The sparse indices are checked here, so only for accessors that are
// used.
func (d *Source) Read(i int) (reader, error) {
	a := &d.Accessors[i]
	_, size := ElementLayout(a.Type, a.ComponentType)
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
	switch r.ComponentType {
	case gltf.ComponentFloat:
		for k := range dst {
			dst[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:])))
		}
		return
	case gltf.ComponentByte:
		for k := range dst {
			dst[k] = float64(int8(b[k]))
		}
	case gltf.ComponentUbyte:
		for k := range dst {
			dst[k] = float64(b[k])
		}
	case gltf.ComponentShort:
		for k := range dst {
			dst[k] = float64(int16(binary.LittleEndian.Uint16(b[2*k:])))
		}
	case gltf.ComponentUshort:
		for k := range dst {
			dst[k] = float64(binary.LittleEndian.Uint16(b[2*k:]))
		}
	case gltf.ComponentUint:
		for k := range dst {
			dst[k] = float64(binary.LittleEndian.Uint32(b[4*k:]))
		}
	}
	if r.Normalized {
		normalize(dst, r.ComponentType)
	}
}

// normalize maps integers to 0..1 or −1..1 (glTF 2.0, section 3.6.2.2).
func normalize(v []float64, component gltf.ComponentType) {
	var most float64
	switch component {
	case gltf.ComponentByte:
		most = math.MaxInt8
	case gltf.ComponentUbyte:
		most = math.MaxUint8
	case gltf.ComponentShort:
		most = math.MaxInt16
	case gltf.ComponentUshort:
		most = math.MaxUint16
	case gltf.ComponentUint:
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
