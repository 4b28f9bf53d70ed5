//go:build !linux

package render

import "fmt"

// Headless is an OpenGL context without a window. Only Linux has one here.
type Headless struct{}

// NewHeadless returns an error that wraps [ErrHeadless].
func NewHeadless() (*Headless, error) {
	return nil, fmt.Errorf("%w: headless rendering needs Linux EGL", ErrHeadless)
}

// Close does nothing.
func (h *Headless) Close() {}
