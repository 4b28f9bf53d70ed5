package gltf

import (
	"strconv"

	"github.com/qmuntal/gltf"

	"skinlab/assets/strictjson"
)

// enums are the enumerations of glTF 2.0 as files write them.
var enums = func() strictjson.Enums {
	all := strictjson.Enums{}
	strictjson.AddEnum(all, map[string]gltf.ComponentType{"5120": gltf.ComponentByte, "5121": gltf.ComponentUbyte,
		"5122": gltf.ComponentShort, "5123": gltf.ComponentUshort, "5125": gltf.ComponentUint,
		"5126": gltf.ComponentFloat})
	strictjson.AddEnum(all, map[string]gltf.PrimitiveMode{"0": gltf.PrimitivePoints, "1": gltf.PrimitiveLines,
		"2": gltf.PrimitiveLineLoop, "3": gltf.PrimitiveLineStrip, "4": gltf.PrimitiveTriangles,
		"5": gltf.PrimitiveTriangleStrip, "6": gltf.PrimitiveTriangleFan})
	strictjson.AddEnum(all, map[string]gltf.MagFilter{"9728": gltf.MagNearest, "9729": gltf.MagLinear})
	strictjson.AddEnum(all, map[string]gltf.MinFilter{"9728": gltf.MinNearest, "9729": gltf.MinLinear,
		"9984": gltf.MinNearestMipMapNearest, "9985": gltf.MinLinearMipMapNearest,
		"9986": gltf.MinNearestMipMapLinear, "9987": gltf.MinLinearMipMapLinear})
	strictjson.AddEnum(all, map[string]gltf.WrappingMode{"10497": gltf.WrapRepeat, "33071": gltf.WrapClampToEdge,
		"33648": gltf.WrapMirroredRepeat})
	strictjson.AddEnum(all, quoted(gltf.AccessorScalar, gltf.AccessorVec2, gltf.AccessorVec3, gltf.AccessorVec4,
		gltf.AccessorMat2, gltf.AccessorMat3, gltf.AccessorMat4))
	strictjson.AddEnum(all, quoted(gltf.AlphaOpaque, gltf.AlphaMask, gltf.AlphaBlend))
	strictjson.AddEnum(all, quoted(gltf.InterpolationLinear, gltf.InterpolationStep, gltf.InterpolationCubicSpline))
	strictjson.AddEnum(all, quoted(gltf.TRSTranslation, gltf.TRSRotation, gltf.TRSScale, gltf.TRSWeights))
	return all
}()

// quoted maps the names of values, as JSON texts, to the values.
func quoted[T interface{ String() string }](values ...T) map[string]T {
	out := map[string]T{}
	for _, v := range values {
		out[strconv.Quote(v.String())] = v
	}
	return out
}
