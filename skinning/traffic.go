package skinning

import "unsafe"

// Traffic returns the bytes that one pass of a method over the stream reads and writes: each vertex's own data, once.
// Palettes are not counted, for they stay in the first-level cache, nor the lines that a cache reads only to write into
// them.
func (s *Stream) Traffic(method Method) int {
	n := bytesOf(s.Positions) + bytesOf(s.Normals) + bytesOf(s.Rest) + bytesOf(s.RestNormals) +
		bytesOf(s.Bindings) + bytesOf(s.ExtraStart) + bytesOf(s.Extra)
	if method.Reads()&Centers != 0 {
		n += bytesOf(s.Sets)
	}
	return n
}

func bytesOf[T any](x []T) int {
	var one T
	return len(x) * int(unsafe.Sizeof(one))
}
