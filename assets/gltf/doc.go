// Package gltf reads glTF 2.0, as .glb or .gltf. Everything in a file is checked before it is used: the container, the
// shape of the JSON, every index against the list that it points into, every accessor against its buffer, every
// attribute value against NaN. The first fault found is returned as an error that names its element ("skin 0, joint 3:
// inverse bind matrix is singular"). What is unusual but can be shown correctly becomes a line of Model.Warnings.
// Allocation stays in proportion to the file, see [budget].
//
// What is read differently from the letter of glTF:
//
//   - A primitive without normals gets smooth area-weighted ones; glTF asks for flat ones, which would need vertices
//     split.
//   - Weights are clamped at 0 and normalised; a vertex whose weights are all zero follows joint 0 of its skin.
//   - Points and lines are left out.
//   - Where the default scene holds no mesh, all nodes are drawn. A file without a default scene shows its first one.
//   - A skin whose rest space mirrors its mesh (det A < 0) has its triangles turned around, so that they face outward
//     at rest.
//
// All geometry is computed in float64 and rounded once.
//
// [ReadSource] keeps the document beside the model, for package export, which writes a fit into it.
package gltf
