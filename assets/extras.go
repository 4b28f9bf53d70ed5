package assets

import (
	"encoding/json"
	"fmt"
	"math"
)

// extrasKey is where a skin's extras hold what only skinlab knows.
const extrasKey = "skinlab"

// controllersVersion is the version of the controllers that are written and read.
const controllersVersion = 1

// Names under extras.skinlab.
const (
	versionKey    = "version"
	blendBonesKey = "blendBones"
	envelopingKey = "enveloping"
)

// readRigs drives the added joints of all used skins, where the file says how. Extras may hold anything: what cannot be
// understood becomes a warning, and the joints are then played as they are.
func (d *decoder) readRigs() error {
	for i := range d.doc.Skins {
		if !d.skins[i].used || len(d.doc.Skins[i].Extras) == 0 {
			continue
		}
		warn := func(err error) {
			if err != nil {
				d.notes.add("%s: extras.%s: %v; the baked motion is played", element("skin", i, d.doc.Skins[i].Name), extrasKey,
					err)
			}
		}
		own, err := controllersOf(d.doc.Skins[i].Extras)
		warn(err)
		warn(d.readBlendBones(i, own.blendBones))
		warn(d.readEnveloping(i, own.enveloping))
	}
	d.shareProxies()
	return nil
}

// controllers are the parts of a skin's extras.skinlab; nil where there is none.
type controllers struct{ blendBones, enveloping json.RawMessage }

func controllersOf(text json.RawMessage) (c controllers, err error) {
	var extras map[string]json.RawMessage
	if json.Unmarshal(text, &extras) != nil || extras[extrasKey] == nil {
		return c, nil // somebody else's
	}
	var own map[string]json.RawMessage
	if err := json.Unmarshal(extras[extrasKey], &own); err != nil {
		return c, fmt.Errorf("not understood: %s", shorten(err.Error()))
	}
	c = controllers{own[blendBonesKey], own[envelopingKey]}
	if string(c.blendBones) == "null" {
		c.blendBones = nil
	}
	if string(c.enveloping) == "null" {
		c.enveloping = nil
	}
	if c.blendBones == nil && c.enveloping == nil {
		return c, nil
	}
	version := 0
	if err := json.Unmarshal(own[versionKey], &version); err != nil {
		return controllers{}, fmt.Errorf("version %s not understood", shorten(string(own[versionKey])))
	}
	if version != controllersVersion {
		return controllers{}, fmt.Errorf("version %d, this reader reads %d", version, controllersVersion)
	}
	return c, nil
}

// putControllers leaves the controllers of a skin's added joints in its extras, beside what is there, and takes away
// those of an earlier fit, but for rigs that the fitted model still has from its file. A nil plan is that of a skin
// that nothing uses.
func (x *exporter) putControllers(skin dict, p *skinPlan) {
	extras, ok := skin["extras"].(dict)
	if !ok {
		extras = dict{}
		if old := skin["extras"]; old != nil {
			extras["extras"] = old // a number, a text, a list: glTF allows any
		}
	}
	old, _ := extras[extrasKey].(dict)
	delete(extras, extrasKey)
	own := dict{}
	if p != nil && x.keepBlend && old[blendBonesKey] != nil {
		own[blendBonesKey] = old[blendBonesKey]
	}
	if p != nil && x.keepEnvelope && old[envelopingKey] != nil {
		own[envelopingKey] = old[envelopingKey]
	}
	blend, envelope := x.blendInfo(p), x.envelopingInfo(p)
	if blend != nil || envelope != nil {
		for name, value := range x.opt.Extras {
			if f, ok := value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				value = nil // JSON has no such number
			}
			if name != blendBonesKey && name != envelopingKey {
				own[name] = value
			}
		}
	}
	if blend != nil {
		own[blendBonesKey] = blend
	}
	if envelope != nil {
		own[envelopingKey] = envelope
	}
	if len(own) > 0 {
		own[versionKey] = controllersVersion
		extras[extrasKey] = own
	}
	switch {
	case len(own) == 0 && !ok: // none, or none that could be ours
	case len(extras) == 0:
		delete(skin, "extras")
	default:
		skin["extras"] = extras
	}
}
