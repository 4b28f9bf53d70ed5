package gpu

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// Buffer is a GL buffer object of elements T, which must hold no Go pointers.
type Buffer[T any] struct {
	ID            uint32
	Len           int // elements
	label         string
	target, usage uint32
}

// NewBuffer copies data to the GPU. The label names it in errors.
func NewBuffer[T any](o *Owner, label string, target, usage uint32, data []T) *Buffer[T] {
	b := &Buffer[T]{label: label, target: target, usage: usage}
	DrainErrors()
	b.ID = o.Name(gl.GenBuffers, gl.DeleteBuffers)
	b.Set(data)
	o.Fail(Error("buffer %q: %d bytes", label, byteSize(data)))
	return b
}

// Set replaces the contents. The old storage is orphaned, so a draw that still reads it is not waited for.
func (b *Buffer[T]) Set(data []T) { b.SetPart(data, len(data)) }

// SetPart is Set for a buffer with a given number of elements. Data are the first of these, and the others are
// undefined.
func (b *Buffer[T]) SetPart(data []T, all int) {
	b.Len = all
	gl.BindBuffer(b.target, b.ID)
	size := max(all, 1) * int(unsafe.Sizeof(*new(T))) // never an empty store: some drivers reject its use
	if len(data) == all && all > 0 {
		gl.BufferData(b.target, size, pointer(data), b.usage)
		return
	}
	gl.BufferData(b.target, size, nil, b.usage)
	if len(data) > 0 {
		b.SetFirst(data)
	}
}

// SetFirst replaces the first elements.
func (b *Buffer[T]) SetFirst(data []T) {
	gl.BindBuffer(b.target, b.ID)
	gl.BufferSubData(b.target, 0, byteSize(data), pointer(data))
}

// Reserve makes room for a number of elements, whose contents are lost where there were fewer.
func (b *Buffer[T]) Reserve(elements int) error {
	if b.Len >= elements {
		return nil
	}
	DrainErrors()
	b.SetPart(nil, elements)
	err := Error("buffer %q: %d elements", b.label, elements)
	if err != nil {
		b.Len = 0
	}
	return err
}

func pointer[T any](data []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(data)) }

func byteSize[T any](data []T) int { return len(data) * int(unsafe.Sizeof(*new(T))) }

// TextureBuffer is a buffer that shaders read as a one-dimensional array of texels.
type TextureBuffer[T any] struct {
	*Buffer[T]
	texture Texture
}

// NewTextureBuffer makes one with texels of a sized internal format.
func NewTextureBuffer[T any](o *Owner, label string, format, usage uint32, data []T) *TextureBuffer[T] {
	return TextureBufferOf(o, format, NewBuffer(o, label, gl.TEXTURE_BUFFER, usage, data))
}

// TextureBufferOf lets shaders read a buffer.
func TextureBufferOf[T any](o *Owner, format uint32, b *Buffer[T]) *TextureBuffer[T] {
	t := &TextureBuffer[T]{b, Texture{o.Name(gl.GenTextures, gl.DeleteTextures), gl.TEXTURE_BUFFER}}
	gl.BindTexture(gl.TEXTURE_BUFFER, t.texture.id)
	gl.TexBuffer(gl.TEXTURE_BUFFER, format, b.ID)
	o.Fail(Error("texture buffer %q", b.label))
	return t
}

// Bind binds it to a texture unit.
func (t *TextureBuffer[T]) Bind(unit uint32) { t.texture.Bind(unit) }

// FloatAttribute describes one attribute of the bound vertex array, of n floats.
func FloatAttribute(b, at uint32, n, stride int32, offset uintptr) {
	gl.BindBuffer(gl.ARRAY_BUFFER, b)
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribPointerWithOffset(at, n, gl.FLOAT, false, stride, offset)
}

// IntegerAttribute describes one attribute of the bound vertex array, of n integers of a kind.
func IntegerAttribute(b, at uint32, n int32, kind uint32, stride int32) {
	gl.BindBuffer(gl.ARRAY_BUFFER, b)
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribIPointerWithOffset(at, n, kind, stride, 0)
}

// Block is a uniform block: std140, in memory of its own without Go pointers, since C reads it.
type Block[T any] struct {
	Data *T
	id   uint32
}

// NewBlock makes a block of zeros.
func NewBlock[T any](o *Owner) Block[T] {
	return Block[T]{new(T), o.Name(gl.GenBuffers, gl.DeleteBuffers)}
}

// Send sends the data and binds them where programs look for the block.
func (b *Block[T]) Send(binding uint32) {
	gl.BindBuffer(gl.UNIFORM_BUFFER, b.id)
	gl.BufferData(gl.UNIFORM_BUFFER, int(unsafe.Sizeof(*b.Data)), unsafe.Pointer(b.Data), gl.STREAM_DRAW)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, binding, b.id)
}
