package view

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
)

// The camera follows along the floor, and not up and down; it starts from where it is.
func TestFollow(t *testing.T) {
	v := View{Camera: picture.Camera{Target: mgl32.Vec3{1, 1, 1}}}
	v.FollowTo(mgl32.Vec3{5, 0, 5}, true)
	v.FollowTo(mgl32.Vec3{6, 7, 3}, true)
	if want := (mgl32.Vec3{2, 1, -1}); v.Camera.Target != want {
		t.Errorf("it looks at %v, expected %v", v.Camera.Target, want)
	}
	v.FollowTo(mgl32.Vec3{9, 0, 9}, false)
	v.FollowTo(mgl32.Vec3{9, 0, 9}, true)
	v.Frame(nil)
	v.FollowTo(mgl32.Vec3{0, 0, 0}, true)
	if want := (mgl32.Vec3{2, 1, -1}); v.Camera.Target != want {
		t.Errorf("it looks at %v after it was framed anew, expected %v", v.Camera.Target, want)
	}
}

// A model that is out of the picture is brought there where it is sought and where following begins, and no other.
func TestSeek(t *testing.T) {
	s := state.New()
	v := View{Desk: &desk.Desk{State: &s}, Rect: ui.Rect{W: 300, H: 200}, Camera: picture.Camera{Distance: 4, FOV: 0.5}}
	near, far := mgl32.Vec3{0.1, 0.9, 0}, mgl32.Vec3{30, 0.9, 20}
	v.Seek()
	v.FollowTo(near, false)
	if v.Camera.Target != (mgl32.Vec3{}) {
		t.Errorf("it looks at %v, though the model is in the picture", v.Camera.Target)
	}
	v.FollowTo(far, false) // the pose that was sought comes a frame later
	if want := (mgl32.Vec3{30, 0, 20}); v.Camera.Target != want {
		t.Errorf("it looks at %v, expected %v", v.Camera.Target, want)
	}
	v.FollowTo(near, false)
	if v.Camera.Target[0] != 30 {
		t.Errorf("it looks at %v, though nobody sought the model", v.Camera.Target)
	}
	v.FollowTo(near, true)
	if want := (mgl32.Vec3{0.1, 0, 0}); v.Camera.Target != want {
		t.Errorf("it follows from %v, expected %v", v.Camera.Target, want)
	}
}
