uniform mat4 lightMatrix;

layout(location = 6) in vec2 uv;
layout(location = 15) in vec4 vertexColor;

out vec2 surfaceUV;
out vec4 surfaceColor;

void main() {
	vec3 position, normal;
	readVertex(position, normal);
	surfaceUV = uv;
	surfaceColor = vertexColor;
	gl_Position = lightMatrix * vec4(position, 1);
}
