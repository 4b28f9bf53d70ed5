package bodymodel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// template is named joints in a shape. The shape should be in a pose like that of a body's bind shape.
type template struct {
	Names     []string
	Joints    []mgl64.Vec3 // rest space, metres
	Low, High mgl64.Vec3   // the corners of the shape's box
}

// templateOf returns the joints of a model's skeleton at rest.
func templateOf(m *skinning.Model) *template {
	lo, hi := m.RestBounds()
	t := &template{Low: geom.Vec64(lo), High: geom.Vec64(hi)}
	for _, j := range m.Skeleton.Joints {
		t.Names, t.Joints = append(t.Names, j.Name), append(t.Joints, j.Position)
	}
	return t
}

// nameLimbs returns a name for each limb, all different: limb_1, limb_2 and so on, or the names of a template's joints.
// The bounding box of the template's shape is mapped onto that of the bind shape. Then the limb and the name whose
// joints are nearest to each other are paired, and so on with the rest, until no limb or no name is left.
func nameLimbs(b *Body, template *template) []string {
	names := make([]string, len(b.Joints))
	taken := map[string]bool{"": true}
	if template != nil {
		type pair struct {
			limb, name int
			apart      float64
		}
		var pairs []pair
		for k, at := range template.over(b.Vertices) {
			for j, joint := range b.Joints {
				pairs = append(pairs, pair{j, k, at.Sub(joint).Len()})
			}
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.apart, b.apart) })
		for _, p := range pairs {
			if name := template.Names[p.name]; names[p.limb] == "" && !taken[name] {
				names[p.limb], taken[name] = name, true
			}
		}
	}
	number := 0
	for j := range names {
		for names[j] == "" {
			number++
			if name := fmt.Sprintf("limb_%d", number); !taken[name] {
				names[j] = name
			}
		}
	}
	return names
}

// over returns the template's joints after its bounding box has been mapped onto that of a shape, axis by axis.
func (t *template) over(shape []mgl64.Vec3) []mgl64.Vec3 {
	lo, hi := geom.Bounds(shape)
	out := slices.Clone(t.Joints)
	for k := range out {
		for c := range 3 {
			if width := t.High[c] - t.Low[c]; width > 0 {
				out[k][c] = lo[c] + (out[k][c]-t.Low[c])/width*(hi[c]-lo[c])
			} else {
				out[k][c] += lo[c] - t.Low[c]
			}
		}
	}
	return out
}
