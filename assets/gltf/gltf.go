package gltf

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// MaxFileSize bounds what load reads into memory, in bytes. GLB itself ends at 4 GiB.
const MaxFileSize = 2 << 30

// Open loads the .glb or .gltf file at a path. The format is decided by the contents of the file, not by its name.
// Buffers and images beside it are read from its own folder and below, never from elsewhere. It calls report, unless it
// is nil, with its progress, and ends with an error that wraps ctx.Err() soon after ctx is done. Scene is the name or
// the index of the scene that is shown, "" for the file's default. Other errors name the file and the element, and wrap
// [fault.ErrMalformed], [fault.ErrUnsupported] or the os error, or say which scenes there are.
func Open(ctx context.Context, path, scene string, report Progress) (*skinning.Model, error) {
	p := progress{ctx, report}
	data, err := readModelFile(path, &p)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	defer root.Close()
	return decodeAs(filepath.Base(path), data, root.FS(), scene, p)
}

// Decode reads glTF from memory, GLB or JSON, as a file of that name. External buffers and images are read from
// fsys, the model's folder; nil refuses them.
func Decode(name string, data []byte, fsys fs.FS) (*skinning.Model, error) {
	return decodeAs(name, data, fsys, "", progress{})
}

// ReadFile returns the bytes of a whole file that may be glTF.
func ReadFile(path string) ([]byte, error) { return readModelFile(path, &progress{}) }

// decodeAs reads glTF from memory, GLB or JSON. External buffers and images are read from fsys, the model's folder; nil
// refuses them. Name is used in errors and becomes Model.Name. The model keeps no reference to data.
func decodeAs(name string, data []byte, fsys fs.FS, scene string, p progress) (m *skinning.Model, err error) {
	// Every fault should have been found by a check. Should one slip through, a viewer must not die of a dropped file.
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fault.Internal(name, "reading", r)
		}
	}()
	if m, err = decode(data, fsys, scene, p); err != nil {
		return nil, fault.InFile(name, err)
	}
	m.Name = name
	return m, nil
}

// Source is one file: its document, the results of the checks, and the model that is made of it.
type Source struct {
	progress  progress
	Text      []byte        // the JSON
	Doc       gltf.Document // buffers hold their Data
	fsys      fs.FS
	scene     string // the one to show, "" for the default
	Bin       []byte // the BIN chunk of a GLB, nil without
	Accessors []accessor
	// What the file says and the document does not.
	Extensions map[string]bool // the names of all extensions, at any depth
	// Decompressed is the extension by which the file was compressed, which the document has no more; "" for none.
	Decompressed string
	Unknown      []string                                // the places of properties that glTF does not have
	Paths        map[*gltf.AnimationChannelTarget]string // paths that glTF does not have, those of extensions
	overruled    map[*gltf.Node]bool                     // nodes with a matrix and other transforms, which it overrules
	budget       budget
	notes        fault.Notes
	Kinds        []skinning.RigKind // that skins may have
	Model        *skinning.Model
	globals      []geom.Affine // of the static pose, one per node
	drawn        []bool        // whether the node belongs to the scene, one per node
	slots        []slotRange   // one per node
	Skins        []boundSkin   // one per skin
	uses         []materialUse // one per material
}

func decode(data []byte, fsys fs.FS, scene string, p progress) (*skinning.Model, error) {
	d, err := readDocument(data, fsys, scene, p)
	if err == nil {
		err = d.readTextures()
	}
	if err != nil {
		return nil, err
	}
	d.Model.Warnings, d.Model.Ignored = d.notes.Lines(), d.ignored()
	return d.Model, nil
}

// ReadSource reads and checks everything except pictures. Kinds are the kinds of rigs that skins may have in addition
// to those of package rig. Scene is that of [Open].
func ReadSource(data []byte, fsys fs.FS, scene string, kinds ...skinning.RigKind) (*Source, error) {
	return readDocument(data, fsys, scene, progress{}, kinds...)
}

func readDocument(data []byte, fsys fs.FS, scene string, p progress, kinds ...skinning.RigKind) (*Source, error) {
	d := &Source{progress: p, fsys: fsys, scene: scene, Kinds: append(rig.Kinds(), kinds...), Model: &skinning.Model{},
		budget: newBudget(len(data))}
	err := d.readAll(data)
	d.Model.Warnings = d.notes.Lines()
	return d, err
}

func (d *Source) readAll(data []byte) error {
	if err := d.progress.at(stepChecking, 0, 1); err != nil {
		return err
	}
	text, bin, err := splitContainer(data, &d.notes)
	if err != nil {
		return err
	}
	d.Text, d.Bin = text, bin
	if err := d.parse(text); err != nil {
		return err
	}
	for _, step := range []func() error{
		d.checkVersion, d.checkExtensions, d.readBuffers, d.checkAccessors, d.checkReferences,
		d.readNodes, d.readHumanoid, d.readMaterials, d.readMeshes, d.readRigs, d.readSkeleton,
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
		return nil, fault.OnFile(path, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder, expected a file", path)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	if info.Size() > MaxFileSize {
		return nil, fmt.Errorf("%s: %w: %d bytes, more than %d", path, fault.ErrUnsupported, info.Size(), int64(MaxFileSize))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.OnFile(path, err)
	}
	defer f.Close()
	var head [64]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fault.OnFile(path, err)
	}
	if !looksLikeGLTF(head[:n]) {
		return nil, fmt.Errorf("%s: %w: neither a GLB header nor JSON", filepath.Base(path), fault.ErrMalformed)
	}
	var all bytes.Buffer
	all.Grow(int(info.Size()) + bytes.MinRead)
	all.Write(head[:n])
	if _, err := io.Copy(&all, p.reader(io.LimitReader(f, MaxFileSize), stepReading, int(info.Size()))); err != nil {
		return nil, fault.OnFile(filepath.Base(path), err)
	}
	return all.Bytes(), nil
}
