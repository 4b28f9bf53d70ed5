package export

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"skinlab/assets/atomicfile"
	"skinlab/assets/demo"
	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/skinning"
)

// Clips writes a file as a GLB with more clips after its own. The clips animate nodes of the file but no morph weights.
// Everything else in the document stays as it is, except that buffers, and pictures from files, move into the GLB.
// Source is the name that the model was opened by: a file, or a built-in model. It returns warnings. An old file is
// replaced atomically.
func Clips(path, source string, m *skinning.Model, clips []skinning.Clip) (warnings []string, err error) {
	var data []byte
	var folder fs.FS
	if strings.HasPrefix(source, demo.Prefix) {
		data, err = Encode(builtInClips(m))
	} else {
		var root *os.Root
		if data, root, err = readFile(source); err == nil {
			defer root.Close()
			folder = root.FS()
		}
	}
	if err != nil {
		return nil, err
	}
	d, err := gltf.ReadSource(data, folder, sceneOf(m))
	if err != nil {
		return nil, fault.InFile(m.Name, err)
	}
	if n := len(d.Model.Skeleton.Nodes); n != len(m.Skeleton.Nodes) {
		return nil, fmt.Errorf("%s: the file has changed: %d nodes, the model has %d", m.Name, n, len(m.Skeleton.Nodes))
	}
	x := &exporter{Source: d, fitted: d.Model, out: newWriter(&d.Doc)}
	x.embedPictures()
	x.opt.Clips = clips
	if err := x.addClips(); err != nil {
		return nil, fault.InFile(m.Name, err)
	}
	x.bin = x.gatherBuffers()
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := x.write(w)
		return err
	})
	return x.report.Warnings, err
}
