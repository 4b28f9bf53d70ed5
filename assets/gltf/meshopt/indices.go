package meshopt

// Triangles are stored as a code each, against the edges and the vertices that were seen last.

// recent is a ring of the last entries, 0 before there are any.
type recent[T any] struct {
	ring [16]T
	at   int
}

func (f *recent[T]) push(v T) {
	f.ring[f.at&15] = v
	f.at++
}

// back returns the entry that was pushed n entries before the last.
func (f *recent[T]) back(n int) T { return f.ring[(f.at-1-n)&15] }

// triangles reads triangles of three indices each.
func (r *reader) triangles(dst []byte, count, stride int) {
	if head := r.take(1)[0]; head != 0xe1 {
		r.fail("no triangles of version 1")
		return
	}
	table := r.tail(16) // of common pairs of codes
	if r.err != nil || count/3 > len(r.data) {
		r.fail("truncated")
		return
	}
	codes := r.data[:count/3]
	r.data = r.data[count/3:]
	var edges recent[[2]uint32]
	var vertices recent[uint32]
	next, last := uint32(0), uint32(0)
	fresh := func() uint32 {
		next++
		return next - 1
	}
	// free is an index by its difference from the last such one.
	free := func() uint32 {
		last += unzigzag(r.varint())
		return last
	}
	for k, code := range codes {
		var a, b, c uint32
		high, low := int(code>>4), int(code&15)
		if high < 15 { // the triangle has an edge that was seen
			edge := edges.back(high)
			a, b = edge[0], edge[1]
			isNew := true
			switch low {
			case 0:
				c = fresh()
			case 13:
				last--
				c = last
			case 14:
				last++
				c = last
			case 15:
				c = free()
			default:
				c, isNew = vertices.back(low), false
			}
			if isNew {
				vertices.push(c)
			}
			edges.push([2]uint32{c, b})
			edges.push([2]uint32{a, c})
		} else {
			pair := byte(0)
			if low < 14 {
				pair = table[low]
			} else if pair = r.take(1)[0]; pair == 0 {
				next = 0
			}
			// vertex returns the vertex of a code: a fresh one, one that was seen or, only beside the table, a free one.
			vertex := func(code int) (v uint32, isNew bool) {
				switch {
				case code == 0:
					return fresh(), true
				case code == 15 && low >= 14:
					return free(), true
				}
				return vertices.back(code - 1), false
			}
			if low == 15 {
				a = free()
			} else {
				a = fresh()
			}
			var newB, newC bool
			b, newB = vertex(int(pair >> 4))
			c, newC = vertex(int(pair & 15))
			vertices.push(a)
			if newB {
				vertices.push(b)
			}
			if newC {
				vertices.push(c)
			}
			edges.push([2]uint32{b, a})
			edges.push([2]uint32{c, b})
			edges.push([2]uint32{a, c})
		}
		put(dst, 3*k, stride, a)
		put(dst, 3*k+1, stride, b)
		put(dst, 3*k+2, stride, c)
	}
	r.end()
}

// sequence reads indices in any order, each as the difference from one of two that go along with it.
func (r *reader) sequence(dst []byte, count, stride int) {
	if head := r.take(1)[0]; head != 0xd1 {
		r.fail("no indices of version 1")
		return
	}
	r.tail(4)
	var last [2]uint32
	for k := 0; k < count && r.err == nil; k++ {
		v := r.varint()
		last[v&1] += unzigzag(v >> 1)
		put(dst, k, stride, last[v&1])
	}
	r.end()
}
