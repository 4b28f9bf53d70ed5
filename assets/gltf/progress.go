package gltf

import (
	"context"
	"io"
)

// Progress receives the step of loading a file ("Reading") and the share of that step that is done, from 0 to 1. It is
// called from the goroutine that loads, up to a few thousand times a file.
type Progress func(step string, share float64)

// The steps of loading, as a person reads them.
const (
	stepReading  = "Reading"
	stepChecking = "Checking"
	stepMeshes   = "Meshes"
	stepClips    = "Clips"
	stepPictures = "Pictures"
)

// progress reports how far loading is, and ends it once its context is done. The zero value does neither.
type progress struct {
	ctx    context.Context
	report Progress
}

// at reports that some of the parts of a step are done, and returns the context's error once that is done.
func (p *progress) at(step string, done, of int) error {
	if p.report != nil && of > 0 {
		p.report(step, float64(done)/float64(of))
	}
	return p.err()
}

func (p *progress) err() error {
	if p.ctx == nil {
		return nil
	}
	return p.ctx.Err()
}

// reader returns r with reads that fail once the context is done. Where step is not empty they report progress, of size
// bytes.
func (p *progress) reader(r io.Reader, step string, size int) io.Reader {
	return &watchedReader{from: r, progress: p, step: step, size: size}
}

type watchedReader struct {
	from     io.Reader
	progress *progress
	step     string
	at, size int
}

func (r *watchedReader) Read(b []byte) (int, error) {
	var err error
	if r.step == "" {
		err = r.progress.err()
	} else {
		err = r.progress.at(r.step, r.at, r.size)
	}
	if err != nil {
		return 0, err
	}
	const most = 1 << 20 // a read from a slow disk is not interrupted
	n, err := r.from.Read(b[:min(len(b), most)])
	r.at += n
	return n, err
}
