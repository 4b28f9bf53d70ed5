// The prebuilt Dear ImGui library that cimgui-go ships is compiled against glibc 2.38 or newer, whose headers rename
// sscanf, strtol and strtoul to the three symbols below (C23 adds binary literals: "0b101"). Debian 12 and Ubuntu 22.04 have an
// older glibc without them. These weak definitions supply the C11 behaviour, which is all that ImGui asks for.
#if defined(__linux__)

#include <stdarg.h>

// The plain symbols are named by asm labels: on a new glibc the declarations of <stdio.h> and <stdlib.h> redirect back to
// the symbols that this file defines, which would then call themselves.
extern long plain_strtol(const char *, char **, int base) __asm__("strtol");
extern unsigned long plain_strtoul(const char *, char **, int base) __asm__("strtoul");
extern int plain_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");

__attribute__((weak)) int __isoc23_sscanf(const char *s, const char *format, ...) {
	va_list args;
	va_start(args, format);
	int n = plain_vsscanf(s, format, args);
	va_end(args);
	return n;
}

__attribute__((weak)) long __isoc23_strtol(const char *s, char **end, int base) {
	return plain_strtol(s, end, base);
}

__attribute__((weak)) unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
	return plain_strtoul(s, end, base);
}

#endif
