package picture

import (
	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/environment"
	"skinlab/render/gpu"
)

// surroundings are the light of materials on the GPU: the last one that a picture had.
type surroundings struct {
	owner gpu.Owner
	of    *environment.Light
	cube  *gpu.Texture
	table *gpu.Texture // of the split sum, made with the first light
}

// ready uploads a light unless it is there.
func (s *surroundings) ready(of *environment.Light) error {
	if s.of == of {
		return nil
	}
	s.Delete()
	s.table = gpu.NewTexture(&s.owner, gl.RG16F, environment.TableSize, environment.TableSize, gl.LINEAR)
	s.table.SetPairs(environment.TableSize, environment.TableSize, environment.Table())
	levels := make([][6][]mgl32.Vec3, len(of.Levels))
	for k := range levels {
		levels[k] = of.Levels[k].Faces
	}
	s.cube = gpu.NewCubeTexture(&s.owner, "surroundings", of.Levels[0].Size, levels)
	if err := s.owner.Err(); err != nil {
		s.Delete()
		return err
	}
	s.of = of
	return nil
}

func (s *surroundings) bind() {
	s.cube.Bind(gpu.UnitSurroundings)
	s.table.Bind(gpu.UnitReflection)
}

// Delete may be called again. Ready makes it anew.
func (s *surroundings) Delete() {
	s.owner.Delete()
	s.of = nil
}
