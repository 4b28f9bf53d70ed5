uniform mat4 lightMatrix;

layout(location = 6) in vec2 uv;

out vec2 surfaceUV;

void main() {
	vec3 position, normal;
	readVertex(position, normal);
	surfaceUV = uv;
	gl_Position = lightMatrix * vec4(position, 1);
}
