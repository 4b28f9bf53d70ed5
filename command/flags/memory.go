package flags

import (
	"os"
	"runtime/debug"
)

// A command may take startMemory bytes and memoryPerByte for each byte of the files that it reads. The program itself
// needs ownMemory of them, and OpenGL's driver drawMemory where pictures are drawn. The garbage collector counts
// neither.
const (
	startMemory   = 300e6
	ownMemory     = 64e6
	drawMemory    = 100e6
	memoryPerByte = 30
)

// LimitMemory makes the garbage collector work more often as a command comes near the memory that it may take for the
// files that it reads. Otherwise the heap grows to twice what is in use. The limit is soft: a command that needs more
// gets it, and is slower, unless it refuses to begin ([fit.Holds]). Draws is set if the command draws pictures.
// LimitMemory does nothing if there are no files, as of a built-in model, or if GOMEMLIMIT has set a limit.
func LimitMemory(files []string, draws bool) {
	size, own := int64(0), int64(ownMemory)
	if draws {
		own += drawMemory
	}
	for _, path := range files {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	if _, set := os.LookupEnv("GOMEMLIMIT"); size > 0 && !set {
		debug.SetMemoryLimit(startMemory - own + memoryPerByte*size)
	}
}
