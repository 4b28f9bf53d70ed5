// Package gpu has the OpenGL objects that posing and drawing are made of: [Buffer] and [TextureBuffer], [Block] for
// uniform blocks, [Texture], [Program] from the files of package shaders, and transform [Feedback]; and a [Headless]
// context. An object is made from data and a label, which names it in errors; its owner calls Delete, which is
// nil-safe.
//
// Texture units and bindings of blocks are the same in all programs: linking fixes them by name. Every function belongs
// to the goroutine whose context is current.
package gpu

import "github.com/go-gl/gl/all-core/gl"

// Owner deletes the OpenGL objects that were made for it, the newest first. It keeps the first error of making one, so
// that a function that makes many objects checks for errors once, with [Made] or Err. The zero value owns nothing.
type Owner struct {
	owned []func()
	err   error
}

// Own adds a function that deletes an object.
func (o *Owner) Own(release func()) { o.owned = append(o.owned, release) }

// Name makes one name of a kind of object that has no type here, by OpenGL's own functions.
func (o *Owner) Name(gen, release func(n int32, names *uint32)) uint32 {
	id := new(uint32)
	gen(1, id)
	o.Own(func() { release(1, id) })
	return *id
}

// Array makes a vertex array, whose attributes describe sets.
func (o *Owner) Array(describe func()) uint32 {
	id := o.Name(gl.GenVertexArrays, gl.DeleteVertexArrays)
	gl.BindVertexArray(id)
	describe()
	gl.BindVertexArray(0)
	return id
}

// Fail keeps an error where it is the first.
func (o *Owner) Fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// Err returns the first error since it was last asked.
func (o *Owner) Err() error {
	err := o.err
	o.err = nil
	return err
}

// Delete deletes everything. It may be called again.
func (o *Owner) Delete() {
	for i := len(o.owned) - 1; i >= 0; i-- {
		o.owned[i]()
	}
	*o = Owner{}
}

// Made returns an object whose parts were made for an owner, or deletes them and returns the error.
func Made[T any](object *T, o *Owner) (*T, error) {
	if err := o.Err(); err != nil {
		o.Delete()
		return nil, err
	}
	return object, nil
}
