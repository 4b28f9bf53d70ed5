package gltf

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/assets/fault"
	"skinlab/assets/textfile"
)

// maxTextSize bounds the JSON that fileNames reads, in bytes: without its buffers a document has a few megabytes.
const maxTextSize = 64 << 20

// Files returns the files of a model: the file at path, and the buffers and pictures that it names. A file that is
// missing or cannot be read is not an error, and names no other files.
func Files(path string) []string {
	files := []string{path}
	text, err := readText(path)
	if err != nil {
		return files
	}
	type source struct {
		URI string `json:"uri"`
	}
	var doc struct {
		Buffers []source `json:"buffers"`
		Images  []source `json:"images"`
	}
	if json.Unmarshal(textfile.TrimMark(text), &doc) != nil {
		return files
	}
	for _, s := range append(doc.Buffers, doc.Images...) {
		if s.URI == "" || IsDataURI(s.URI) {
			continue
		}
		name, err := localPath(s.URI)
		if err != nil {
			continue
		}
		other := filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
		if !slices.Contains(files, other) {
			files = append(files, other)
		}
	}
	return files
}

// readText returns the JSON of a .glb or .gltf file without the rest.
func readText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe would wait for ever
		return nil, fault.Malformed("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, glbHeaderSize+glbChunkHead)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if !strings.HasPrefix(string(head), "glTF") {
		rest, err := io.ReadAll(io.LimitReader(f, maxTextSize))
		return append(head[:n], rest...), err
	}
	size := int64(head[12]) | int64(head[13])<<8 | int64(head[14])<<16 | int64(head[15])<<24
	return io.ReadAll(io.LimitReader(f, min(size, maxTextSize)))
}
