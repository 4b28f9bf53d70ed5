#include "light.glsl"
#include "tone.glsl"

uniform float paint, line;    // how much lighter the floor and its lines are than in the dark studio; lines below 0 are darker
uniform sampler2D contactMap; // x: touching, y: the body above

in vec3 worldPosition;
out vec4 color;

// Coverage of grid lines one and a half pixels wide at spacing `cell`; lines closer than a few pixels melt into their mean.
float gridLines(vec2 at, float cell) {
	vec2 x = at / cell;
	vec2 width = fwidth(x);
	vec2 distance = abs(fract(x - 0.5) - 0.5);
	vec2 line = 1.0 - smoothstep(0.35 * width, 1.25 * width, distance);
	line = mix(line, 1.6 * width, smoothstep(0.12, 0.45, width));
	return clamp(max(line.x, line.y), 0.0, 1.0);
}

void main() {
	vec2 fromCenter = (worldPosition.xz - floorDisc.xz) / floorDisc.w;
	float away = length(fromCenter);
	float fade = 1.0 - smoothstep(0.12, 1.0, away);
	fade *= fade * cameraUp.w;
	if (fade <= 0.002)
		discard;
	// The floor fades towards the horizon too, where its lines would only flicker.
	vec3 view = eye.xyz - worldPosition;
	fade *= smoothstep(0.0, 0.12, view.y / length(view));
	vec2 at = (worldPosition.xz - contact.xy) / contact.z;
	vec2 shut = all(greaterThan(at, vec2(0))) && all(lessThan(at, vec2(1))) ? textureLod(contactMap, at, 0.0).rg : vec2(0);
	float room = (1.0 - 0.80 * clamp(shut.x, 0.0, 1.0)) * (1.0 - 0.62 * clamp(shut.y, 0.0, 1.0));
	float lit = keyLight(worldPosition, vec3(0, 1, 0));
	const vec3 ALBEDO = vec3(0.064, 0.0655, 0.0685);
	vec3 c = paint * ALBEDO * (floorKey.rgb * KEY * keyDirection.y * lit * mix(1.0, room, 0.55)
		+ floorRoom.rgb * (SKY * 0.9 + FILL * 0.11) * room);
	float minor = gridLines(worldPosition.xz, grid.x) * (1.0 - smoothstep(0.0, 0.55, away));
	float major = gridLines(worldPosition.xz, 10.0 * grid.x);
	c *= 1.0 + line * (0.26 * minor + 0.70 * major);
	color = vec4(toneMap(c), fade);
}
