// Package limbs finds the limbs of a body in scans: meshes of one topology in many poses. Limbs are clusters of
// vertices by their rigid motions (Le and Deng, "Smooth Skinning Decomposition with Rigid Bones", 2012, section 4),
// and joints are where they meet (Fechteler, Hilsmann and Eisert 2016, EBM, section 3). [Find] goes in this order:
//
//  1. Patches (patches.go): the surface is split into more pieces than there will be limbs. Each split divides the
//     piece with the largest error by the principal component of its vertices' residual paths.
//  2. Merging (merge.go): the two neighbouring pieces whose union moves most rigidly become one, down to the number of
//     limbs.
//  3. The tree of limbs (tree.go), with joints in the middle of their borders.
//
// In all steps a piece is connected, by edges or, between parts of a mesh, by bridges (links.go). Splits without
// merging do not find limbs: the residual of a bent piece under its best rigid motion points one way at both ends and
// the other way in the middle, so a split puts both ends into one cluster.
package limbs
