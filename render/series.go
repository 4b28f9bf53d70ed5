package render

import (
	"context"
	"image"

	"skinlab/render/picture"
	"skinlab/skinning"
)

// Series makes a headless context and draws pictures of a model, one after the other: set fills in the scene of each
// before it is drawn, and keep is handed the picture. It ends with the error of either, or with ctx's.
func Series(ctx context.Context, m *skinning.Model, pictures int, set func(k int, s *picture.Scene),
	tell func(done, of int), keep func(k int, img *image.NRGBA) error) error {
	return WithHeadless(func(r *Renderer) error {
		if err := r.SetModel(m); err != nil {
			return err
		}
		for k := range pictures {
			var scene picture.Scene
			set(k, &scene)
			img, err := r.Large(ctx, &scene, tell)
			if err == nil {
				err = keep(k, img)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
