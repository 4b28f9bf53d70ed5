// Package anatomy finds how the joints of a skeleton relate to each other, from their names and their positions in the
// bind pose: the joint that a user names ([JointIndex]), the mirror image of every joint and of a pose ([NewMirror]),
// the bone of a joint ([Bone]) and the axes that it twists and bends about ([JointAxes]), and the part of a body that
// it moves ([Humanoid]). Files contain none of this, but for the last in VRM files.
//
// If names contain a side ("Left", "Right", "L" and "R" with separators), they decide. Positions decide if names
// contain no side, or contradict the positions.
package anatomy
