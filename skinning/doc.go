// Package skinning is the model of the world: meshes, skeletons, poses, clips, frames, the table of the direct methods
// with their float64 reference, and [Rig], the interface of what drives the joints that fits add. It is pure Go and
// knows no GL. The only file format in it is the JSON of a rig ([Rig.Encode]).
//
// # One idea carries it
//
// A palette is a list of 3×4 matrices, one per joint; a kernel poses vertices from a palette. [Frame] holds every form
// of the palette that a method reads (matrices, rigid dual quaternions, scales, rotation centres) for one pose: in
// float64 for exactness, and as a [kernel.Palette] in float32, which the kernels of package kernel and the GPU read.
// [Deformer] poses a skin by a frame.
//
// # Rigs make palettes longer
//
// A fit adds joints behind a model's own, and a [Rig] computes their matrices in every pose. [Frame.SetPose] first
// poses all nodes and makes the matrices of all joints; then each rig of the model, in their order, computes the
// matrices of the joints that it drives from those of the joints that it reads. The result is an ordinary palette, so
// kernels, shaders and exports know no rigs. The kinds of rigs are in package rig: blend bones (ALNS) sample a
// nonlinear method over a few joints, proxy bones (RTER) are learnt from examples, and helper bones (HBR) follow
// polynomials of joint angles.
//
// # Conventions
//
// Units are metres, +Y up, right-handed, angles in radians. Matrices act on column vectors. Quaternions are stored x,
// y, z, w.
//
// A loaded skin lives in rest space, where the skinning matrix of every joint is the identity at its bind pose. With
// G_j the global transform of joint node j, B_j its inverse bind matrix and A = G_r·B_r taken with all nodes at their
// static transforms: the rest vertex is A·(mesh vertex), the skinning matrix C_j = G_j·B_j·A⁻¹ and the rest joint
// position a_j is the translation of A·B_j⁻¹. Unit-conversion scales in armature nodes cancel that way, and a rigid
// rig has rigid C_j. The joint r is the first of those that most of the weight rests rigidly with. Skins over the
// same nodes share one rest space, and a scale that all joints of weight have in the static pose and that every clip
// takes back belongs to A (package assets/gltf, restspace.go).
//
// # Sources
//
//   - ALNS: Kavan, Collins, O'Sullivan 2009, Automatic Linearization of Nonlinear Skinning.
//   - SBS: Kavan, Žára 2005, Spherical Blend Skinning: A Real-time Deformation of Articulated Models.
//   - EBM: Fechteler, Hilsmann, Eisert 2016, Example-based Body Model Optimization and Skinning.
//   - Le, Hodgins 2016, Real-time Skeletal Skinning with Optimized Centers of Rotation: the method cor.
//   - RTER: Wang, Pulli, Popović 2007, Real-Time Enveloping with Rotational Regression.
package skinning
