// Package gltf reads glTF 2.0, as .glb or .gltf, into a skinning.Model.
//
// A file comes in, or its bytes and the folder beside it. It is read in this order, and the first fault ends the
// reading with an error that names its element ("skin 0, joint 3: inverse bind matrix is not finite"):
//
//  1. The container is split into JSON and binary chunk (container.go).
//  2. The JSON fills a Document of github.com/qmuntal/gltf by package strictjson, which refuses text that the
//     document's types would lose or mistake (document.go). Elements that the reader does not need are left out
//     instead, with a warning.
//  3. Buffers are fetched, and every buffer view, accessor and index, used or not, is checked against the list or the
//     bytes that it points into (buffer.go, accessor.go, reference.go).
//  4. Nodes, materials and meshes become the model. A skin is moved to rest space by A = G_r·B_r, the global transform
//     of a joint r times that joint's inverse bind matrix B_r: a vertex v goes to A·v, and joint j gets FromRest
//     = B_j·A⁻¹ (node.go, skin.go, geometry.go, morph.go). The joints of most weight rest rigidly in it, skins on the
//     same nodes share it, and a scale that every clip takes back belongs to it: restspace.go has the rules. They need
//     weights and clips, which are read before (animation.go).
//  5. Rigs from the skins' extras and pictures follow (extras.go, jointlist.go, picture.go).
//
// Parts of a file that are unusual but can be shown correctly become lines of Model.Warnings. Allocation stays in
// proportion to the file, see [budget]. All geometry is computed in float64 and rounded once.
//
// The reader departs from the letter of glTF in these points:
//
//   - A primitive without normals gets smooth area-weighted ones; glTF asks for flat ones, which would need vertices
//     split.
//   - Weights are clamped at 0 and normalised; a vertex whose weights are all zero follows joint 0 of its skin.
//   - Points and lines are left out.
//   - Where the default scene holds no mesh, all nodes are drawn. A file without a default scene shows its first one.
//   - A skin whose rest space mirrors its mesh (det A < 0) has its triangles turned around, so that they face outward
//     at rest.
//
// [ReadSource] keeps the document beside the model. Package export writes a fit into it, and [Write] makes a GLB of it.
package gltf
