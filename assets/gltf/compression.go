package gltf

import (
	"slices"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/gltf/meshopt"
)

// compressedView is EXT_meshopt_compression or KHR_meshopt_compression of a buffer view.
type compressedView struct {
	Buffer     int            `json:"buffer"`
	ByteOffset int            `json:"byteOffset,omitempty"`
	ByteLength int            `json:"byteLength"`
	ByteStride int            `json:"byteStride"`
	Count      int            `json:"count"`
	Mode       meshopt.Mode   `json:"mode"`
	Filter     meshopt.Filter `json:"filter,omitempty"`
}

// compressions are the extensions that compress buffer views.
var compressions = []string{meshoptExtension, ratifiedMeshoptExtension}

// isPlaceholder reports whether a buffer has no data of its own: buffer views that are compressed say how long they are
// by it.
func isPlaceholder(b *gltf.Buffer) (bool, error) {
	for _, name := range compressions {
		var e struct {
			Fallback bool `json:"fallback,omitempty"`
		}
		if err := extension(b.Extensions, name, &e); err != nil || e.Fallback {
			return e.Fallback, err
		}
	}
	return false, nil
}

// decompress fills in the placeholders that compressed buffer views refer to. The document has no compression then: it
// is what it would be without. Where a buffer has data of its own beside the compressed ones, those are read.
func (d *Source) decompress() error {
	for _, name := range compressions {
		if !d.Extensions[name] {
			continue
		}
		err := each("buffer view", d.Doc.BufferViews, func(_ int, v *gltf.BufferView) error { return d.decompressView(v, name) })
		if err != nil {
			return err
		}
		for _, b := range d.Doc.Buffers {
			delete(b.Extensions, name)
		}
		named := func(n string) bool { return n == name }
		d.Doc.ExtensionsUsed = slices.DeleteFunc(d.Doc.ExtensionsUsed, named)
		d.Doc.ExtensionsRequired = slices.DeleteFunc(d.Doc.ExtensionsRequired, named)
		delete(d.Extensions, name)
		d.Decompressed = name
	}
	return nil
}

// decompressView fills in the bytes of a view that an extension compresses.
func (d *Source) decompressView(v *gltf.BufferView, name string) error {
	if !has(v.Extensions, name) {
		return nil
	}
	e := compressedView{Buffer: -1, Filter: meshopt.None}
	err := extension(v.Extensions, name, &e)
	if err == nil {
		err = inRange("buffer", v.Buffer, len(d.Doc.Buffers))
	}
	if err == nil {
		err = inRange("buffer of "+name, e.Buffer, len(d.Doc.Buffers))
	}
	if err != nil {
		return err
	}
	delete(v.Extensions, name)
	b := d.Doc.Buffers[v.Buffer]
	if placeholder, err := isPlaceholder(b); err != nil || !placeholder {
		return err
	}
	packed := d.Doc.Buffers[e.Buffer].Data
	if !isInside(e.ByteOffset, e.ByteLength, len(packed)) || len(packed) == 0 || b == d.Doc.Buffers[e.Buffer] {
		return fault.Malformed("%s: byteOffset %d and byteLength %d are not inside buffer %d of %d bytes", name, e.ByteOffset,
			e.ByteLength, e.Buffer, len(packed))
	}
	if err := meshopt.Check(e.Mode, e.Filter, e.Count, e.ByteStride); err != nil {
		return fault.Malformed("%s: %w", name, err)
	}
	if !isInside(v.ByteOffset, v.ByteLength, b.ByteLength) || int64(e.Count)*int64(e.ByteStride) != int64(v.ByteLength) {
		return fault.Malformed("%s: %d elements of %d bytes for a view of %d bytes at %d of a buffer of %d", name, e.Count,
			e.ByteStride, v.ByteLength, v.ByteOffset, b.ByteLength)
	}
	if b.Data == nil {
		if err := d.budget.charge(1, int64(b.ByteLength), "decompressed buffer"); err != nil {
			return err
		}
		b.Data = make([]byte, b.ByteLength)
	}
	if err := d.budget.charge(int64(e.Count), int64(e.ByteStride), "decompressed view"); err != nil { // many views take time
		return err
	}
	err = meshopt.Decode(b.Data[v.ByteOffset:v.ByteOffset+v.ByteLength], packed[e.ByteOffset:e.ByteOffset+e.ByteLength], e.Mode,
		e.Filter, e.Count, e.ByteStride)
	if err != nil {
		return fault.Malformed("%s: %w", name, err)
	}
	return nil
}

// isInside reports whether a range of bytes is inside so many.
func isInside(offset, length, size int) bool {
	return offset >= 0 && length >= 1 && offset <= size && length <= size-offset
}
