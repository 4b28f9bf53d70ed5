package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/qmuntal/gltf"
)

// Write writes a document as a GLB, with its binary chunk as the only buffer. Paths are those of animation channels
// that the document cannot hold, as in [Source]. The encoder of qmuntal/gltf is not used, because it loses write
// errors, leaves out a scale of 0 0 0, and supports no path of an extension. The JSON encoding of its types is used for
// the rest.
func Write(
	out io.Writer, doc *gltf.Document, paths map[*gltf.AnimationChannelTarget]string, bin []byte,
) (size int, err error) {
	doc.Buffers = nil
	if len(bin) > 0 {
		doc.Buffers = []*gltf.Buffer{{ByteLength: len(bin)}}
	}
	var text bytes.Buffer
	encode := json.NewEncoder(&text)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(writtenDocument(doc, paths)); err != nil {
		return 0, fmt.Errorf("glTF: %w", err)
	}
	body := bytes.TrimRight(text.Bytes(), "\n")
	body = append(body, strings.Repeat(" ", -len(body)&3)...)
	padding := make([]byte, -len(bin)&3)
	total := glbHeaderSize + glbChunkHead + len(body)
	if len(bin) > 0 {
		total += glbChunkHead + len(bin) + len(padding)
	}
	if int64(total) > math.MaxUint32 {
		return 0, fmt.Errorf("glTF: %d bytes do not fit a GLB", total)
	}
	var head []byte
	for _, x := range []uint32{glbMagic, 2, uint32(total), uint32(len(body)), glbChunkJSON} {
		head = binary.LittleEndian.AppendUint32(head, x)
	}
	parts := [][]byte{head, body}
	if len(bin) > 0 {
		head = binary.LittleEndian.AppendUint32(nil, uint32(len(bin)+len(padding)))
		parts = append(parts, binary.LittleEndian.AppendUint32(head, glbChunkBIN), bin, padding)
	}
	for _, p := range parts {
		if _, err := out.Write(p); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// The document in the form in which it is written. Fields of the outer types replace embedded fields of the same name.
type (
	docWritten struct {
		*gltf.Document
		Nodes      []nodeWritten      `json:"nodes,omitempty"`
		Animations []animationWritten `json:"animations,omitempty"`
	}
	plainNode   gltf.Node // without its MarshalJSON
	nodeWritten struct {
		Matrix      *[16]float64 `json:"matrix,omitempty"`
		Rotation    *[4]float64  `json:"rotation,omitempty"`
		Scale       *[3]float64  `json:"scale,omitempty"`
		Translation *[3]float64  `json:"translation,omitempty"`
		*plainNode
	}
	animationWritten struct {
		*gltf.Animation
		Channels []channelWritten `json:"channels"`
	}
	channelWritten struct {
		*gltf.AnimationChannel
		Target targetWritten `json:"target"`
	}
	targetWritten struct {
		*gltf.AnimationChannelTarget
		Path any `json:"path"`
	}
)

func writtenDocument(doc *gltf.Document, paths map[*gltf.AnimationChannelTarget]string) *docWritten {
	out := &docWritten{Document: doc}
	for _, n := range doc.Nodes {
		out.Nodes = append(out.Nodes, nodeWritten{unless(&n.Matrix, gltf.DefaultMatrix),
			unless(&n.Rotation, gltf.DefaultRotation), unless(&n.Scale, gltf.DefaultScale),
			unless(&n.Translation, gltf.DefaultTranslation), (*plainNode)(n)})
	}
	for _, a := range doc.Animations {
		channels := []channelWritten{}
		for _, c := range a.Channels {
			target := targetWritten{&c.Target, &c.Target.Path}
			if path, ok := paths[&c.Target]; ok {
				target.Path = path
			}
			channels = append(channels, channelWritten{c, target})
		}
		out.Animations = append(out.Animations, animationWritten{a, channels})
	}
	return out
}

// unless returns nil for a value that glTF takes for one that is left out.
func unless[T comparable](v *T, standard T) *T {
	if *v == standard {
		return nil
	}
	return v
}
