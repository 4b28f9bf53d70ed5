// Package shaders holds the GLSL of the GPU passes and joins it into stages. It is pure Go: package render compiles
// what it returns, and tests read it without a context.
//
// One file holds one function or one stage. Each skinning method is one file with one function,
//
//	void skinVertex(inout vec3 position, inout vec3 normal)
//
// which reads the palette (palette.glsl) and the influences of the current vertex (influences.glsl), so that a stage
// chooses its method by the file that it is joined with, and where the streams come from by another:
//
//	Join("attributes.glsl", "sdqs.glsl", "pose.vert.glsl")                     into a buffer, by transform feedback
//	JoinCompute("storage.glsl", "sdqs.glsl", "pose.comp.glsl")                 into a buffer, by a compute stage
//	Join("attributes.glsl", "sdqs.glsl", "frommethod.glsl", "mesh.vert.glsl")  in the vertex stage of a pass that draws
//	Join("frombuffer.glsl", "mesh.vert.glsl")                                  from the buffer
package shaders

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Version is the first line of every joined stage: the floor of the GPU path, which macOS shares. Compute stages need
// more.
const (
	Version        = "#version 410 core"
	computeVersion = "#version 430 core"
)

// errInclude reports an include that cannot be resolved or read.
var errInclude = errors.New("shaders: bad include")

// Stage is one joined shader.
type Stage struct {
	Text  string   // the whole source, Version first
	Files []string // file names by the file number that #line gives, which compilers quote in errors
}

// Join expands the embedded files names in order into one stage. Every file is expanded once, at its first mention.
func Join(names ...string) (Stage, error) { return join(files, Version, names...) }

// JoinCompute is Join for a compute stage.
func JoinCompute(names ...string) (Stage, error) { return join(files, computeVersion, names...) }

// join is Join over any file system and version.
func join(fsys fs.FS, version string, names ...string) (Stage, error) {
	j := joiner{fsys: fsys, seen: make(map[string]bool)}
	j.text.WriteString(version + "\n")
	for _, name := range names {
		if err := j.expand(name, "the caller"); err != nil {
			return Stage{}, err
		}
	}
	return Stage{Text: j.text.String(), Files: j.files}, nil
}

type joiner struct {
	fsys  fs.FS
	seen  map[string]bool
	files []string
	text  strings.Builder
}

// expand writes one file with its includes in place. `from` names the including file and line for errors.
func (j *joiner) expand(name, from string) error {
	if j.seen[name] {
		return nil
	}
	j.seen[name] = true // before its includes, so that a cycle ends
	source, err := fs.ReadFile(j.fsys, name)
	if err != nil {
		return fmt.Errorf("%w: %s includes %q: %w", errInclude, from, name, err)
	}
	number := len(j.files)
	j.files = append(j.files, name)
	fmt.Fprintf(&j.text, "#line 1 %d\n", number)
	for i, line := range strings.Split(strings.TrimSuffix(string(source), "\n"), "\n") {
		included, isInclude, err := includeOf(line)
		at := fmt.Sprintf("%s:%d", name, i+1)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", errInclude, at, err)
		}
		if !isInclude {
			j.text.WriteString(line + "\n")
			continue
		}
		if err := j.expand(path.Clean(included), at); err != nil {
			return err
		}
		// The directive numbers the line that follows it (GLSL 3.30 and later).
		fmt.Fprintf(&j.text, "#line %d %d\n", i+2, number)
	}
	return nil
}

// includeOf reads one line `#include "name"`.
func includeOf(line string) (name string, isInclude bool, err error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#include")
	if !ok {
		return "", false, nil
	}
	rest = strings.TrimSpace(rest)
	if len(rest) < 3 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return "", true, fmt.Errorf("expected #include \"file\", have %q", strings.TrimSpace(line))
	}
	return rest[1 : len(rest)-1], true, nil
}
