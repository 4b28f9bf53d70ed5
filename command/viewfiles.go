package command

import (
	"context"
	"fmt"
	"sync"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// viewerFiles opens and writes files for the window.
type viewerFiles struct {
	sources sync.Map // by model, the name that it was opened by: an export starts from it
	fits    *viewerFits
}

func (v *viewerFiles) load(ctx context.Context, path string, report func(step string, share float64)) (
	*skinning.Model, error) {
	m, err := assets.OpenContext(ctx, path, report)
	if err == nil {
		m = withSequence(m)
		v.sources.Store(m, path)
	}
	return m, err
}

func (v *viewerFiles) export(path string, master, fitted *skinning.Model, ready func() error) (string, error) {
	source, ok := v.sources.Load(master)
	if !ok {
		return "", fmt.Errorf("%s: no source to export from", master.Name)
	}
	how := v.fits.exportOptions(fitted)
	how.Ready = ready
	if v.fits.whole(fitted) {
		fitted = stress.Strip(fitted)
		written, err := export.Whole(path, source.(string), fitted, how)
		return wholeNote(fitted, &written), err
	}
	written, err := export.File(context.Background(), path, source.(string), fitted, how)
	return exportNote(&written), err
}

func (v *viewerFiles) checkOutput(path, ending string, reads []string, replace bool) (string, error) {
	out := assets.Output{Path: path, Endings: []string{ending}, Reads: func() []string { return reads }, Replace: replace}
	return out.Check()
}
