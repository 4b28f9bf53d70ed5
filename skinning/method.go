package skinning

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// Method is a way to skin: the number of a row in the table of methods.
type Method uint8

// These are the direct methods. Each poses a vertex from its own weights and the master joints only.
const (
	LBS        Method = iota // linear blending
	DQS                      // dual quaternions, linearly blended
	SDQS                     // scale-supporting dual quaternions: scale blended linearly, then DQS
	DIB                      // dual quaternion iterative blending: the intrinsic mean
	SBS                      // spherical blending about a rotation centre per joint set
	TwistSwing               // twists blended as dual quaternions, then swings linearly
	COR                      // one blended rotation about a centre of rotation per vertex
)

// methodRow has all properties of a direct method. All lists of methods, and all code that depends on the method, use
// the rows. So a new method is a new row.
//
// No function of a row keeps its arguments. They take and return values, not pointers: a variable whose address goes
// through a function of a table is allocated on the heap.
type methodRow struct {
	name  string // on the command line
	short string // in the window, where there is little room
	title string
	note  string // what it does, in a line or two
	cost  string
	color [3]uint8 // of its curves: red, green and blue
	reads Forms
	// inputs are what the method reads of each vertex besides its place, normal and influences.
	inputs []*Input

	// reference returns Φ for shares whose first is the pivot (ALNS section 3). Center is the rotation centre of their
	// joints where the method reads centres. The forms that it reads are current, as for all functions of a row.
	reference func(f *Frame, shares []Share, center mgl64.Vec3) geom.Affine
	// evaluate does the same faster, for weights u over one to four joints. The pivot is the joint of the largest
	// weight. It finds the rotation centre itself.
	evaluate func(f *Frame, joints []uint16, u []float64, pivot int) geom.Affine
	// vertex is the reference for a vertex whose model has inputs of the method: for the shares of its second weight
	// set, the pivot first, which are its shares where there is no such set; and the numbers of all inputs. It is nil
	// for methods without inputs.
	vertex func(f *Frame, shares, second []Share, values [valuesPerVertex]float32) geom.Affine
	kernel kernel.Func // poses a stream in float32
	// shader is the file in package shaders with the GPU's function.
	shader string

	// operator is set if blend bones can sample the method, so that linear blending imitates it.
	operator bool
	// losesScale says that the scale of joints is lost on the way.
	losesScale bool
	// bones evaluates blend bones four at a time: see [Method.BoneKernel]. Without it they are evaluated one by one.
	bones BoneKernel
}

// BoneKernel evaluates blend bones by a kernel of package simd: their masters' parts are in the records of memory, and
// it writes the bones' matrices there. Scaled says that the records have scales; centers is nil but for a method that
// reads rotation centres.
type BoneKernel func(memory simd.Drive, bones []simd.BlendGroup, centers []simd.CenterGroup, scaled bool)

func blendDual(memory simd.Drive, bones []simd.BlendGroup, _ []simd.CenterGroup, scaled bool) {
	simd.BlendDual(&memory, bones, scaled)
}

func blendMean(memory simd.Drive, bones []simd.BlendGroup, _ []simd.CenterGroup, _ bool) {
	simd.BlendMean(&memory, bones)
}

func blendCenter(memory simd.Drive, bones []simd.BlendGroup, centers []simd.CenterGroup, _ bool) {
	simd.BlendCenter(&memory, bones, centers)
}

// methods is the table, by [Method]: the order in which the interface lists them. Colours are those of Okabe and Ito
// (2008), which people with any colour vision can distinguish. Their order keeps neighbours different.
var methods = []methodRow{
	LBS: {
		name: "lbs", short: "LBS", title: "Linear blend",
		note: "One blended matrix per vertex. Twists collapse like a candy wrapper.",
		cost: "lowest cost", color: [3]uint8{0xe6, 0x9f, 0x00},
		reference: linearReference, evaluate: (*Frame).evaluateLinear, shader: "lbs.glsl",
		kernel: kernel.Linear,
	},
	DQS: {
		name: "dqs", short: "DQS", title: "Dual quaternion",
		note: "One blended dual quaternion per vertex. Twists keep their volume, bends bulge. No scale.",
		cost: "low cost", color: [3]uint8{0x56, 0xb4, 0xe9}, reads: RigidParts,
		reference: dualReference, evaluate: (*Frame).evaluateDual, shader: "dqs.glsl",
		kernel:   kernel.DualQuaternion,
		operator: true, losesScale: true, bones: blendDual,
	},
	SDQS: {
		name: "sdqs", short: "SDQS", title: "DQ with scale",
		note: "Scale blended linearly, then one dual quaternion per vertex.",
		cost: "medium cost", color: [3]uint8{0x00, 0x9e, 0x73}, reads: RigidParts | Scales,
		reference: scaleDualReference, evaluate: (*Frame).evaluateScaleDual, shader: "sdqs.glsl",
		kernel:   kernel.ScaleDualQuaternion,
		operator: true, bones: blendDual,
	},
	DIB: {
		name: "dib", short: "DIB", title: "DQ, iterative",
		note: "Iterates to the intrinsic mean of the joints' motions at every vertex.",
		cost: "high cost", color: [3]uint8{0xf0, 0xe4, 0x42}, reads: RigidParts | Scales,
		reference: iterativeReference, evaluate: (*Frame).evaluateMean, shader: "dib.glsl",
		kernel:   kernel.Iterative,
		operator: true, bones: blendMean,
	},
	SBS: {
		name: "sbs", short: "SBS", title: "Spherical blend",
		note: "One blended rotation per vertex about a centre fitted to its joints in every frame. No scale.",
		cost: "low cost on the GPU, centres on the CPU", color: [3]uint8{0xcc, 0x79, 0xa7}, reads: RigidParts | Centers,
		reference: (*Frame).blendSpherical, evaluate: (*Frame).turnAboutCenter, shader: "sbs.glsl",
		kernel:   kernel.Spherical,
		operator: true, losesScale: true, bones: blendCenter,
	},
	TwistSwing: {
		name: "twist-swing", short: "TS", title: "Twist-swing",
		note: "Twists about the bones as dual quaternions, then swings linearly. Twists keep their volume, bends do not bulge.",
		cost: "medium cost", color: [3]uint8{0x00, 0x72, 0xb2}, reads: Twists,
		inputs:    []*Input{&TwistWeights},
		reference: twistSwingReference, evaluate: (*Frame).evaluateTwistSwing, vertex: twistSwing, shader: "twistswing.glsl",
		kernel:   kernel.TwistSwing,
		operator: true,
	},
	COR: {
		name: "cor", short: "COR", title: "Centres of rotation",
		note: "One blended rotation per vertex about its own centre, found once among vertices of like weights. Scale blended linearly.",
		cost: "low cost, centres once per model", color: [3]uint8{0xd5, 0x5e, 0x00}, reads: RigidParts | Scales | Motions,
		inputs:    []*Input{&RotationCenter},
		reference: (*Frame).corReference, evaluate: (*Frame).evaluateCOR, vertex: corVertex, shader: "cor.glsl",
		kernel:   kernel.CenterOfRotation,
		operator: true,
	},
}

// row returns the method's row, and panics where it has none: that is a caller's bug.
func (m Method) row() *methodRow {
	if int(m) >= len(methods) {
		panic(fmt.Sprintf("skinning: %v is none of the %d methods", m, len(methods)))
	}
	return &methods[m]
}

// Methods returns all direct methods in the order in which the interface lists them.
func Methods() []Method {
	all := make([]Method, len(methods))
	for i := range all {
		all[i] = Method(i)
	}
	return all
}

// Operators returns the methods that blend bones can be samples of.
func Operators() (all []Method) {
	for _, m := range Methods() {
		if m.IsOperator() {
			all = append(all, m)
		}
	}
	return all
}

// ListMethods joins the names that name returns for the methods, with between after each, and last between the last
// two.
func ListMethods(of []Method, name func(Method) string, between, last string) string {
	var list strings.Builder
	for i, m := range of {
		switch {
		case i == 0:
		case i == len(of)-1:
			list.WriteString(last)
		default:
			list.WriteString(between)
		}
		list.WriteString(name(m))
	}
	return list.String()
}

// String returns the name on the command line: "lbs", "dqs", ...
func (m Method) String() string {
	if int(m) < len(methods) {
		return methods[m].name
	}
	return fmt.Sprintf("method(%d)", uint8(m))
}

// Title returns the name for people.
func (m Method) Title() string {
	if int(m) < len(methods) {
		return methods[m].title
	}
	return m.String()
}

// Short returns the name for people where there is little room.
func (m Method) Short() string { return m.row().short }

// Note says in a line or two what the method does.
func (m Method) Note() string { return m.row().note }

// Cost returns the method's cost for a vertex on the GPU in words, "low cost", relative to [LBS]; bench measures it.
func (m Method) Cost() string { return m.row().cost }

// Color returns red, green and blue of the method's curves, sRGB.
func (m Method) Color() [3]uint8 { return m.row().color }

// Reads returns what the method reads of a frame besides its matrices.
func (m Method) Reads() Forms { return m.row().reads }

// Kernel returns what poses a stream by the method in float32.
func (m Method) Kernel() kernel.Func { return m.row().kernel }

// BoneKernel returns what evaluates blend bones four at a time, nil for none.
func (m Method) BoneKernel() BoneKernel { return m.row().bones }

// Shader returns the file of package shaders with the method's function.
func (m Method) Shader() string { return m.row().shader }

// IsOperator reports whether blend bones can be samples of the method. [LBS] needs none.
func (m Method) IsOperator() bool { return m.row().operator }

// LosesScale reports whether a fit that imitates the method loses the scale of joints.
func (m Method) LosesScale() bool { return m.row().losesScale }

// ParseMethod is the inverse of [Method.String].
func ParseMethod(name string) (Method, error) {
	for m := range methods {
		if methods[m].name == name {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("method %q: not one of %s", name, ListMethods(Methods(), Method.String, ", ", ", "))
}
