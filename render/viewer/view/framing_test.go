package view

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/picture"
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
