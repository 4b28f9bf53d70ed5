package gltf

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
)

// parse reads the JSON into the document. The document's types cannot hold all that a file may say: an unknown
// enumeration would become its default, a missing index 0, an array of another length would be cut or filled up.
// [strictjson.Unmarshal] refuses that. Extras and extensions stay as they are in the text.
func (d *Source) parse(text []byte) error {
	d.Extensions, d.Paths = map[string]bool{}, map[*gltf.AnimationChannelTarget]string{}
	d.overruled = map[*gltf.Node]bool{}
	err := strictjson.Unmarshal(text, &d.Doc, strictjson.Options{
		Enums:    enums,
		Complete: true,
		Tolerate: d.tolerate,
		Check:    d.checkFilled,
		Unknown: func(path string) {
			// A camera has a type, and an object with the name of the type. The document's types hold only the object.
			if !strings.HasPrefix(path, "cameras[") || !strings.HasSuffix(path, "].type") {
				d.Unknown = append(d.Unknown, path)
			}
		},
		Watch:  "extensions",
		Inside: func(name string) { d.Extensions[name] = true },
		Grow:   func(bytes int) error { return d.budget.charge(1, int64(bytes), "the JSON") },
	})
	if err != nil {
		return fault.Malformed("%w", err)
	}
	return nil
}

// tolerate leaves out, with a warning, faulty values that change neither shape nor motion.
func (d *Source) tolerate(in any, name string, f *strictjson.Fault) bool {
	ok := false
	switch in := in.(type) {
	case *gltf.Document:
		ok = name == "extensionsUsed" || name == "cameras"
	case *gltf.Asset:
		ok = name == "copyright" || name == "generator"
	case *gltf.Accessor:
		ok = name == "min" || name == "max"
	case *gltf.BufferView:
		ok = name == "target"
	case *gltf.Node:
		ok = name == "camera"
	case *gltf.AnimationChannelTarget:
		var path string // for example of an extension
		if name == "path" && json.Unmarshal(f.Found, &path) == nil {
			d.Paths[in] = path
			return true
		}
	case *gltf.Material:
		ok = name != "pbrMetallicRoughness" && name != "doubleSided"
	case *gltf.PBRMetallicRoughness:
		ok = name != "baseColorFactor" && name != "baseColorTexture"
	case *gltf.Image:
		ok = name == "mimeType"
	case *gltf.Sampler:
		ok = true
	}
	ok = ok || name == "name" || name == "extensions"
	if ok {
		d.notes.Add("%v; it is left out", f)
	}
	return ok
}

// checkFilled checks what one property of an element asks of another.
func (d *Source) checkFilled(in any, has func(name string) bool) error {
	switch in := in.(type) {
	case *gltf.Node:
		if has("matrix") && (has("translation") || has("rotation") || has("scale")) {
			in.Translation, in.Rotation, in.Scale = gltf.DefaultTranslation, gltf.DefaultRotation, gltf.DefaultScale
			d.overruled[in] = true
		}
	case *gltf.NormalTexture:
		if in.Index == nil {
			return errors.New("has no index")
		}
	case *gltf.OcclusionTexture:
		if in.Index == nil {
			return errors.New("has no index")
		}
	case *gltf.Camera:
		if in.Perspective == nil && in.Orthographic == nil {
			return errors.New("has neither perspective nor orthographic")
		}
	}
	return nil
}

// extension reads the extension of a name, where an element has it, into a value.
func extension(all gltf.Extensions, name string, into any) error {
	if !has(all, name) {
		return nil
	}
	opt := strictjson.Options{Enums: enums, Complete: true}
	if err := strictjson.Unmarshal(all[name].(json.RawMessage), into, opt); err != nil {
		return fault.Malformed("%s: %w", name, err)
	}
	return nil
}

// has reports whether an element has an extension.
func has(all gltf.Extensions, name string) bool {
	return all[name] != nil && string(all[name].(json.RawMessage)) != "null"
}
