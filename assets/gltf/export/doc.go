// Package export writes a fitted model as a plain glTF.
//
// A fitted model and the file that it was made from come in. One GLB that any player shows with linear skinning goes
// out. [File] reads the file with package gltf and changes that document, in this order:
//
//  1. A file without a skin gets one for each mesh that the fit has bound (source.go). It finds the joints that each
//     skin gains (skin.go), and the morph targets that the fitted bones now stand for (morphs.go). Skins that come to
//     use joints under another root get a common root (roots.go).
//  2. Each added joint gets a parent, the node of the master that it moves with most, so that its own motion is small
//     (nodes.go), or of the joint that its rig names ([skinning.ChildRig]). It rests without scale, shear or mirror
//     where the file rests in its bind pose. Helper bones that the file has already, and whose coefficients have been
//     edited since, stay the nodes that they are.
//  3. Package bake gives it keys for every clip: as few as keep all vertices close to the live bones. A joint whose
//     matrix M shears is two nodes, M = U·Σ·Vᵀ·E: the outer has rotation U and scale Σ, the inner rotation Vᵀ and a
//     fixed scale E.
//  4. Skins get the joints, their inverse bind matrices and the controllers (controllers.go), meshes the new weights.
//  5. Elements that nothing refers to any more are dropped (orphans.go), and all buffers become one (buffers.go).
//
// Joints that a rig drives and free joints, which clips alone move, are added alike: both are sampled from the fitted
// model's frames. Free joints have no controllers.
//
// The rest of the document stays as it is, unknown extensions and extras included. A controller drives the added joints
// on any other pose. It is in the skin's extras. Its joint numbers are indices into a list that says by node, name and
// rest matrix what joints they are ([gltf.ListedJoint]), so that other programs may reorder joints and nodes:
//
//	"extras": {"skinlab": {"version": 2,
//		"joints": [{"node": 5, "name": "hips", "rest": [1, 0, 0, 0, 0, 1, 0, -0.9, 0, 0, 1, 0]}, …],
//		"blendBones": {"operator": "dqs", "joints": [19, 20], "masters": [[2, 3], [3, 4, 7]],
//			"weights": [[0.5, 0.5], [0.2, 0.3, 0.5]]}}}
//
// Blend bones of a body model have a second list of weights, "swings" (docs/twist-swing.md). "shortestPath": false
// stands there where bones were fitted to rotations that are followed through clips, past 180 degrees: they are driven
// so, and baked so. Each clip of a file with blend bones says which way its joints turn, "short" or "long":
//
//	"animations": [{"extras": {"skinlab": {"way": "long"}}, …}]
//
// Proxy bones of enveloping, P of them over J masters, are driven together (package fit/enveloping): a proxy's matrix
// is rows of c₁·d(q) + c₂·q, and d is K key deformation gradients: one for each proxy, and then those of groups without
// a proxy. Joints and masters are such joint numbers; parents, and the joints of keys, are indices into masters,
// −1 for none. Shear, c1 and c2 are float32 numbers, little-endian in base64:
//
//	"extras": {"skinlab": {"version": 2, "joints": [one per joint], "enveloping": {
//		"joints": [53, 54], "masters": [0, 1, …], "parents": [-1, 0, …], "middle": [3J numbers, radians],
//		"keys": [{"joints": [4], "u": [0.9], "w": [0, 0, 0, 1], "shear": [4, -1]}, …],
//		"shear": "9×7 a key", "c1": "4P×3K", "c2": "4P×4J"}}}
//
// Where several skins use proxies, one of them has them all and the controllers; vertices of the others follow joints
// of the same nodes. Morph targets of a skin with proxies are left out, with what animates them: an example set keeps
// its shapes in them, which the proxies now make.
//
// A helper bone is a child of one joint, with plain tracks of translation, rotation and perhaps scale. It is driven by
// polynomials of joint angles; docs/helper-bones.md describes their JSON.
//
// Beside the controllers stand which fit has made the file ("fit"), from what it learnt ("teacher"), how many bones it
// has added ("bones") and the largest error between their keys ("keyError"): [skinning.FitRecord].
//
// [gltf.Open] reads controllers into Model.Rigs, each by its [skinning.RigKind].
//
// The second weight set of twist-swing is in _TWIST_JOINTS_n and _TWIST_WEIGHTS_n (docs/twist-swing.md). It stays where
// the fitted model still has it, and is dropped where the fit has made new weights for linear skinning.
//
// [Encode] writes models that come from no file, and [Whole] those that a fit has made anew, with a skeleton and a mesh
// of their own.
package export
