//go:build sixthmethod

package skinning

// With the build tag sixthmethod there is one more method, named sixth. It is a copy of linear blending, which blend
// bones can sample; no kernel drives these bones. Tests with it show that a method needs nothing but its row.
func init() {
	sixth := methods[LBS]
	sixth.name, sixth.short, sixth.title, sixth.note = "sixth", "SIX", "Sixth method", "Linear blending under another name."
	sixth.color, sixth.operator = [3]uint8{0xd5, 0x5e, 0x00}, true
	methods = append(methods, sixth)
}
