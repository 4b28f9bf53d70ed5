package modelpage

import (
	"fmt"
	"math"
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/skinning"
)

type material struct {
	name, note, tip string
	color           ui.Color
}

func materialRows(m *skinning.Model) (rows []material) {
	for i := range m.Materials {
		of := &m.Materials[i]
		c := of.BaseColor
		row := material{name: skinning.Named(of.Name, "Material", i), color: ui.RGB(encoded(c[0]), encoded(c[1]), encoded(c[2]))}
		tip := []string{fmt.Sprintf("Base colour %.2f, %.2f, %.2f of 1, linear", c[0], c[1], c[2])}
		var note []string
		if of.Texture >= 0 {
			note, tip = append(note, "texture"), append(tip, "times a texture")
			if of.Texture < len(m.Textures) {
				if size := m.Textures[of.Texture].Image; size != nil {
					tip[len(tip)-1] += fmt.Sprintf(" of %d × %d pixels", size.Rect.Dx(), size.Rect.Dy())
				}
			}
		}
		tip = append(tip, fmt.Sprintf("metallic %.2f and roughness %.2f of 1", of.Metallic, of.Roughness))
		for _, name := range of.MapNames() {
			note, tip = append(note, name), append(tip, "with a map: "+name)
		}
		if of.DoubleSided {
			note, tip = append(note, "two-sided"), append(tip, "drawn from both sides")
		}
		if of.Unlit {
			note, tip = append(note, "unlit"), append(tip, "without light")
		}
		switch {
		case of.Blend:
			note, tip = append(note, "transparent"), append(tip, fmt.Sprintf("opacity %.2f of 1", c[3]))
		case of.AlphaCutoff > 0:
			note, tip = append(note, "cut out"), append(tip, fmt.Sprintf("cut out below an opacity of %.2f", of.AlphaCutoff))
		}
		row.note, row.tip = strings.Join(note, ", "), strings.Join(tip, ", ")+"."
		rows = append(rows, row)
	}
	return rows
}

// encoded returns a linear value, 0 to 1, as sRGB.
func encoded(x float32) uint8 {
	v := float64(x) * 12.92
	if x > 0.0031308 {
		v = 1.055*math.Pow(float64(x), 1/2.4) - 0.055
	}
	return uint8(min(max(v, 0), 1)*255 + 0.5)
}

func (p *Page) drawMaterials(in *ui.Rect) {
	first, last, all := p.inSight(in, len(p.materials))
	for k := first; k < last; k++ {
		at := all
		at.Y, at.H = all.Y+float32(k)*p.UI.Px(desk.RowHeight), p.UI.Px(desk.RowHeight)
		row := &p.materials[k]
		p.UI.Swatch(itemMaterial+k, at, row.color, row.name, row.note, row.tip)
	}
}
