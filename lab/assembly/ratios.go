package main

import (
	_ "embed"
	"fmt"
	"go/format"
	"strconv"
	"strings"
)

// The intrinsic mean makes unit quaternions (v, c) into their logarithms κ(c)·v, and needs γ = −dκ/dc as well; package
// kernel's logarithmRatio derives both. They are polynomials, whose coefficients rise in power, here and nowhere
// else: the kernels are made from them, and so are [ratiosInGo] and [ratiosInGLSL].

// In 1 − |c|, for float32, of least relative error by Remez's exchange: where c is from nearCosine on, within 6.2e-9
// and 9.1e-7, and up to a right angle, within 1.2e-8 and 1.1e-6.
var (
	nearKappa = []float64{1.000000006148536, 0.33333214316439663, 0.13337065719045435, 0.05670861294936474,
		0.027761088761919968, 0.00515495649424941, 0.01318973672030224}
	nearGamma = []float64{0.3333330320109029, 0.2667108405417729, 0.17040127147586306, 0.11011443891473338,
		0.026936401498151873, 0.07882258822487204}
	kappaSeries = []float64{0.99999998850274185, 0.3333355884196168, 0.13326088351303353, 0.058037706478790037,
		0.019848678892516094, 0.030985711661458238, -0.035150959918470108, 0.052578770739390143, -0.033457436248451398,
		0.01135737669442052}
	gammaSeries = []float64{0.33333366751205334, 0.26661085134055834, 0.17293470073086054, 0.086236974971647701,
		0.13437774849830719, -0.17691252124582235, 0.33723438926110566, -0.25362858748148481, 0.099811773876614315}
)

// In 1 − c, for float64, likewise: up to blendReach, within 1.7e-13 and 2.4e-12.
var (
	blendKappa = []float64{1.00000000000016849, 0.333333333242837023, 0.133333341310569549, 0.0571425873404178476,
		0.0254013746511186319, 0.0115012367594544479, 0.00556133607022227465, 0.00176265165151844137,
		0.00230712959183026549}
	blendGamma = []float64{0.333333333334138775, 0.266666666228166091, 0.171428610499801481, 0.101585969039188001,
		0.0577426700653773075, 0.031754457922464186, 0.0185726435514488518, 0.00574047519710525825,
		0.0106346187710083732}
)

// Up to blendWideReach, within 1.8e-13 and 4.5e-12: interpolated where Chebyshev's polynomial of degree 15 is zero.
var (
	blendWideKappa = []float64{1.0000000000001446, 0.33333333326109904, 0.13333333929669675, 0.057142663654637674,
		0.025400097785887414, 0.011510859877891135, 0.0055458228023524975, 0.0015127269603432338,
		0.004214794534236597, -0.00619082016338467, 0.01083486350970197, -0.011384992646728468,
		0.008402119959837558, -0.0036318095477163017, 0.0007733248991058393}
	blendWideGamma = []float64{0.33333333333481924, 0.2666666659244863, 0.17142863268508463, 0.10158531493123966,
		0.0577536350200101, 0.03162817675941666, 0.019635144787200635, -0.0005942742067721542,
		0.03605790071668143, -0.06602326877185943, 0.10866152521040295, -0.11560879071494999,
		0.0842073495531667, -0.03628740673348734, 0.0075560334195193}
)

// The limits of the iterations for the intrinsic mean. This block is copied into package kernel, see [ratiosInGo].
const (
	// A step of [intrinsicMean] ends the iteration when the mean is off by less than this half angle, in radians: four
	// times the rounding of one sum, and far below what a position shows.
	intrinsicTolerance = 4e-7
	// Motions farther apart than Newton's method bears take many smaller steps. Opposite motions, whose mean is
	// undefined, never end.
	intrinsicLimit = 32
	// Up to this determinant of M a step is the mean itself, which is the iteration of Kavan et al.
	intrinsicSingular = 0.05
	// Up to this determinant of M the dual part is not solved for.
	intrinsicFlat = 1e-6
	// From this cosine on [nearKappa] and [nearGamma] hold: half angles up to 60 degrees.
	nearCosine = 0.5
	// The square of an axis is at least this: opposite motions, whose logarithm has no axis, get a finite one.
	leastAxis = 1e-14

	// A step of [MotionMean] ends the iteration when the mean is off by less than this half angle, in radians. A point
	// moves by twice this fraction of its distance from the bone, and mostly by far less, as the next step squares the
	// error.
	blendTolerance = 2e-10
	// From the linear blend three steps nearly always do. Motions that need more are so far apart that the float64
	// reference decides.
	blendSteps = 8
	// Up to this 1 − cos of a half angle, motions turned by 91 degrees from their mean, [blendKappa] and [blendGamma]
	// hold.
	blendReach = 0.3
	// Up to this determinant of the derivative the float64 reference decides.
	blendRegular = 0.05
)

//go:embed ratios.go
var source string

// horner writes a polynomial in x by Horner's rule, four coefficients to a line.
func horner(c []float64, x string, number func(float64) string) string {
	var out strings.Builder
	for i, a := range c[:len(c)-1] {
		out.WriteString(number(a) + " +")
		if i%4 == 3 {
			out.WriteString("\n\t\t")
		} else {
			out.WriteString(" ")
		}
		out.WriteString(x + " * ")
		if i < len(c)-2 {
			out.WriteString("(")
		}
	}
	return out.String() + number(c[len(c)-1]) + strings.Repeat(")", len(c)-2)
}

// ratiosInGo returns skinning/kernel/logarithmratios.go.
func ratiosInGo() []byte {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	var out strings.Builder
	out.WriteString("// Code generated by go generate ./skinning/simd. DO NOT EDIT.\n\npackage kernel\n")
	_, limits, _ := strings.Cut(source, "\nconst (")
	limits, _, _ = strings.Cut(limits, "\n)\n")
	out.WriteString("\n// The limits of the iterations for the intrinsic mean.\nconst (" + limits + "\n)\n")
	for _, f := range []struct {
		name, doc string
		c         []float64
	}{
		{"nearKappa", "κ in 1 − |c| up to 60 degrees, see [logarithmRatio]", nearKappa},
		{"nearGamma", "γ there", nearGamma},
		{"wideKappa", "κ up to a right angle", kappaSeries},
		{"wideGamma", "γ there", gammaSeries},
	} {
		fmt.Fprintf(&out, "\n// %s is %s.\nfunc %s(y float32) float32 {\n\treturn %s\n}\n", f.name, f.doc, f.name,
			horner(f.c, "y", number))
	}
	for _, f := range []struct {
		name, doc string
		c         []float64
	}{
		{"blendKappa", "κ in 1 − c up to blendReach, of it, its square and its fourth power", blendKappa},
		{"blendGamma", "γ there", blendGamma},
	} {
		pair := func(i int) string { return number(f.c[i]) + "+" + number(f.c[i+1]) + "*t" }
		const body = "\treturn %s + t2*(%s) +\n\t\tt4*(%s+\n\t\tt2*(%s)+%s*t4)\n"
		fmt.Fprintf(&out, "\n// %s is %s.\nfunc %s(t, t2, t4 float64) float64 {\n"+body+"}\n",
			f.name, f.doc, f.name, pair(0), pair(2), pair(4), pair(6), number(f.c[8]))
	}
	text, err := format.Source([]byte(out.String()))
	if err != nil {
		panic(err)
	}
	return text
}

// ratiosInGLSL returns shaders/logarithm.glsl.
func ratiosInGLSL() []byte {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 10, 64) }
	return fmt.Appendf(nil, `// Written by go generate ./skinning/simd: change it there.

// A step of the intrinsic mean ends the iteration when the mean is off by less than this half angle, in radians;
// motions farther apart than Newton's method bears take many smaller steps. Then the determinants of M up to which a
// step is the mean itself, and up to which the dual part is not solved for. As in kernel.Iterative.
const float DIB_TOLERANCE = %g;
const int DIB_LIMIT = %d;
const float DIB_SINGULAR = %g;
const float DIB_FLAT = %g;

// The logarithm of a unit quaternion r = (v, c) is k v with k = acos(c)/sqrt(1 - c^2). Returns k and g = -dk/dc, which
// Newton's method on logarithms needs. Both are power series in 1 - c; these polynomials of least relative error hold
// up to a right half angle, within 1.1e-8 and 1.1e-6, and past it k(c) = pi/sqrt(1 - c^2) - k(-c). There is no
// cancellation, so float32 is enough at any angle. CPU twin: logarithmRatio in package kernel.
vec2 logarithmRatio(vec4 r) {
	float c = r.w, y = 1.0 - abs(c);
	float k = %s;
	if (c >= 0.0) {
		float g = %s;
		return vec2(k, g);
	}
	float n = inversesqrt(max(dot(r.xyz, r.xyz), %g)); // of opposite motions, which have no axis, a finite one
	k = 3.14159265359 * n - k;
	return vec2(k, (1.0 - k * c) * n * n);
}
`, intrinsicTolerance, intrinsicLimit, intrinsicSingular, intrinsicFlat, horner(kappaSeries, "y", number),
		horner(gammaSeries, "y", number), leastAxis)
}
