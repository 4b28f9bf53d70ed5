package state

// Handle is what the handles in the picture do with the picked joint.
type Handle uint8

const (
	Turn  Handle = iota
	Move         // where the joint may move, else they turn it
	Reach        // they move the end of a limb, and the limb follows; they turn other joints
)

// SkinView chooses the colours of the skin: the file's materials or others.
type SkinView uint8

// The views of the skin, in the order in which a key goes through them.
const (
	SkinPlain      SkinView = iota // the materials, or clay
	SkinWeights                    // the weight of the picked joint
	SkinInfluences                 // the number of joints that move a vertex
	SkinNormals                    // the direction of the normal
	SkinViews                      // their number
)

// String returns the name that the interface shows.
func (v SkinView) String() string {
	return [...]string{"Materials", "Joint's weights", "Influences", "Normals"}[v]
}

// StepSkin goes to the next view of the skin or to the one before, around at the ends.
func (s *State) StepSkin(by int) {
	n := int(SkinViews)
	s.Skin = SkinView(((int(s.Skin)+by)%n + n) % n)
	if by != 0 {
		s.Heat, s.Paint = false, false // the heat map would hide what was asked for, which hides the paint
	}
}

// FollowTab shows the skeleton while the page for posing joints is shown, and where a model has no mesh. It hides it
// afterwards, unless the user has shown or hidden it.
func (s *State) FollowTab() {
	on := s.Tab == TabPose || s.Bare
	switch {
	case on && !s.onPose && !s.Skeleton:
		s.Skeleton, s.lent = true, true
	case !on && s.lent:
		s.Skeleton, s.lent = false, false
	}
	s.onPose = on
}

// ToggleNames shows or hides the names of joints. Showing names shows the skeleton too.
func (s *State) ToggleNames() {
	s.Names = !s.Names
	if s.Names && !s.Skeleton {
		s.ToggleSkeleton()
	}
}

// ToggleSkeleton shows or hides the skeleton, whatever page is shown.
func (s *State) ToggleSkeleton() { s.Skeleton, s.lent = !s.Skeleton, false }
