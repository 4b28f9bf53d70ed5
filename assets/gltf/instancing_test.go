package gltf

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// instancedFlag returns the beam, whose flag is shown at three places: turned, mirrored and moved.
func instancedFlag() (b *gltftest.Builder, places []geom.Transform) {
	b = gltftest.Beam()
	rotations := b.Accessor(gltftest.Byte, "VEC4", 0, 0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0)
	b.Doc["accessors"].(list)[rotations].(object)["normalized"] = true
	moves := b.Accessor(gltftest.Float, "VEC3", 0, 0, 0, 2, 0, 0, 0, 3, 1)
	scales := b.Accessor(gltftest.Float, "VEC3", 1, 1, 1, -2, 1, 1, 1, 0.5, 1)
	b.Set("nodes.4.extensions", object{instancingExtension: object{"attributes": object{
		"TRANSLATION": moves, "ROTATION": rotations, "SCALE": scales}}})
	return b, []geom.Transform{
		geom.IdentityTransform(),
		{Translation: mgl64.Vec3{2, 0, 0}, Rotation: geom.Quat{0, 0, 1, 0}, Scale: mgl64.Vec3{-2, 1, 1}},
		{Translation: mgl64.Vec3{0, 3, 1}, Rotation: geom.Quat{0, 1, 0, 0}, Scale: mgl64.Vec3{1, 0.5, 1}},
	}
}

// TestInstances: a rigid mesh with EXT_mesh_gpu_instancing is one part that holds the primitive at every place, to
// 1e-6, with triangles and normals of mirrored places turned around. A fit does not bind it.
func TestInstances(t *testing.T) {
	b, places := instancedFlag()
	m, plain := mustDecode(t, b.Glb()), mustDecode(t, gltftest.Beam().Glb())
	gltftest.CheckModel(t, m)
	flag, one := &m.Rigid[0], &plain.Rigid[0]
	if len(flag.Parts) != 1 || !flag.Instanced || one.Instanced || len(flag.Triangles) != len(places)*len(one.Triangles) {
		t.Fatalf("%d parts, %d triangles, instanced %v", len(flag.Parts), len(flag.Triangles), flag.Instanced)
	}
	n := len(one.Positions)
	for k, place := range places {
		to := place.Affine()
		for v, p := range one.Positions {
			if d := to.Apply(geom.Vec64(p)).Sub(geom.Vec64(flag.Positions[k*n+v])).Len(); !(d <= 1e-6) {
				t.Errorf("instance %d, vertex %d is %g away", k, v, d)
			}
		}
		for i := range one.Triangles {
			tri := flag.Triangles[k*len(one.Triangles)+i]
			side := func(v uint32) mgl32.Vec3 { return flag.Positions[v].Sub(flag.Positions[tri[0]]) }
			if side(tri[1]).Cross(side(tri[2])).Dot(flag.Normals[tri[0]]) <= 0 {
				t.Errorf("instance %d, triangle %d winds against its normal", k, i)
			}
		}
	}
	m.Skin = plain.Skin
	m.Skin.Positions = nil
	if bound := remodel.BindRigid(m); len(bound.Rigid) != 1 || len(bound.Skin.Positions) != 0 {
		t.Error("the instances are bound")
	}
}

// TestInstancesRefused: what is wrong with the attributes of instances is an error that names node and attribute.
func TestInstancesRefused(t *testing.T) {
	for _, c := range []struct {
		path, want string
		value      any
	}{
		{"TRANSLATION", "TRANSLATION: accessor 99 does not exist", 99},
		{"SCALE", "SCALE: accessor 4 is VEC4, expected VEC3", 4},
		{"SCALE", "SCALE: accessor 0 has 8 elements, another attribute has 3", 0},
		{"ROTATION", "ROTATION of instance 0 is a quaternion of length zero", nil},
	} {
		b, places := instancedFlag()
		if c.value == nil {
			c.value = b.Accessor(gltftest.Float, "VEC4", make([]float64, 4*len(places))...)
		}
		b.Set("nodes.4.extensions."+instancingExtension+".attributes."+c.path, c.value)
		_, err := Decode("beam.glb", b.Glb(), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `node 4 "flag"`) {
			t.Errorf("%s = %v: %v, expected %q", c.path, c.value, err, c.want)
		}
	}
	b, _ := instancedFlag() // a file of some kilobytes that asks for millions of vertices
	b.Push("accessors", object{"componentType": gltftest.Float, "type": "VEC3", "count": 65536})
	n := len(b.Doc["accessors"].(list)) - 1
	b.Set("nodes.4.extensions", object{instancingExtension: object{"attributes": object{"TRANSLATION": n}}})
	if _, err := Decode("beam.glb", b.Glb(), nil); err == nil || !strings.Contains(err.Error(), "instance") {
		t.Errorf("65,536 instances: %v", err)
	}
}
