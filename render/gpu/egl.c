/* The handful of EGL 1.5 that a surfaceless context needs, on Linux; other systems have no headless context. Declared here, from
   the Khronos registry's values, so that building needs neither EGL headers nor the library. */
#include "egl.h"
#include <stdio.h>
#include <string.h>

#ifdef __linux__
#include <dlfcn.h>
#include <stdint.h>
enum {
	EGL_NONE = 0x3038,
	EGL_EXTENSIONS = 0x3055,
	EGL_SURFACE_TYPE = 0x3033,
	EGL_PBUFFER_BIT = 0x0001,
	EGL_RENDERABLE_TYPE = 0x3040,
	EGL_OPENGL_BIT = 0x0008,
	EGL_OPENGL_API = 0x30A2,
	EGL_CONTEXT_MAJOR_VERSION = 0x3098,
	EGL_CONTEXT_MINOR_VERSION = 0x30FB,
	EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
	EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 0x0001,
	EGL_CONTEXT_OPENGL_DEBUG = 0x31B0,
	EGL_PLATFORM_SURFACELESS_MESA = 0x31DD,
	EGL_PLATFORM_DEVICE_EXT = 0x313F,
	MAX_DEVICES = 32
};

typedef void *(*get_proc_address)(const char *);
typedef const char *(*query_string)(void *, int32_t);
typedef void *(*get_platform_display)(unsigned, void *, const int32_t *);
typedef unsigned (*query_devices)(int32_t, void **, int32_t *);
typedef unsigned (*initialize)(void *, int32_t *, int32_t *);
typedef unsigned (*bind_api)(unsigned);
typedef unsigned (*choose_config)(void *, const int32_t *, void **, int32_t, int32_t *);
typedef void *(*create_context)(void *, void *, void *, const int32_t *);
typedef unsigned (*make_current)(void *, void *, void *, void *);
typedef unsigned (*destroy_context)(void *, void *);
typedef int32_t (*get_error)(void);

#define LOAD(type, name) type name = (type)dlsym(e->library, #name)

/* Tries one display: initialise, context without a surface, current. */
static int try_display(skinlab_egl *e, void *display, int debug, const char *platform, char *reason, int size) {
	LOAD(initialize, eglInitialize);
	LOAD(query_string, eglQueryString);
	LOAD(bind_api, eglBindAPI);
	LOAD(choose_config, eglChooseConfig);
	LOAD(create_context, eglCreateContext);
	LOAD(make_current, eglMakeCurrent);
	LOAD(destroy_context, eglDestroyContext);
	LOAD(get_error, eglGetError);
	int32_t major, minor;
	if (!display || !eglInitialize(display, &major, &minor)) {
		snprintf(reason, size, "EGL %s: no display", platform);
		return 0;
	}
	const char *have = eglQueryString(display, EGL_EXTENSIONS);
	void *config = 0;
	int32_t count = 0;
	const int32_t wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	/* Highest first: some drivers give exactly what is asked for. */
	static const int32_t minors[] = {6, 5, 3, 1};
	if (!have || !strstr(have, "EGL_KHR_surfaceless_context")) {
		snprintf(reason, size, "EGL %s: EGL_KHR_surfaceless_context is missing", platform);
	} else if (!eglBindAPI(EGL_OPENGL_API)) {
		snprintf(reason, size, "EGL %s: no desktop OpenGL", platform);
	} else {
		if (!strstr(have, "EGL_KHR_no_config_context"))
			eglChooseConfig(display, wanted, &config, 1, &count);
		void *context = 0;
		for (unsigned i = 0; !context && i < sizeof minors / sizeof *minors; i++) {
			const int32_t version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, minors[i],
				EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
				debug ? EGL_CONTEXT_OPENGL_DEBUG : EGL_NONE, 1, EGL_NONE};
			context = eglCreateContext(display, config, 0, version);
		}
		if (!context) {
			snprintf(reason, size, "EGL %s: no OpenGL 4.1 core context (error 0x%x)", platform, (unsigned)eglGetError());
		} else if (!eglMakeCurrent(display, 0, 0, context)) {
			snprintf(reason, size, "EGL %s: the context cannot be current (error 0x%x)", platform, (unsigned)eglGetError());
			eglDestroyContext(display, context);
		} else {
			e->display = display;
			e->context = context;
			return 1;
		}
	}
	return 0;
}

int skinlab_egl_open(skinlab_egl *e, int debug, char *reason, int size) {
	memset(e, 0, sizeof *e);
	e->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!e->library) {
		snprintf(reason, size, "libEGL.so.1 is not installed (Debian and Ubuntu: libegl1 and libegl-mesa0)");
		return 0;
	}
	LOAD(get_proc_address, eglGetProcAddress);
	LOAD(query_string, eglQueryString);
	const char *have = eglQueryString ? eglQueryString(0, EGL_EXTENSIONS) : 0;
	get_platform_display display = eglGetProcAddress ? (get_platform_display)eglGetProcAddress("eglGetPlatformDisplayEXT") : 0;
	if (!have || !display) {
		snprintf(reason, size, "libEGL.so.1 has no client extensions");
	} else {
		snprintf(reason, size, "EGL offers neither surfaceless nor device platforms");
		query_devices devices = (query_devices)eglGetProcAddress("eglQueryDevicesEXT");
		void *list[MAX_DEVICES];
		int32_t count = 0;
		/* A real GPU's driver registers a device; Mesa's software device is one too, so surfaceless Mesa comes first only where
		   it is all there is. Devices are listed by the vendors' priority, NVIDIA before Mesa. */
		if (strstr(have, "EGL_EXT_platform_device") && devices && devices(MAX_DEVICES, list, &count))
			for (int32_t i = 0; i < count; i++)
				if (try_display(e, display(EGL_PLATFORM_DEVICE_EXT, list[i], 0), debug, "device", reason, size))
					return 1;
		if (strstr(have, "EGL_MESA_platform_surfaceless") &&
			try_display(e, display(EGL_PLATFORM_SURFACELESS_MESA, 0, 0), debug, "surfaceless", reason, size))
			return 1;
	}
	dlclose(e->library);
	e->library = 0;
	return 0;
}

void *skinlab_egl_address(skinlab_egl *e, const char *name) {
	LOAD(get_proc_address, eglGetProcAddress);
	return eglGetProcAddress(name);
}

void skinlab_egl_close(skinlab_egl *e) {
	LOAD(make_current, eglMakeCurrent);
	LOAD(destroy_context, eglDestroyContext);
	eglMakeCurrent(e->display, 0, 0, 0);
	eglDestroyContext(e->display, e->context);
	/* The display is one per process and may serve another context; the library stays too, because drivers keep threads and
	   thread-local data that outlive their last context. */
	memset(e, 0, sizeof *e);
}

#else

int skinlab_egl_open(skinlab_egl *e, int debug, char *reason, int size) {
	memset(e, 0, sizeof *e);
	snprintf(reason, size, "headless rendering needs Linux EGL");
	return 0;
}

void *skinlab_egl_address(skinlab_egl *e, const char *name) { return 0; }

void skinlab_egl_close(skinlab_egl *e) {}

#endif
