// Package decompose turns a sequence of shapes into bones, weights and a clip (SSDR: Le and Deng, "Smooth Skinning
// Decomposition with Rigid Bones", 2012).
//
// A sequence is a mesh in F frames: the morph targets of a file, shapes in files, or the shapes that a skinning method
// makes of a skeleton. It needs no skeleton. Where there is one, its joints stay as they are, locked, and the bones are
// added to them.
//
//   - cluster.go: bones begin as clusters of vertices that move alike, each as one rigid part.
//   - solve.go: package ssdr takes turns at weights and motions, each the best for the other. A few bones are also
//     inserted one by one where that lowers the error most, and the better result counts.
//   - sequence.go: the frames that are decomposed. model.go: bones become joints of the model, and their motions a
//     clip.
package decompose
