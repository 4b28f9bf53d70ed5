uniform mat4 lightMatrix;

void main() {
	vec3 position, normal;
	readVertex(position, normal);
	gl_Position = lightMatrix * vec4(position, 1);
}
