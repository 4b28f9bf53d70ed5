// One triangle that covers the screen, without a vertex buffer.
out vec2 screen;

void main() {
	screen = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
	gl_Position = vec4(2.0 * screen - 1.0, 0, 1);
}
