uniform vec4 baseColor;           // linear
uniform sampler2D baseTexture;    // sRGB, decoded by the sampler
uniform bool textured;
uniform float alphaCutoff;        // 0: none
uniform bool blended;

in vec2 surfaceUV;

// The material's base colour, times a vertex's; where the material is cut out, nothing is drawn.
vec4 cutOut(vec4 vertex) {
	vec4 base = baseColor * vertex;
	if (textured)
		base *= texture(baseTexture, surfaceUV);
	if (alphaCutoff > 0.0) {
		// The edge is one pixel wide whatever the scale; alpha to coverage turns it into smooth samples.
		base.a = clamp((base.a - alphaCutoff) / max(fwidth(base.a), 1e-4) + 0.5, 0.0, 1.0);
		if (base.a < 0.01)
			discard;
	} else if (!blended) {
		base.a = 1.0;
	}
	return base;
}
