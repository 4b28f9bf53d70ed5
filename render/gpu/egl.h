/* A headless OpenGL 4.1 core context through EGL, which is loaded at run time. */
#ifndef SKINLAB_EGL_H
#define SKINLAB_EGL_H

typedef struct {
	void *library, *display, *context;
} skinlab_egl;

/* Returns 1 and fills e, or returns 0 and writes the reason. With debug, the context reports every error. */
int skinlab_egl_open(skinlab_egl *e, int debug, char *reason, int size);
void *skinlab_egl_address(skinlab_egl *e, const char *name);
void skinlab_egl_close(skinlab_egl *e);

#endif
