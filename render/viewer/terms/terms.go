// Package terms is the glossary of the window: what its words mean, in which unit its numbers are, and where they come
// from. Tips take their sentences from here, and docs/glossary.md is made from the same table.
package terms

// Term is a word of the glossary, an index into its table.
type Term int

// The terms, in groups.
const (
	// Distances and volumes.
	EE Term = iota
	RMS
	Largest
	Reference
	Volume
	JointVolume
	LeastVolume
	OpenSkin
	HeatMap
	Size
	Objective
	// What goes wrong.
	CandyWrapper
	Collapse
	Bulge
	HemisphereFlip
	// Skinning.
	Rest
	Influence
	Palette
	RecomputedNormals
	Stress
	// Fits.
	BlendBone
	UWeights
	ProxyBone
	KeyGradient
	Turning
	HelperBone
	Coefficient
	Level
	BodyModel
	Training
	Baked
	// Costs.
	SkinPass
	PaletteTime
	Median
	Instance
	terms int = iota
)

// entry is a row of the table.
type entry struct {
	name   string // as the window writes it
	says   string // a sentence
	unit   string // of its number; "" for none
	source string // paper and section; "" where it is skinlab's own
}

// The papers, as the sources name them.
const (
	alns = "Kavan, Collins, O'Sullivan 2009"
	rter = "Wang, Pulli, Popović 2007"
	sbs  = "Kavan, Žára 2005"
	hbr  = "Mukai 2015"
	ebm  = "Fechteler, Hilsmann, Eisert 2016"
)

var table = [terms]entry{
	EE: {"EE", "The enveloping error, per cent from the reference: the distance to the reference over what the best single " +
		"joint of each vertex would leave, so that only the bending counts. 0 % is the reference, 100 % a stiff joint.", "%", alns + ", section 5; " + rter + ", section 7.1"},
	RMS: {"RMS", "The root of the mean squared distance between a vertex and its place in the reference.",
		"mm, or % of the diagonal", ""},
	Largest: {"Largest error", "The distance of the vertex that is farthest from its place in the reference.",
		"mm, or % of the diagonal", ""},
	Reference: {"Reference", "The method whose skin all others are measured against, on the same pose.", "", ""},
	Volume: {"Volume", "What the skin encloses, compared with its rest pose: a collapse loses volume and a bulge adds some.",
		"% of rest", ""},
	JointVolume: {"Volume at the joint", "What the skin encloses where it bends with the picked joint: a collapse there is too " +
		"small to show in the volume of all.", "% of rest", ""},
	LeastVolume: {"Volume of the region that loses most", "Of all regions that bend at a joint the one that has kept the least " +
		"of its volume, by the joint's name: where the skin collapses.", "% of rest", ""},
	OpenSkin: {"Open skin", "A skin with edges that have one triangle: its volume is measured with the holes closed.", "", ""},
	HeatMap:  {"Heat map", "The distance of every vertex from the reference as a colour of the skin.", "mm, or % of the diagonal", ""},
	Size:     {"% of diagonal", "A distance over the diagonal of the box around the model at rest.", "%", ""},
	Objective: {"Q", "What a body model minimises: squared distances from the scans, and the Laplacian that keeps the surface " +
		"smooth. It rises where the Laplacian's weight is raised.", "m²", ebm + ", section 4"},

	CandyWrapper: {"Candy wrapper", "The skin of a twisted limb shrinks to a point, as linear blending averages opposite rotations.",
		"", sbs + ", section 3"},
	Collapse: {"Collapse", "The skin of a bent joint caves in, as linear blending moves vertices along chords in place of arcs.",
		"", sbs + ", section 3"},
	Bulge: {"Bulge", "The skin of a bent joint swells, as dual quaternions move vertices on an arc about the joint.", "",
		ebm + ", section 2"},
	HemisphereFlip: {"Hemisphere flip", "A rotation has two quaternions, and near 180 degrees the shorter arc changes sides: " +
		"methods that blend quaternions then jump.", "", ""},

	Rest: {"Rest pose", "The pose in which the skin was bound to the skeleton.", "", ""},
	Influence: {"Influence", "A joint that moves a vertex, with the share that it has: its weight. The weights of a vertex sum to 1.",
		"", alns + ", section 3"},
	Palette: {"Palette", "The matrices that pose the skin, one for each joint and each added bone.", "", ""},
	RecomputedNormals: {"Recomputed normals", "Normals summed over the posed triangles around a vertex, in place of normals that are " +
		"skinned as the vertices are.", "", rter + ", section 6"},
	Stress: {"Stress clip", "A made clip that twists or bends the joints of any skeleton, to show what a method does to the skin.",
		"", ""},

	BlendBone: {"Blend bone", "An added bone that is a fixed mix of a few joints by a nonlinear method: linear blending over joints " +
		"and blend bones looks like that method.", "", alns + ", section 3"},
	UWeights: {"u-weights", "The shares of the joints in a blend bone; they sum to 1.", "", alns + ", section 3"},
	ProxyBone: {"Proxy bone", "An added bone that carries a part of the skin, placed by a sparse solve from learnt key gradients.",
		"", rter + ", section 5.1"},
	KeyGradient: {"Key gradient", "A turn and stretch of the skin that a fit has learnt to predict from joint angles; " +
		"all triangles are mixes of a few.", "", rter + ", section 5.2"},
	Turning: {"Turning", "How far the skin turns with the joint that drives it, u: 0 not at all, 1 as far.", "0 to 1",
		rter + ", section 3.2"},
	HelperBone: {"Helper bone", "An added bone that a polynomial of joint angles moves, turns and grows: people can edit its numbers.",
		"", hbr + ", section 5"},
	Coefficient: {"Coefficient", "What a power or product of joint angles is multiplied by in the motion of a helper bone.",
		"mm, rad or %, for angles in rad", hbr + ", section 5.3"},
	Level: {"Level of detail", "The first bones of a fit alone, with weights that are solved for these where the examples of the fit " +
		"are known.", "bones", ""},
	BodyModel: {"Body model", "A mesh, a skeleton and two sets of weights that are fitted to scans of a person in many poses.", "",
		ebm + ", section 4"},
	Training: {"Training poses", "The poses that a fit learns from.", "poses", alns + ", section 5"},
	Baked: {"Baked motion", "The keys that a file has for its added bones, which other programs play, in place of what drives them " +
		"live.", "", ""},

	SkinPass: {"ns a vertex", "The time that the GPU takes to pose the skin, over the number of its vertices.", "ns", ""},
	PaletteTime: {"Palette time", "The time that the processor takes to make the palette of a frame: joints, added bones and upload.",
		"µs", ""},
	Median:   {"Median, quartiles", "Half of the last frames took less than the median, and half lie between the quartiles.", "µs", ""},
	Instance: {"Instance", "A copy of the model in the crowd, posed by itself at its own time of the clip.", "", ""},
}

// tips are the texts of the terms' tips.
var tips = func() (tips [terms]string) {
	for t, e := range table {
		tips[t] = e.says
		if e.unit != "" {
			tips[t] += " Unit: " + e.unit + "."
		}
	}
	return tips
}()

// Tip returns what the term means, with its unit.
func (t Term) Tip() string { return tips[t] }
