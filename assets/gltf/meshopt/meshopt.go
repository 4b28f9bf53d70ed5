// Package meshopt decodes the buffer views of EXT_meshopt_compression and KHR_meshopt_compression, by the
// specifications of these extensions: attributes of versions 0 and 1, triangles, indices, and the filters.
//
// Decoding never panics and reads no byte outside its input. A fault is an error that wraps [ErrData].
package meshopt

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrData reports data that the format does not allow.
var ErrData = errors.New("meshopt: bad data")

// Mode is how a view is compressed.
type Mode string

const (
	Attributes Mode = "ATTRIBUTES"
	Triangles  Mode = "TRIANGLES"
	Indices    Mode = "INDICES"
)

// Filter is what is done to decoded attributes.
type Filter string

const (
	None        Filter = "NONE"
	Octahedral  Filter = "OCTAHEDRAL"
	Quaternion  Filter = "QUATERNION"
	Exponential Filter = "EXPONENTIAL"
	Color       Filter = "COLOR"
)

// Check reports a stride or a count that a mode or a filter does not allow.
func Check(mode Mode, filter Filter, count, stride int) error {
	bad := func() error {
		return fmt.Errorf("%w: %d elements of %d bytes in mode %s with filter %s", ErrData, count, stride, mode, filter)
	}
	if count < 0 {
		return bad()
	}
	switch mode {
	case Attributes:
		if stride%4 != 0 || stride < 4 || stride > 256 {
			return bad()
		}
	case Triangles, Indices:
		if stride != 2 && stride != 4 || mode == Triangles && count%3 != 0 || filter != None && filter != "" {
			return bad()
		}
	default:
		return fmt.Errorf("%w: mode %q", ErrData, mode)
	}
	switch filter {
	case None, "", Exponential:
	case Octahedral, Color:
		if stride != 4 && stride != 8 {
			return bad()
		}
	case Quaternion:
		if stride != 8 {
			return bad()
		}
	default:
		return fmt.Errorf("%w: filter %q", ErrData, filter)
	}
	return nil
}

// Decode fills dst with count elements of stride bytes each, which [Check] has accepted and whose bytes dst has, from
// compressed bytes.
func Decode(dst, src []byte, mode Mode, filter Filter, count, stride int) error {
	r := &reader{data: src}
	switch mode {
	case Attributes:
		r.attributes(dst, count, stride)
	case Triangles:
		r.triangles(dst, count, stride)
	default:
		r.sequence(dst, count, stride)
	}
	if r.err != nil {
		return r.err
	}
	apply(filter, dst, stride)
	return nil
}

// reader reads compressed bytes. After a fault, which err has, it gives zeros.
type reader struct {
	data []byte
	err  error
}

// zeros is what a reader gives after a fault.
var zeros [256]byte

// fail records the first fault.
func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrData, what)
	}
}

// take returns the next n bytes, at most 256.
func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.fail("truncated")
		r.data = nil
		return zeros[:n]
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out
}

// tail cuts the last bytes off and returns them, at least so many of which are there.
func (r *reader) tail(n int) []byte {
	if n > len(r.data) {
		r.fail("truncated")
		return make([]byte, n)
	}
	cut := len(r.data) - n
	out := r.data[cut:]
	r.data = r.data[:cut:cut]
	return out
}

// end reports bytes that are left over.
func (r *reader) end() {
	if len(r.data) > 0 {
		r.fail(fmt.Sprintf("%d bytes too many", len(r.data)))
	}
}

// varint reads a number of seven bits a byte, the lowest first.
func (r *reader) varint() (n uint32) {
	for shift := 0; shift < 35; shift += 7 {
		b := r.take(1)[0]
		n |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.fail("a number of more than five bytes")
	return 0
}

// unzigzag returns the signed number whose sign is the lowest bit, in two's complement.
func unzigzag[T uint8 | uint16 | uint32](v T) T { return v>>1 ^ -(v & 1) }

// put writes an index of two or four bytes.
func put(dst []byte, at, stride int, v uint32) {
	if stride == 2 {
		binary.LittleEndian.PutUint16(dst[2*at:], uint16(v))
	} else {
		binary.LittleEndian.PutUint32(dst[4*at:], v)
	}
}
