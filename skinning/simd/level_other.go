//go:build !amd64

package simd

func highest() Level { return Scalar }
