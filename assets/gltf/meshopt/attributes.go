package meshopt

import (
	"encoding/binary"
	"math/bits"
)

// Attributes are stored in blocks of elements. A block has a plane of bytes for each byte of an element, and a plane has
// groups of 16 bytes, each with as many bits a byte as its largest number needs. The numbers are differences from the
// element before.
const (
	blockBytes = 8192 // of the elements of a block, at most
	mostBlock  = 256  // elements
	groupSize  = 16
)

// groupBits are the bits a byte of a group by its two header bits: in version 0, and in version 1 by the control of the
// plane.
var (
	groupBits0 = [4]int{0, 2, 4, 8}
	groupBits1 = [2][4]int{{0, 1, 2, 4}, {1, 2, 4, 8}}
)

// The controls of a plane in version 1, beside 0 and 1 of groupBits1.
const (
	planeZero  = 2 // all numbers are 0
	planePlain = 3 // one byte each
)

// The channels of version 1, one for each four bytes of an element: the numbers of which differences are taken.
const (
	channelBytes = 0
	channelPairs = 1 // of two bytes
	channelXor   = 2 // of four bytes, by exclusive or after a rotation
)

func (r *reader) attributes(dst []byte, count, stride int) {
	head := r.take(1)[0]
	version := int(head & 0x0f)
	if head&0xf0 != 0xa0 || version > 1 {
		r.fail("no attributes of version 0 or 1")
		return
	}
	size, least := stride, 32
	if version == 1 {
		size, least = stride+stride/4, 24
	}
	tail := r.tail(max(size, least))
	tail = tail[len(tail)-size:]
	last, channels := append([]byte(nil), tail[:stride]...), tail[stride:]
	if version == 0 {
		channels = make([]byte, stride/4)
	}
	planes := make([][mostBlock]byte, stride)
	block := min(blockBytes/stride&^(groupSize-1), mostBlock)
	for first := 0; first < count && r.err == nil; first += block {
		n := min(block, count-first)
		var controls []byte
		if version == 1 {
			controls = r.take(stride / 4)
		}
		for b := range planes {
			groups := &groupBits0
			if version == 1 {
				switch control := controls[b/4] >> (b % 4 * 2) & 3; control {
				case planeZero:
					clear(planes[b][:])
					continue
				case planePlain:
					copy(planes[b][:], r.take(n))
					continue
				default:
					groups = &groupBits1[control]
				}
			}
			r.plane(&planes[b], n, groups)
		}
		for k := range n {
			for q := 0; q < stride; q += 4 {
				r.undo(last[q:q+4], channels[q/4], [4]byte{planes[q][k], planes[q+1][k], planes[q+2][k], planes[q+3][k]})
			}
			copy(dst[(first+k)*stride:], last)
		}
	}
	r.end()
}

// plane reads n bytes in groups.
func (r *reader) plane(into *[mostBlock]byte, n int, groupBits *[4]int) {
	groups := (n + groupSize - 1) / groupSize
	header := r.take((groups + 3) / 4)
	for g := range groups {
		r.group(into[g*groupSize:(g+1)*groupSize], groupBits[header[g/4]>>(g%4*2)&3])
	}
}

// group reads 16 numbers of so many bits. A number whose bits are all set is in a byte of its own, after the bits.
// Single bits begin at the lowest of a byte, others at the highest.
func (r *reader) group(into []byte, width int) {
	switch width {
	case 0:
		clear(into)
		return
	case 8:
		copy(into, r.take(groupSize))
		return
	}
	packed := r.take(groupSize * width / 8)
	all := byte(1<<width - 1)
	for k := range into {
		shift := k * width % 8
		if width > 1 {
			shift = 8 - width - shift
		}
		v := packed[k*width/8] >> shift & all
		if v == all {
			v = r.take(1)[0]
		}
		into[k] = v
	}
}

// undo adds a difference to four bytes of the element before.
func (r *reader) undo(last []byte, channel byte, delta [4]byte) {
	switch channel & 3 {
	case channelBytes:
		for c, d := range delta {
			last[c] += unzigzag(d)
		}
	case channelPairs:
		for c := 0; c < 4; c += 2 {
			v := binary.LittleEndian.Uint16(last[c:]) + unzigzag(binary.LittleEndian.Uint16(delta[c:]))
			binary.LittleEndian.PutUint16(last[c:], v)
		}
	case channelXor:
		d := bits.RotateLeft32(binary.LittleEndian.Uint32(delta[:]), -int(channel>>4))
		binary.LittleEndian.PutUint32(last, binary.LittleEndian.Uint32(last)^d)
	default:
		r.fail("a channel of kind 3")
	}
}
