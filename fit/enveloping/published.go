package enveloping

// published says which steps are the paper's, in place of ours; the package comment names the differences. With the
// zero value a fit takes none of them.
type published struct {
	ssd       bool // section 4.2: trained SSD knows nothing of the rig's weights
	clusters  bool // section 5.1: a group that another one joins keeps its transformations until step 4
	count     bool // section 5: as many proxies as asked for
	joints    bool // section 3.2: each key is predicted from the joint, of all, that predicts it best
	priors    bool // there are the examples and nothing else
	second    bool // section 3.2, at the end: a second joint is fitted to the rotations that the first leaves
	keys      bool // section 5.2: β and D_ℓ by coordinate descent
	shear     bool // section 3.3: S is that of the polar decomposition, and H is least squares without a ridge
	holds     bool // section 4.3: proxies are held to nothing, but for what makes the system definite
	positions bool // section 4.3: c₁ and c₂ are those of the reduced Poisson solve
	weights   bool // section 5.1: the weights are those of the vertex reduction
}

// published returns the steps of the options.
func (o *Options) published() published {
	if !o.AsPublished {
		return published{}
	}
	return published{true, true, true, true, true, true, true, true, true, true, true}
}

// withoutRig returns the examples without the rig's weights.
func (x *Examples) withoutRig() *Examples {
	out := *x
	out.Rigged = nil
	return &out
}
