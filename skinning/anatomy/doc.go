// Package anatomy finds out what the joints of a skeleton are to each other, from their names and from where they stand
// in the bind pose: the joint that a user names ([JointIndex]), the mirror image of every joint and of a pose
// ([NewMirror]), the bone of a joint ([Bone]) and the axes that it twists and bends about ([JointAxes]). No file says
// any of this.
//
// Names count first, where they speak of a side ("Left", "Right", "L" and "R" with separators); positions decide where
// names say nothing or contradict them.
package anatomy
