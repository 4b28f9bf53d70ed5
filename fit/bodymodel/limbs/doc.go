// Package limbs finds the limbs of a body in scans: meshes of one topology in many poses. Limbs are clusters of vertices
// by their rigid motions (Le and Deng, "Smooth Skinning Decomposition with Rigid Bones", 2012, section 4), and joints
// are where they meet (Fechteler, Hilsmann and Eisert 2016, EBM, section 3). [Find] goes in this order:
//
//  1. Patches (patches.go): the surface is split again and again, where most error is left, by the principal component
//     of the vertices' residual paths, into more pieces than there will be limbs.
//  2. Merging (merge.go): the two neighbouring pieces whose union moves most rigidly become one, down to the number of
//     limbs.
//  3. Lloyd's algorithm over the vertices at the borders of limbs (borders.go).
//  4. Joints (joints.go), the points that stay together best, and the tree of limbs (tree.go).
//
// A piece is connected in all of them, over the edges and, between the parts of a mesh, over bridges (links.go). Splits
// alone do not find limbs: what a bend leaves to a rigid motion points one way at both ends of a piece and the other way
// in its middle, and both ends fall into one cluster.
package limbs
