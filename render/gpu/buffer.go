package gpu

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// Buffer is a GL buffer object of elements T, which must hold no Go pointers.
type Buffer[T any] struct {
	ID     uint32
	Target uint32
	Usage  uint32
	Len    int // elements
}

// NewBuffer copies data to the GPU. The label names it in errors. Its owner calls Delete.
func NewBuffer[T any](label string, target, usage uint32, data []T) (*Buffer[T], error) {
	b := &Buffer[T]{Target: target, Usage: usage}
	DrainErrors()
	gl.GenBuffers(1, &b.ID)
	b.Set(data)
	if err := Error("buffer %q: %d bytes", label, ByteSize(data)); err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

// Set replaces the contents. The old storage is orphaned, so a draw that still reads it is not waited for.
func (b *Buffer[T]) Set(data []T) {
	b.Len = len(data)
	gl.BindBuffer(b.Target, b.ID)
	if len(data) == 0 {
		// never an empty store: some drivers reject its use
		gl.BufferData(b.Target, int(unsafe.Sizeof(*new(T))), nil, b.Usage)
		return
	}
	gl.BufferData(b.Target, ByteSize(data), Pointer(data), b.Usage)
}

// SetPart is Set with a number of elements in all, 1 at least, of which data are the first. The others hold nothing
// yet.
func (b *Buffer[T]) SetPart(data []T, all int) {
	b.Len = all
	gl.BindBuffer(b.Target, b.ID)
	gl.BufferData(b.Target, all*int(unsafe.Sizeof(*new(T))), nil, b.Usage)
	if len(data) > 0 {
		gl.BufferSubData(b.Target, 0, ByteSize(data), Pointer(data))
	}
}

// Delete is nil-safe and may be called again.
func (b *Buffer[T]) Delete() {
	if b != nil && b.ID != 0 {
		gl.DeleteBuffers(1, &b.ID)
		b.ID = 0
	}
}

func Pointer[T any](data []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(data)) }

func ByteSize[T any](data []T) int { return len(data) * int(unsafe.Sizeof(*new(T))) }

// TextureBuffer is a buffer that shaders read as a one-dimensional array of texels.
type TextureBuffer[T any] struct {
	Buffer *Buffer[T] // nil where another owns it
	id     uint32
}

// NewTextureBuffer makes one with texels of a sized internal format.
func NewTextureBuffer[T any](label string, format, usage uint32, data []T) (*TextureBuffer[T], error) {
	b, err := NewBuffer(label, gl.TEXTURE_BUFFER, usage, data)
	if err != nil {
		return nil, err
	}
	t, err := TextureBufferOf(label, format, b)
	if err != nil {
		b.Delete()
		return nil, err
	}
	t.Buffer = b
	return t, nil
}

// TextureBufferOf lets shaders read a buffer that has another owner.
func TextureBufferOf[T any](label string, format uint32, b *Buffer[T]) (*TextureBuffer[T], error) {
	t := &TextureBuffer[T]{}
	gl.GenTextures(1, &t.id)
	gl.BindTexture(gl.TEXTURE_BUFFER, t.id)
	gl.TexBuffer(gl.TEXTURE_BUFFER, format, b.ID)
	if err := Error("texture buffer %q", label); err != nil {
		t.Delete()
		return nil, err
	}
	return t, nil
}

// Bind binds it to a texture unit.
func (t *TextureBuffer[T]) Bind(unit uint32) {
	gl.ActiveTexture(gl.TEXTURE0 + unit)
	gl.BindTexture(gl.TEXTURE_BUFFER, t.id)
}

// Delete is nil-safe and may be called again.
func (t *TextureBuffer[T]) Delete() {
	if t == nil {
		return
	}
	if t.id != 0 {
		gl.DeleteTextures(1, &t.id)
		t.id = 0
	}
	t.Buffer.Delete()
}

// FloatAttribute and integerAttribute describe one attribute of the bound vertex array.
func FloatAttribute(b, at uint32, n, stride int32, offset uintptr) {
	gl.BindBuffer(gl.ARRAY_BUFFER, b)
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribPointerWithOffset(at, n, gl.FLOAT, false, stride, offset)
}

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

func NewBlock[T any]() Block[T] {
	b := Block[T]{Data: new(T)}
	gl.GenBuffers(1, &b.id)
	return b
}

// Send sends the data and binds them where programs look for the block.
func (b *Block[T]) Send(binding uint32) {
	gl.BindBuffer(gl.UNIFORM_BUFFER, b.id)
	gl.BufferData(gl.UNIFORM_BUFFER, int(unsafe.Sizeof(*b.Data)), unsafe.Pointer(b.Data), gl.STREAM_DRAW)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, binding, b.id)
}

// Delete may be called again.
func (b *Block[T]) Delete() {
	if b.id != 0 {
		gl.DeleteBuffers(1, &b.id)
		b.id = 0
	}
}

// DeleteArray deletes a vertex array, and may be called again.
func DeleteArray(id *uint32) {
	if *id != 0 {
		gl.DeleteVertexArrays(1, id)
		*id = 0
	}
}
