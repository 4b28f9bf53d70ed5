// The part of Dear ImGui 1.92.4's C interface (cimgui) that skinlab calls every frame. cimgui-go links the library; its header
// lies in its module, where a C compiler of another module cannot find it, hence these declarations. ui.New checks the
// library's version and struct sizes against them.
#ifndef SKINLAB_CIMGUI_H
#define SKINLAB_CIMGUI_H

#include <stdbool.h>
#include <stddef.h>

typedef struct { float x, y; } ImVec2;
typedef struct { float x, y, z, w; } ImVec4;
typedef struct ImDrawList ImDrawList;
typedef struct ImFont ImFont;
typedef struct ImDrawData ImDrawData;
typedef struct ImGuiIO ImGuiIO;
typedef struct ImGuiViewport ImGuiViewport;
typedef unsigned int ImU32;

extern void *igMemAlloc(size_t);
extern void igNewFrame(void);
extern void igRender(void);
extern ImDrawData *igGetDrawData(void);
extern void ImGui_ImplOpenGL3_NewFrame(void);
extern void ImGui_ImplOpenGL3_RenderDrawData(ImDrawData *);

extern bool igBegin(const char *name, bool *open, int flags);
extern void igEnd(void);
extern bool igBeginChild_ID(unsigned id, ImVec2 size, int child_flags, int window_flags);
extern void igEndChild(void);
extern void igSetNextWindowPos(ImVec2 pos, int cond, ImVec2 pivot);
extern void igSetNextWindowSize(ImVec2 size, int cond);
extern void igSetNextWindowFocus(void);
extern ImDrawList *igGetWindowDrawList(void);
extern void igSetCursorScreenPos(ImVec2);
extern void igGetCursorScreenPos(ImVec2 *);
extern void igDummy(ImVec2);

extern void igPushID_Int(int);
extern void igPopID(void);
extern bool igInvisibleButton(const char *id, ImVec2 size, int flags);
extern bool igIsItemHovered(int flags);
extern bool igIsItemActive(void);
extern bool igIsItemActivated(void);
extern bool igIsItemDeactivated(void);
extern bool igIsAnyItemActive(void);
extern unsigned int igGetActiveID(void);
extern bool igIsItemFocused(void);
extern void igPushItemFlag(int flag, bool on);
extern void igPopItemFlag(void);
extern int igGetMouseClickedCount(int button);
extern bool igIsMouseDown_Nil(int button);
extern void igGetMousePos(ImVec2 *);
extern void igSetMouseCursor(int);
extern int igGetMouseCursor(void);

extern void ImGuiIO_AddMousePosEvent(ImGuiIO *, float x, float y);
extern void ImGuiIO_AddMouseButtonEvent(ImGuiIO *, int button, bool down);
extern void ImGuiIO_AddMouseWheelEvent(ImGuiIO *, float x, float y);
extern void ImGuiIO_AddFocusEvent(ImGuiIO *, bool focused);

extern void ImGuiIO_AddKeyEvent(ImGuiIO *, int key, bool down);
extern void ImGuiIO_AddInputCharacter(ImGuiIO *, unsigned character);

extern void igPushFont(ImFont *, float size);
extern void igPopFont(void);
extern void igPushStyleVar_Vec2(int index, ImVec2);
extern void igPopStyleVar(int count);
extern void igSetNextItemWidth(float);
extern void igClearActiveID(void);
extern bool igInputText(const char *label, char *text, size_t size, int flags, void *callback, void *data);

extern void ImDrawList_PushClipRect(ImDrawList *, ImVec2 min, ImVec2 max, bool intersect);
extern void ImDrawList_PopClipRect(ImDrawList *);
extern void ImDrawList_AddLine(ImDrawList *, ImVec2, ImVec2, ImU32, float thickness);
extern void ImDrawList_AddRect(ImDrawList *, ImVec2, ImVec2, ImU32, float rounding, int flags, float thickness);
extern void ImDrawList_AddRectFilled(ImDrawList *, ImVec2, ImVec2, ImU32, float rounding, int flags);
extern void ImDrawList_AddRectFilledMultiColor(ImDrawList *, ImVec2, ImVec2, ImU32, ImU32, ImU32, ImU32);
extern void ImDrawList_AddTriangleFilled(ImDrawList *, ImVec2, ImVec2, ImVec2, ImU32);
extern void ImDrawList_AddCircleFilled(ImDrawList *, ImVec2, float radius, ImU32, int segments);
extern void ImDrawList_PathArcTo(ImDrawList *, ImVec2 center, float radius, float from, float to, int segments);
extern void ImDrawList_PathStroke(ImDrawList *, ImU32, int flags, float thickness);
extern void ImDrawList_AddText_FontPtr(ImDrawList *, ImFont *, float size, ImVec2 pos, ImU32, const char *begin,
	const char *end, float wrap, const ImVec4 *clip);
extern void ImFont_CalcTextSizeA(ImVec2 *out, ImFont *, float size, float max_width, float wrap, const char *begin,
	const char *end, const char **remaining);

// The inline functions below fold the calls of one step into one, and turn out-parameters into results, so that Go neither
// pays for several calls nor moves a variable to the heap.

static inline ImVec2 skCursor(void) { ImVec2 p; igGetCursorScreenPos(&p); return p; }
static inline ImVec2 skMouse(void) { ImVec2 p; igGetMousePos(&p); return p; }

// skUnit reports whether a space stands between a number and its unit.
static inline bool skUnit(const char *text, const char *p, const char *end) {
	return p > text && p[-1] >= '0' && p[-1] <= '9' &&
		(end - p > 1 && p[1] == '%' || end - p > 2 && p[1] == 'm' && p[2] == 'm');
}

// skLine returns the end of a text's first line. Lines break at spaces, but not before a unit, and not behind points as
// Dear ImGui's do, which breaks numbers. A word that is wider than a line is broken where the line ends.
static inline const char *skLine(ImFont *font, float size, float wrap, const char *text, const char *end) {
	const char *fits = text, *rest;
	ImVec2 s;
	for (const char *p = text; wrap > 0; p++) {
		if (p < end && (*p != ' ' || skUnit(text, p, end)) && *p != '\n')
			continue;
		ImFont_CalcTextSizeA(&s, font, size, 3.4e38f, 0, text, p, NULL);
		if (s.x > wrap && fits > text)
			return fits;
		if (s.x > wrap) {
			ImFont_CalcTextSizeA(&s, font, size, wrap, 0, text, p, &rest);
			return rest > text ? rest : p;
		}
		if (p == end || *p == '\n')
			return p;
		fits = p;
	}
	return end;
}

// skNext returns the start of the line behind one that ends there.
static inline const char *skNext(const char *at, const char *end) { return at + (at < end && (*at == ' ' || *at == '\n')); }

static inline ImVec2 skTextSize(ImFont *font, float size, float wrap, const char *text, int n) {
	ImVec2 all = {0, 0}, s;
	for (const char *end = text + n, *at; text < end; text = skNext(at, end)) {
		at = skLine(font, size, wrap, text, end);
		ImFont_CalcTextSizeA(&s, font, size, 3.4e38f, 0, text, at, NULL);
		all.x = s.x > all.x ? s.x : all.x;
		all.y += wrap > 0 ? size : s.y;
	}
	return all;
}

static inline void skText(ImDrawList *dl, ImFont *font, float size, float x, float y, ImU32 color, float wrap,
	const char *text, int n) {
	for (const char *end = text + n, *at; text < end; text = skNext(at, end), y += size) {
		at = skLine(font, size, wrap, text, end);
		ImDrawList_AddText_FontPtr(dl, font, size, (ImVec2){x, y}, color, text, at, 0, NULL);
	}
}

enum { SK_CLICKED = 1, SK_HOVERED = 2, SK_ACTIVE = 4, SK_ACTIVATED = 8, SK_FOCUSED = 16, SK_DOUBLE = 32 };

// skItem makes a rectangle clickable and returns the SK_ bits. Buttons is a sum of 1 (left), 2 (right) and 8 (the keyboard). Tab
// passes it by: that key goes from field to field.
static inline int skItem(int id, float x, float y, float w, float h, int buttons) {
	enum { NO_TAB_STOP = 1 << 0 };
	igSetCursorScreenPos((ImVec2){x, y});
	igPushID_Int(id);
	igPushItemFlag(NO_TAB_STOP, true);
	int s = igInvisibleButton("item", (ImVec2){w, h}, buttons) ? SK_CLICKED : 0;
	igPopItemFlag();
	s |= igIsItemHovered(0) ? SK_HOVERED : 0;
	s |= igIsItemActive() ? SK_ACTIVE : 0;
	s |= igIsItemActivated() ? SK_ACTIVATED : 0;
	s |= igIsItemFocused() ? SK_FOCUSED : 0;
	if ((s & SK_HOVERED) && igGetMouseClickedCount(0) == 2)
		s |= SK_DOUBLE;
	igPopID();
	return s;
}

static inline ImDrawList *skBegin(const char *name, float x, float y, float w, float h, int flags, bool focus) {
	igSetNextWindowPos((ImVec2){x, y}, 0, (ImVec2){0, 0});
	igSetNextWindowSize((ImVec2){w, h}, 0);
	if (focus)
		igSetNextWindowFocus();
	igBegin(name, NULL, flags);
	return igGetWindowDrawList();
}

static inline ImDrawList *skBeginChild(unsigned id, float x, float y, float w, float h) {
	igSetCursorScreenPos((ImVec2){x, y});
	enum { NAV_FLATTENED = 1 << 8 }; // the arrow keys go in and out
	igBeginChild_ID(id, (ImVec2){w, h}, NAV_FLATTENED, 0);
	return igGetWindowDrawList();
}

// skEndChild tells the scroll area how far its content reached.
static inline void skEndChild(float x, float y) {
	igSetCursorScreenPos((ImVec2){x, y});
	igDummy((ImVec2){0, 0});
	igEndChild();
}

#endif
