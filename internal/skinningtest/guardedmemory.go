//go:build linux

package skinningtest

import (
	"syscall"
	"testing"
	"unsafe"
)

// GuardedMemory puts slices against a page that may not be touched: right before it, or right after it. One byte read
// or written outside of a slice ends the test with a fault.
type GuardedMemory struct {
	T     *testing.T
	After bool // the slice stands right after the page
}

func (g GuardedMemory) bytes(n int) unsafe.Pointer {
	page := syscall.Getpagesize()
	size := (n+page-1)/page*page + 2*page
	m, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		g.T.Fatal(err)
	}
	g.T.Cleanup(func() { _ = syscall.Munmap(m) })
	for _, guard := range [][]byte{m[:page], m[size-page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			g.T.Fatal(err)
		}
	}
	if g.After {
		return unsafe.Pointer(&m[page])
	}
	return unsafe.Add(unsafe.Pointer(&m[0]), size-page-n)
}

// Guarded copies a slice into guarded memory.
func Guarded[S ~[]T, T any](mem GuardedMemory, s S) S {
	if len(s) == 0 {
		return s
	}
	out := unsafe.Slice((*T)(mem.bytes(len(s)*int(unsafe.Sizeof(s[0])))), len(s))
	copy(out, s)
	return out
}
