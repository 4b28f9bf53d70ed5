//go:build sixthmethod

package skinning

// With the build tag sixthmethod there is one more method, named sixth, so that tests see that its row is all that a
// method needs: a copy of linear blending under another name, that blend bones can be samples of. No kernel drives
// those.
func init() {
	sixth := methods[LBS]
	sixth.name, sixth.short, sixth.title, sixth.note = "sixth", "SIX", "Sixth method", "Linear blending under another name."
	sixth.color, sixth.operator = [3]uint8{0xd5, 0x5e, 0x00}, true
	methods = append(methods, sixth)
}
