package gltf

import (
	"bytes"
	"encoding/binary"

	"skinlab/assets/fault"
	"skinlab/assets/textfile"
)

// The GLB container, glTF 2.0 section 4.4: a 12-byte header, then chunks of length, type and data.
const (
	glbMagic      = 0x46546C67 // "glTF"
	glbChunkJSON  = 0x4E4F534A
	glbChunkBIN   = 0x004E4942
	glbHeaderSize = 12
	glbChunkHead  = 8
)

// looksLikeGLTF reports whether the head of a file can be that of a .glb or a .gltf.
func looksLikeGLTF(head []byte) bool {
	if bytes.HasPrefix(head, []byte("glTF")) {
		return true
	}
	text := bytes.TrimLeft(textfile.TrimMark(head), " \t\r\n")
	return len(text) > 0 && text[0] == '{' || len(text) == 0 && len(head) > 0
}

// splitContainer returns the JSON text of a .glb or .gltf and a GLB's binary chunk, nil where there is none.
func splitContainer(data []byte, n *fault.Notes) (text, bin []byte, err error) {
	if len(data) == 0 {
		return nil, nil, fault.Malformed("the file is empty")
	}
	if !bytes.HasPrefix(data, []byte("glTF")) {
		if !looksLikeGLTF(data) {
			return nil, nil, fault.Malformed("neither a GLB header nor JSON")
		}
		return textfile.TrimMark(data), nil, nil
	}
	if len(data) < glbHeaderSize {
		return nil, nil, fault.Malformed("GLB: the file is truncated: %d bytes, the header alone has %d", len(data),
			glbHeaderSize)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fault.Unsupported("GLB header: version %d, expected 2", v)
	}
	length := int64(binary.LittleEndian.Uint32(data[8:]))
	switch {
	case length > int64(len(data)):
		return nil, nil, fault.Malformed("GLB: the file is truncated: the header says %d bytes, the file has %d", length,
			len(data))
	case length < glbHeaderSize+glbChunkHead:
		return nil, nil, fault.Malformed("GLB: the header says %d bytes, which leaves no room for a JSON chunk", length)
	case length < int64(len(data)):
		n.Add("GLB: %d bytes after the end of the container are ignored", int64(len(data))-length)
	}
	rest := data[glbHeaderSize:length]
	for i := 0; len(rest) > 0; i++ {
		if len(rest) < glbChunkHead {
			if i == 0 {
				return nil, nil, fault.Malformed("GLB: chunk 0: %d bytes are left for its header", len(rest))
			}
			n.Add("GLB: %d bytes after chunk %d are ignored", len(rest), i-1)
			break
		}
		size := int64(binary.LittleEndian.Uint32(rest))
		kind := binary.LittleEndian.Uint32(rest[4:])
		rest = rest[glbChunkHead:]
		if size > int64(len(rest)) {
			return nil, nil, fault.Malformed("GLB: chunk %d: %d bytes, %d are left in the file", i, size, len(rest))
		}
		body := rest[:size:size]
		rest = rest[size:]
		switch {
		case i == 0 && kind != glbChunkJSON:
			return nil, nil, fault.Malformed("GLB: chunk 0 has type %#08x, expected JSON", kind)
		case i == 0:
			// Padding is spaces; some exporters pad with zeros.
			text = textfile.TrimMark(bytes.TrimRight(body, " \x00"))
		case kind == glbChunkBIN && bin == nil:
			bin = body
		}
	}
	return text, bin, nil
}
