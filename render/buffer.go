package render

import (
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"
)

// buffer is a GL buffer object of elements T, which must hold no Go pointers.
type buffer[T any] struct {
	id     uint32
	target uint32
	usage  uint32
	len    int // elements
}

// newBuffer copies data to the GPU. The label names it in errors. Its owner calls Delete.
func newBuffer[T any](label string, target, usage uint32, data []T) (*buffer[T], error) {
	b := &buffer[T]{target: target, usage: usage}
	drainErrors()
	gl.GenBuffers(1, &b.id)
	b.Set(data)
	if err := glError("buffer %q: %d bytes", label, byteSize(data)); err != nil {
		b.Delete()
		return nil, err
	}
	return b, nil
}

// Set replaces the contents. The old storage is orphaned, so a draw that still reads it is not waited for.
func (b *buffer[T]) Set(data []T) {
	b.len = len(data)
	gl.BindBuffer(b.target, b.id)
	if len(data) == 0 {
		// never an empty store: some drivers reject its use
		gl.BufferData(b.target, int(unsafe.Sizeof(*new(T))), nil, b.usage)
		return
	}
	gl.BufferData(b.target, byteSize(data), pointer(data), b.usage)
}

// SetPart is Set with a number of elements in all, 1 at least, of which data are the first. The others hold nothing
// yet.
func (b *buffer[T]) SetPart(data []T, all int) {
	b.len = all
	gl.BindBuffer(b.target, b.id)
	gl.BufferData(b.target, all*int(unsafe.Sizeof(*new(T))), nil, b.usage)
	if len(data) > 0 {
		gl.BufferSubData(b.target, 0, byteSize(data), pointer(data))
	}
}

// Delete is nil-safe and may be called again.
func (b *buffer[T]) Delete() {
	if b != nil && b.id != 0 {
		gl.DeleteBuffers(1, &b.id)
		b.id = 0
	}
}

func pointer[T any](data []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(data)) }

func byteSize[T any](data []T) int { return len(data) * int(unsafe.Sizeof(*new(T))) }

// textureBuffer is a buffer that shaders read as a one-dimensional array of texels.
type textureBuffer[T any] struct {
	buffer *buffer[T] // nil where another owns it
	id     uint32
}

// newTextureBuffer makes one with texels of a sized internal format.
func newTextureBuffer[T any](label string, format, usage uint32, data []T) (*textureBuffer[T], error) {
	b, err := newBuffer(label, gl.TEXTURE_BUFFER, usage, data)
	if err != nil {
		return nil, err
	}
	t, err := textureBufferOf(label, format, b)
	if err != nil {
		b.Delete()
		return nil, err
	}
	t.buffer = b
	return t, nil
}

// textureBufferOf lets shaders read a buffer that has another owner.
func textureBufferOf[T any](label string, format uint32, b *buffer[T]) (*textureBuffer[T], error) {
	t := &textureBuffer[T]{}
	gl.GenTextures(1, &t.id)
	gl.BindTexture(gl.TEXTURE_BUFFER, t.id)
	gl.TexBuffer(gl.TEXTURE_BUFFER, format, b.id)
	if err := glError("texture buffer %q", label); err != nil {
		t.Delete()
		return nil, err
	}
	return t, nil
}

// Bind binds it to a texture unit.
func (t *textureBuffer[T]) Bind(unit uint32) {
	gl.ActiveTexture(gl.TEXTURE0 + unit)
	gl.BindTexture(gl.TEXTURE_BUFFER, t.id)
}

// Delete is nil-safe and may be called again.
func (t *textureBuffer[T]) Delete() {
	if t == nil {
		return
	}
	if t.id != 0 {
		gl.DeleteTextures(1, &t.id)
		t.id = 0
	}
	t.buffer.Delete()
}

// floatAttribute and integerAttribute describe one attribute of the bound vertex array.
func floatAttribute(b, at uint32, n, stride int32, offset uintptr) {
	gl.BindBuffer(gl.ARRAY_BUFFER, b)
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribPointerWithOffset(at, n, gl.FLOAT, false, stride, offset)
}

func integerAttribute(b, at uint32, n int32, kind uint32, stride int32) {
	gl.BindBuffer(gl.ARRAY_BUFFER, b)
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribIPointerWithOffset(at, n, kind, stride, 0)
}

// block is a uniform block: std140, in memory of its own without Go pointers, since C reads it.
type block[T any] struct {
	data *T
	id   uint32
}

func newBlock[T any]() block[T] {
	b := block[T]{data: new(T)}
	gl.GenBuffers(1, &b.id)
	return b
}

// Send sends the data and binds them where programs look for the block.
func (b *block[T]) Send(binding uint32) {
	gl.BindBuffer(gl.UNIFORM_BUFFER, b.id)
	gl.BufferData(gl.UNIFORM_BUFFER, int(unsafe.Sizeof(*b.data)), unsafe.Pointer(b.data), gl.STREAM_DRAW)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, binding, b.id)
}

// Delete may be called again.
func (b *block[T]) Delete() {
	if b.id != 0 {
		gl.DeleteBuffers(1, &b.id)
		b.id = 0
	}
}

// deleteArray deletes a vertex array, and may be called again.
func deleteArray(id *uint32) {
	if *id != 0 {
		gl.DeleteVertexArrays(1, id)
		*id = 0
	}
}
