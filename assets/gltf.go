package assets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// What is wrong with a file. Every error about a file's contents wraps one of the two.
var (
	// ErrMalformed marks a file that breaks the rules of its format.
	ErrMalformed = errors.New("malformed glTF")
	// ErrUnsupported marks a file that may be right and that this reader does not read.
	ErrUnsupported = errors.New("unsupported glTF")
)

// maxFileSize bounds what load reads into memory, in bytes. GLB itself ends at 4 GiB.
const maxFileSize = 2 << 30

// load is [OpenContext] for a file.
func load(ctx context.Context, path string, report Progress) (*skinning.Model, error) {
	p := progress{ctx, report}
	data, err := readModelFile(path, &p)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return decodeAs(filepath.Base(path), data, root.FS(), p)
}

// decodeAs reads glTF from memory, GLB or JSON. External buffers and images are read from fsys, the model's folder; nil
// refuses them. Name is used in errors and becomes Model.Name. The model keeps no reference to data.
func decodeAs(name string, data []byte, fsys fs.FS, p progress) (m *skinning.Model, err error) {
	// Every fault should have been found by a check. Should one slip through, a viewer must not die of a dropped file.
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%s: %w: unforeseen fault: %v", name, ErrMalformed, r)
		}
	}()
	if m, err = decode(data, fsys, p); err != nil {
		return nil, inFile(name, err)
	}
	m.Name = name
	return m, nil
}

// inFile puts the file's name and the kind of fault in front of an error about its contents.
func inFile(name string, err error) error {
	var f *fault
	if errors.As(err, &f) {
		return fmt.Errorf("%s: %v: %w", name, f.kind, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// decoder holds one file while it is read.
type decoder struct {
	progress  progress
	text      []byte // the JSON
	doc       document
	fsys      fs.FS
	bin       []byte // the BIN chunk of a GLB, nil without
	buffers   [][]byte
	accessors []accessor
	budget    budget
	notes     notes
	kinds     []skinning.RigKind // that skins may have
	model     *skinning.Model
	globals   []geom.Affine // of the static pose, one per node
	drawn     []bool        // whether the node belongs to the scene, one per node
	slots     []slotRange   // one per node
	skins     []boundSkin   // one per skin
}

func decode(data []byte, fsys fs.FS, p progress) (*skinning.Model, error) {
	d, err := readDocument(data, fsys, p)
	if err == nil {
		err = d.readTextures()
	}
	if err != nil {
		return nil, err
	}
	d.model.Warnings = d.notes.lines()
	return d.model, nil
}

// readDocument reads and checks everything but pictures.
func readDocument(data []byte, fsys fs.FS, p progress) (*decoder, error) {
	d := &decoder{progress: p, fsys: fsys, kinds: rig.Kinds()}
	return d, d.readAll(data)
}

// readAll is readDocument into a decoder.
func (d *decoder) readAll(data []byte) error {
	d.model, d.budget = &skinning.Model{}, newBudget(len(data))
	if err := d.progress.at(stepChecking, 0, 1); err != nil {
		return err
	}
	text, bin, err := splitContainer(data, &d.notes)
	if err != nil {
		return err
	}
	d.text, d.bin = text, bin
	if err := d.doc.parse(text); err != nil {
		return err
	}
	d.doc.adoptDiffuse()
	for _, step := range []func() error{
		d.checkVersion, d.checkExtensions, d.readBuffers, d.checkAccessors, d.checkReferences,
		d.readNodes, d.readMaterials, d.readMeshes, d.readRigs, d.readClips,
	} {
		if err := d.progress.err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// readModelFile reads a whole file after a look at its head, so that a file of another kind is refused at once, however
// large.
func readModelFile(path string, p *progress) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if info.Size() > maxFileSize {
		return nil, fmt.Errorf("%s: %w: %d bytes, more than %d", path, ErrUnsupported, info.Size(), int64(maxFileSize))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var head [64]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if !looksLikeGLTF(head[:n]) {
		return nil, fmt.Errorf("%s: %w: neither a GLB header nor JSON", filepath.Base(path), ErrMalformed)
	}
	var all bytes.Buffer
	all.Grow(int(info.Size()) + bytes.MinRead)
	all.Write(head[:n])
	if _, err := io.Copy(&all, p.reader(io.LimitReader(f, maxFileSize), stepReading, int(info.Size()))); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return all.Bytes(), nil
}

// fault is an error about a file's contents. Its text is the reason alone: elements are named in front of it on the way
// up, and decodeAs puts the kind in front of all.
type fault struct {
	kind   error // ErrMalformed or ErrUnsupported
	reason error
}

func (f *fault) Error() string   { return f.reason.Error() }
func (f *fault) Unwrap() []error { return []error{f.kind, f.reason} }

func malformed(format string, args ...any) error {
	return &fault{ErrMalformed, fmt.Errorf(format, args...)}
}

func unsupported(format string, args ...any) error {
	return &fault{ErrUnsupported, fmt.Errorf(format, args...)}
}
