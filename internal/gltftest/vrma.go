package gltftest

import (
	"fmt"
	"math"
	"strings"
)

// VRMA returns a VRM animation as VRMC_vrm_animation 1.0 has it: nodes without a mesh at rest in a T-pose that looks
// along +Z, named by numbers alone, which the extension says to be the bones of a body; an expression; and a clip of a
// second: the left arm rises by 60°, the right one falls by 70°, the left knee bends by 50°, and the hips walk 1 m
// ahead.
func VRMA() *Builder {
	b := NewBuilder()
	bones, parent := Object{}, map[string]int{}
	bone := func(name, above string, x, y, z float64) {
		i := b.Push("nodes", Object{"name": fmt.Sprintf("node_%d", len(bones)), "translation": List{x, y, z}})
		bones[name], parent[name] = Object{"node": i}, i
		if above != "" {
			up := b.Doc["nodes"].(List)[parent[above]].(Object)
			children, _ := up["children"].(List)
			up["children"] = append(children, i)
		}
	}
	bone("hips", "", 0, 0.95, 0)
	bone("spine", "hips", 0, 0.1, 0)
	bone("chest", "spine", 0, 0.15, 0)
	bone("neck", "chest", 0, 0.25, 0)
	bone("head", "neck", 0, 0.1, 0)
	for k, side := range []string{"left", "right"} {
		x := float64(1 - 2*k)
		bone(side+"Shoulder", "chest", 0.05*x, 0.2, 0)
		bone(side+"UpperArm", side+"Shoulder", 0.1*x, 0, 0)
		bone(side+"LowerArm", side+"UpperArm", 0.27*x, 0, 0)
		bone(side+"Hand", side+"LowerArm", 0.25*x, 0, 0)
		bone(side+"UpperLeg", "hips", 0.09*x, -0.05, 0)
		bone(side+"LowerLeg", side+"UpperLeg", 0, -0.42, 0)
		bone(side+"Foot", side+"LowerLeg", 0, -0.4, 0)
		bone(side+"Toes", side+"Foot", 0, -0.06, 0.12)
	}
	smile := b.Push("nodes", Object{"name": "smile"})
	b.Push("scenes", Object{"nodes": List{parent["hips"], smile}})
	b.Doc["scene"], b.Doc["extensionsUsed"] = 0, List{"VRMC_vrm_animation"}
	b.Doc["extensions"] = Object{"VRMC_vrm_animation": Object{"specVersion": "1.0",
		"humanoid":    Object{"humanBones": bones},
		"expressions": Object{"preset": Object{"happy": Object{"node": smile}}}}}
	times := b.Accessor(Float, "SCALAR", 0, 1)
	var samplers, channels List
	move := func(node int, path string, values ...float64) {
		shape := map[string]string{"rotation": "VEC4", "translation": "VEC3"}[path]
		channels = append(channels, Object{"sampler": len(samplers), "target": Object{"node": node, "path": path}})
		samplers = append(samplers, Object{"input": times, "output": b.Accessor(Float, shape, values...)})
	}
	turn := func(name, axis string, degrees float64) {
		key := []float64{0, 0, 0, 1, 0, 0, 0, 0}
		key[4+strings.Index("xyz", axis)], key[7] = math.Sincos(degrees * math.Pi / 360)
		move(parent[name], "rotation", key...)
	}
	turn("leftUpperArm", "z", 60)
	turn("rightUpperArm", "z", 70)
	turn("leftLowerLeg", "x", 50)
	move(parent["hips"], "translation", 0, 0.95, 0, 0, 0.95, 1)
	move(smile, "translation", 0, 0, 0, 1, 0, 0)
	b.Push("animations", Object{"name": "wave", "samplers": samplers, "channels": channels})
	return b
}
