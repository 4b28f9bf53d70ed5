// Package export writes a fitted model as a plain glTF.
//
// [File] writes a fit into the document that its model was loaded from, and leaves the rest of the document alone. An
// added bone is an ordinary joint. It hangs on the node of the master that it moves with most, so that its own motion
// is small, and rests without scale, shear or mirror where the file rests in its bind pose. Every clip is baked onto
// it, with as few keys as keep all vertices close to the live bones. A bone whose matrix shears, M = U·Σ·Vᵀ·E, is two
// nodes. What drives the bones on any other pose is in the skin's extras, as joint indices of that skin:
//
//	"extras": {"skinlab": {"version": 1, "blendBones": {
//		"operator": "dqs", "joints": [19, 20], "masters": [[2, 3], [3, 4, 7]], "weights": [[0.5, 0.5], [0.2, 0.3, 0.5]]}}}
//
// Proxy bones of enveloping, P of them over J masters, are driven together (package fit/enveloping): a proxy's matrix
// is rows of c₁·d(q) + c₂·q, and d is K key deformation gradients: one for each proxy, and then those of groups that
// need none. Joints and masters are joint indices of the skin; parents, and the joints of keys, are indices into
// masters, −1 for none. Shear, c1 and c2 are float32 numbers, little-endian in base64:
//
//	"extras": {"skinlab": {"version": 1, "enveloping": {
//		"joints": [53, 54], "masters": [0, 1, …], "parents": [-1, 0, …], "middle": [3J numbers, radians],
//		"keys": [{"joints": [4], "u": [0.9], "w": [0, 0, 0, 1], "shear": [4, -1]}, …],
//		"shear": "9×7 a key", "c1": "4P×3K", "c2": "4P×4J"}}}
//
// Where several skins use proxies, one of them has them all and the controllers; vertices of the others follow joints
// of the same nodes. Morph targets of a skin with proxies are left out, with what animates them: an example set keeps
// its shapes in them, which the proxies now make.
//
// [gltf.Open] reads that into Model.Rigs, each by its [skinning.RigKind]. [Encode] writes models that come from no
// file.
package export
