package rig

import (
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// helperDriver is the [skinning.RigDriver] of [HelperBones].
type helperDriver struct {
	rig       *HelperBones
	frames    []geom.Mat3 // of the bones' parents
	variables [][3]float64
}

// NewDriver implements [skinning.Rig].
func (r *HelperBones) NewDriver(s *skinning.Skeleton, _ simd.Level) skinning.RigDriver {
	d := &helperDriver{rig: r, variables: make([][3]float64, len(r.Inputs))}
	for k := range r.Bones {
		d.frames = append(d.frames, BindFrame(&s.Joints[r.Bones[k].Parent]))
	}
	return d
}

// Drive implements [skinning.RigDriver].
func (d *helperDriver) Drive(f *skinning.Frame) {
	for i := range d.rig.Inputs {
		in := &d.rig.Inputs[i]
		d.variables[i] = in.Variables(in.Turn(&f.Model.Skeleton, f.Matrices).Log().Mul(2))
	}
	for k := range d.rig.Bones {
		b := &d.rig.Bones[k]
		motion := d.rig.Motion(k, d.variables)
		c := f.Matrices[b.Parent].Mul(motion.Local(b.Place, d.frames[k]))
		f.SetMatrix(b.Joint, &c)
	}
}
