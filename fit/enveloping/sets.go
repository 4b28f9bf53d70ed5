package enveloping

import (
	"skinlab/fit/training"
	"skinlab/skinning"
)

// FromSet makes the examples of a training set, whose poses are settled, for a model. Those that go too far from the
// origin are an error, see [training.Examples.Check].
func FromSet(m *skinning.Model, set *training.Set) (*Examples, error) {
	s, err := set.Examples(m)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	x, err := NewExamples(s.Model, s.Frames, s.Targets)
	if err == nil && s.Morphed != nil {
		shapes := make([]MorphedShape, len(s.Morphed))
		for i := range shapes {
			shapes[i] = MorphedShape(s.Morphed[i])
		}
		err = x.AddMorphedShapes(shapes)
	}
	return x, err
}
