// Package retarget plays the motion of one skeleton on another: it makes clips of a character from the clips of another
// model.
//
// [NewMatches] says which joint of the character follows which of the motion. [New] compares the rest poses, and
// [Retargeter.Clip] makes a clip.
//
// # Rotations
//
// W(t) is the rotation of a joint in world space at time t, W(rest) that in the rest pose: the bind pose of a skin, else
// the static pose. Index s is the joint of the motion and c the joint of the character that follows it. The character's
// joint gets
//
//	W_c(t) = A·W_s(t)·W_s(rest)ᵀ·Aᵀ·Q·W_c(rest)
//
// so the axes of the joints do not matter: the motion's turn away from its rest pose, in world space, is what is
// carried. A turns the motion's world into the character's. It is the identity unless one of the two lies, or looks
// another way: A maps the axes that are nearest to up and left of one body to those of the other, where both have legs or
// arms and a trunk.
//
// Q compares the rest poses, so that A- and T-poses go together. For a bone of an arm, a leg, a finger or another chain
// of one side, Q turns the character's bone at rest into the direction of the motion's: with unit directions d from the
// joint to the next of the chain, and Q' of the joint above it in the chain, Q = M·Q', where M is the smallest rotation
// with M·Q'·d_c = A·d_s. A limb's bones have the motion's directions in all frames. A hand keeps to its forearm: Q = Q'.
// The trunk, the neck, the head, the collars, the feet and the toes have Q = 1: their bones lie differently in every
// rig, but they look the same way.
//
// If both skeletons are the same one, perhaps of another size and at rest in another pose, the frames of the joints are
// the same, and Q = A·W_s(rest)·W_c(rest)ᵀ: the character takes over the joint's rotation itself. Skeletons are the same
// if joints of equal names have equal local translations, up to one factor, and a joint branches in a plane. Then
// translations and scales of all joints are taken over too, and the keys of the motion as they are, as far as a joint
// and its parent follow a joint and its parent.
//
// # Translations
//
// The hips and the joints above them move, at places p(t) in world space, by
//
//	p_c(t) = p_c(rest) + k·(A·p_s(t) − A·p_s(rest))
//
// where k is the length of the character's legs over the motion's: thigh and shin, the mean of left and right. Without
// legs it is the length of all matched bones. So a step is as long as the legs allow, and travel is kept. Files of
// motion capture rest with the hips at the origin, which is no place to stand at. Where the hips rest lower than half a
// leg, heights are measured from the feet: the height of the legs' beginning above the lowest foot at rest of the
// character is k times that above the lowest foot of the clip. All other joints keep the translations of the character: its proportions.
//
// # Keys
//
// Clips have the keys of the motion: rotations are computed at all key times of the joints that are followed, and
// between keys that are more than 1/30 s apart. Joints without a match stay at rest, as do morph targets, unless the
// other model has morph targets of the same names.
package retarget
