package gltf

import (
	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
)

// readBuffers makes every buffer's bytes available and checks every buffer view against its buffer.
func (d *Source) readBuffers() error {
	// Several buffers may name one file. It is read once, up to the length of the longest of them.
	want := map[string]int64{}
	for _, b := range d.Doc.Buffers {
		want[b.URI] = max(want[b.URI], int64(b.ByteLength))
	}
	seen := map[string][]byte{}
	err := each("buffer", d.Doc.Buffers, func(i int, b *gltf.Buffer) (err error) {
		b.Data, err = d.readBuffer(i, want, seen)
		return err
	})
	if err == nil {
		err = d.decompress()
	}
	if err != nil {
		return err
	}
	return each("buffer view", d.Doc.BufferViews, d.checkView)
}

func (d *Source) readBuffer(i int, want map[string]int64, seen map[string][]byte) ([]byte, error) {
	b := d.Doc.Buffers[i]
	if b.ByteLength < 1 {
		return nil, fault.Malformed("byteLength is %d, expected at least 1", b.ByteLength)
	}
	if placeholder, err := isPlaceholder(b); err != nil || placeholder {
		return nil, err
	}
	var data []byte
	var err error
	switch {
	case b.URI != "":
		var ok bool
		data, ok = seen[b.URI]
		if !ok {
			if data, err = d.Fetch(b.URI, want[b.URI]); err != nil {
				return nil, err
			}
			seen[b.URI] = data
		}
	case i == 0 && d.Bin != nil:
		data = d.Bin
	default:
		return nil, nil // an error once a view refers to it
	}
	if int64(len(data)) < int64(b.ByteLength) {
		return nil, fault.Malformed("truncated: byteLength is %d, %d bytes are there", b.ByteLength, len(data))
	}
	return data[:b.ByteLength:b.ByteLength], nil
}

// minStride and maxStride bound bufferView.byteStride (glTF 2.0, bufferView schema).
const (
	minStride = 4
	maxStride = 252
)

func (d *Source) checkView(_ int, v *gltf.BufferView) error {
	if err := inRange("buffer", v.Buffer, len(d.Doc.Buffers)); err != nil {
		return err
	}
	data := d.Doc.Buffers[v.Buffer].Data
	if data == nil {
		return fault.Malformed("buffer %d has no data: no URI, and the file has no binary chunk for it", v.Buffer)
	}
	if !isInside(v.ByteOffset, v.ByteLength, len(data)) {
		return fault.Malformed("byteOffset %d and byteLength %d are not inside buffer %d of %d bytes", v.ByteOffset,
			v.ByteLength, v.Buffer, len(data))
	}
	if v.ByteStride != 0 && (v.ByteStride < minStride || v.ByteStride > maxStride) {
		return fault.Malformed("byteStride is %d, expected %d to %d", v.ByteStride, minStride, maxStride)
	}
	return nil
}

// view returns the bytes of a checked buffer view.
func (d *Source) view(i int) []byte {
	v := d.Doc.BufferViews[i]
	end := v.ByteOffset + v.ByteLength
	return d.Doc.Buffers[v.Buffer].Data[v.ByteOffset:end:end]
}
