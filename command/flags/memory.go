package flags

import (
	"os"
	"runtime/debug"
)

// A command may take startMemory bytes and memoryPerByte for each byte of the files that it reads. The program itself
// needs ownMemory of them, which the garbage collector does not count.
const (
	startMemory   = 300e6
	ownMemory     = 64e6
	memoryPerByte = 30
)

// LimitMemory makes the garbage collector work more often as a command comes near the memory that it may take for the
// files that it reads. Otherwise the heap grows to twice what is in use. The limit is soft: a command that needs more
// gets it, and is slower. It does nothing if there are no files, as of a built-in model.
func LimitMemory(files []string) {
	size := int64(0)
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	if size > 0 {
		debug.SetMemoryLimit(startMemory - ownMemory + memoryPerByte*size)
	}
}
