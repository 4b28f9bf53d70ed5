package ui

// #include <stdlib.h>
// #include "cimgui.h"
//
// extern unsigned igGetItemID(void);
// extern void igSetKeyboardFocusHere(int offset);
// extern unsigned igGetID_Str(const char *);
// extern void *igGetInputTextState(unsigned id);
// extern void ImGuiInputTextState_ReloadUserBufAndMoveToEnd(void *);
//
// enum { SK_CHANGED = 1, SK_ENTERED = 2, SK_EDITING = 4 };
//
// static inline int skTextField(int id, float x, float y, float w, float pad_x, float pad_y,
// 	ImFont *font, float size, char *buf, size_t n, bool focus, bool hold, bool changed) {
// 	enum { FRAME_PADDING = 11, ELIDE_LEFT = 1 << 17, ENTER_RETURNS = 1 << 6 };
// 	igSetCursorScreenPos((ImVec2){x, y});
// 	igSetNextItemWidth(w);
// 	igPushFont(font, size);
// 	igPushStyleVar_Vec2(FRAME_PADDING, (ImVec2){pad_x, pad_y});
// 	igPushID_Int(id);
// 	if (focus && !igIsAnyItemActive())
// 		igSetKeyboardFocusHere(0);
// 	void *edited = hold ? igGetInputTextState(igGetID_Str("##text")) : NULL;
// 	if (edited && changed)
// 		ImGuiInputTextState_ReloadUserBufAndMoveToEnd(edited);
// 	int s = igInputText("##text", buf, n, ELIDE_LEFT | ENTER_RETURNS, NULL, NULL) ? SK_ENTERED : 0;
// 	if (hold && igIsItemActivated()) // all of the text is selected then
// 		ImGuiInputTextState_ReloadUserBufAndMoveToEnd(igGetInputTextState(igGetItemID()));
// 	s |= igIsItemActive() ? SK_EDITING : 0;
// 	s |= igIsItemFocused() ? SK_FOCUSED : 0;
// 	igPopID();
// 	igPopStyleVar(1);
// 	igPopFont();
// 	return s;
// }
//
// extern bool igDragScalar(const char *label, int type, void *value, float speed, const void *least, const void *most,
// 	const char *format, int flags);
// extern bool igTempInputIsActive(unsigned id);
// extern bool igIsMouseDoubleClicked_Nil(int button);
// extern void *igGetInputTextState(unsigned id);
// extern void ImGuiInputTextState_SelectAll(void *state);
// extern void igPushStyleColor_U32(int index, ImU32);
// extern void igPopStyleColor(int);
//
// // skNumber is a number that the user drags or types. The library writes its value, so it is C memory.
// typedef struct { double value; bool changed, begun, held, ended, typing, focused; } skNumber;
//
// static inline void skDrag(skNumber *n, int id, float x, float y, float w, float pad, float speed,
// 	const char *format, ImFont *font,
// 	float size, ImU32 text, ImU32 fill, ImU32 over) {
// 	enum { DOUBLE = 9, FRAME_PADDING = 11, TEXT = 0, FRAME_BG = 7, NO_ROUND = 1 << 6 };
// 	igSetCursorScreenPos((ImVec2){x, y});
// 	igSetNextItemWidth(w);
// 	igPushFont(font, size);
// 	igPushStyleVar_Vec2(FRAME_PADDING, (ImVec2){pad, pad});
// 	igPushStyleColor_U32(TEXT, text);
// 	igPushStyleColor_U32(FRAME_BG, fill);
// 	igPushStyleColor_U32(FRAME_BG + 1, over);
// 	igPushStyleColor_U32(FRAME_BG + 2, over);
// 	igPushID_Int(id);
// 	n->changed = igDragScalar("##number", DOUBLE, &n->value, speed, NULL, NULL, format, NO_ROUND);
// 	n->begun = igIsItemActivated();
// 	n->held = igIsItemActive();
// 	n->focused = igIsItemFocused();
// 	n->ended = igIsItemDeactivated();
// 	n->typing = n->held && igTempInputIsActive(igGetItemID());
// 	// The first click of two has opened the field, and the second would select digits on one side of the point.
// 	void *state = igGetInputTextState(igGetItemID());
// 	if (n->typing && state && igIsMouseDoubleClicked_Nil(0) && igIsItemHovered(0))
// 		ImGuiInputTextState_SelectAll(state);
// 	igPopID();
// 	igPopStyleColor(4);
// 	igPopStyleVar(1);
// 	igPopFont();
// }
import "C"

import (
	"math"
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
)

// maxText is the size of a field's text in bytes with the zero byte at its end, longer than any system's paths.
const maxText = 4096

// TextField is a line of text that the user edits. The library writes into its buffer, which is C memory.
type TextField struct {
	buffer *C.char
}

// NewTextField makes a field with a text. Its owner calls Delete.
func NewTextField(text string) *TextField {
	f := &TextField{buffer: (*C.char)(C.calloc(1, maxText))}
	f.SetText(text)
	return f
}

// Text returns a copy of the text.
func (f *TextField) Text() string { return C.GoString(f.buffer) }

// View returns the text without copying it. It is valid until the text changes.
func (f *TextField) View() string {
	b := unsafe.Slice((*byte)(unsafe.Pointer(f.buffer)), maxText)
	n := 0
	for n < maxText && b[n] != 0 {
		n++
	}
	return unsafe.String(&b[0], n)
}

// SetText replaces the text. It cuts a text that is too long.
func (f *TextField) SetText(text string) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(f.buffer)), maxText)
	b[copy(b[:maxText-1], text)] = 0
}

// Delete is nil-safe and may be called again.
func (f *TextField) Delete() {
	if f != nil {
		C.free(unsafe.Pointer(f.buffer))
		f.buffer = nil
	}
}

// TextField draws the field and reports whether Return has been pressed in it.
func (c *Context) TextField(id int, r Rect, f *TextField, tip string) (entered bool) {
	entered, _ = c.textField(id, r, f, tip, keyboard{})
	return entered
}

// HeldField draws a field that has the keyboard while it is drawn. If the caller has changed its text since the last
// frame, changed is true, and the cursor goes to the end.
func (c *Context) HeldField(id int, r Rect, f *TextField, tip string, changed bool) {
	c.textField(id, r, f, tip, keyboard{focus: true, hold: true, changed: changed})
}

// keyboard says how a field gets the keyboard other than by a click.
type keyboard struct {
	focus   bool // where nothing else has it; all text is selected then
	hold    bool // for as long as the field is drawn; the cursor is at the end of the text
	changed bool // the caller has changed the text: with hold, the cursor goes to its end
}

func (c *Context) textField(id int, r Rect, f *TextField, tip string, k keyboard) (entered, editing bool) {
	c.widget(id, r, tip)
	c.addField(r)
	size := c.size(Body)
	pad := max(round((r.H-size)/2), 0)
	c.note(f.View())
	s := C.skTextField(C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(c.Px(8)), C.float(pad),
		c.fonts[Body.font], C.float(size), f.buffer, maxText, C.bool(k.focus), C.bool(k.hold), C.bool(k.changed))
	c.focus.at(c, r, s&C.SK_FOCUSED != 0)
	editing = s&C.SK_EDITING != 0
	if editing {
		c.typing, c.tab.now = true, [2]int{int(c.panel), id}
		c.Outline(r, ColorAccent, c.Px(4))
	}
	return s&C.SK_ENTERED != 0, editing
}

// SearchField draws a field. While it is empty it shows a hint.
func (c *Context) SearchField(id int, r Rect, f *TextField, hint, tip string) (entered bool) {
	entered = c.TextField(id, r, f, tip)
	if f.View() == "" {
		in := r.Inset(c.Px(9), 0)
		c.Text(in, Body, ColorFaint, Left, hint)
	}
	return entered
}

// Typing reports whether a text field had the keyboard in the last frame. Keys then edit its text.
func (c *Context) Typing() bool { return c.typing }

// TakesText reports whether characters are for a text field: one that has the keyboard, or that is about to get it.
func (c *Context) TakesText() bool { return c.typing || c.tab.holds() }

// AwaitField keeps what is typed for the field that gets the keyboard in one of the next frames.
func (c *Context) AwaitField() { c.tab.frames, c.tab.from = mostTabbing, c.tab.now }

// fieldClick knows where the fields of the last frame are. A click in one, whose press and release take a frame each,
// gives it the keyboard some frames later.
type fieldClick struct {
	fields  [64]Rect   // what is seen of them; more are not known
	covers  [64]int    // number of panels drawn up to the field's own
	count   int        // of the fields
	x, y    float32    // of the mouse
	from    [2]float32 // where the button was pressed
	pressed bool       // it was in a field
}

// addField is told of each field that is drawn.
func (c *Context) addField(r Rect) {
	k := &c.click
	if c.depth > 0 {
		r = r.Within(c.areas[c.depth-1])
	}
	if k.count < len(k.fields) && r.W > 0 && r.H > 0 {
		k.fields[k.count], k.covers[k.count] = r, c.covered
		k.count++
	}
}

// clickField keeps what is typed after a click in a field for that field.
func (c *Context) clickField(down bool) {
	k := &c.click
	if !down {
		if k.pressed && abs(k.x-k.from[0]) < dragSlack && abs(k.y-k.from[1]) < dragSlack {
			c.AwaitField()
		}
		k.pressed = false
		return
	}
	k.from, k.pressed = [2]float32{k.x, k.y}, false
	for i, r := range k.fields[:k.count] {
		hidden := false
		for _, over := range c.covers[k.covers[i]:c.covered] {
			hidden = hidden || over.Contains(k.x, k.y)
		}
		k.pressed = k.pressed || r.Contains(k.x, k.y) && !hidden
	}
}

// dragSlack is how far the mouse moves in a drag of a number, logical pixels: the library's own threshold.
const dragSlack = 6

// StopTyping takes the keyboard from a text field, which keeps its text.
func (c *Context) StopTyping() {
	c.tab.frames, c.tab.held = 0, c.tab.held[:0]
	if c.typing {
		C.igClearActiveID()
		c.typing = false
	}
}

// Character feeds a typed character.
func (c *Context) Character(r rune) {
	if c.tab.holds() {
		c.tab.held = append(c.tab.held, typedKey{r: r})
		return
	}
	C.ImGuiIO_AddInputCharacter(c.io, C.uint(r))
}

// tabbing is the keyboard on its way to a field, after Tab or where a field opens: the field gets it some frames later,
// and what is typed until then waits for it.
type tabbing struct {
	frames int    // that it may still take; 0 for none on its way
	from   [2]int // panel and number of the field that had the keyboard
	now    [2]int // of the field that has it; 0 for none
	held   []typedKey
}

type typedKey struct {
	r              rune
	key            EditKey
	control, shift bool
}

// mostTabbing is the number of frames after which what is typed waits no longer.
const mostTabbing = 4

func (t *tabbing) holds() bool { return t.frames > 0 }

func (t *tabbing) begin(c *Context) {
	if t.frames > 0 {
		t.frames--
		if t.now != t.from && t.now != [2]int{} {
			t.frames = 0
		}
		if t.frames == 0 {
			held := t.held
			c.pending += len(held)
			t.held = t.held[:0]
			for k, h := range held {
				switch {
				case h.r != 0:
					c.Character(h.r)
				default:
					c.EditKey(h.key, h.control, h.shift)
				}
				if t.holds() { // another Tab
					t.held = append(t.held, held[k+1:]...)
					break
				}
			}
		}
	}
	t.now = [2]int{}
}

type EditKey int

// The keys that text fields know.
const (
	EditLeft EditKey = iota
	EditRight
	EditHome
	EditEnd
	EditDelete
	EditBackspace
	EditEnter
	EditEscape
	EditAll
	EditCopy
	EditCut
	EditUndo
	EditTab // takes what is typed and goes to the next field, with Shift to the one before
	EditUp  // of the keyboard on items: see [Context.FocusPanel]
	EditDown
)

var editKeys = [...]imgui.Key{
	imgui.KeyLeftArrow, imgui.KeyRightArrow, imgui.KeyHome, imgui.KeyEnd, imgui.KeyDelete, imgui.KeyBackspace,
	imgui.KeyEnter,
	imgui.KeyEscape, imgui.KeyA, imgui.KeyC, imgui.KeyX, imgui.KeyZ, imgui.KeyTab, imgui.KeyUpArrow, imgui.KeyDownArrow,
}

// EditKey feeds a key of a text field with its modifiers: a press and a release. A repeated key is fed again.
func (c *Context) EditKey(k EditKey, control, shift bool) {
	if c.tab.holds() {
		c.tab.held = append(c.tab.held, typedKey{key: k, control: control, shift: shift})
		return
	}
	if k == EditTab {
		c.AwaitField()
	}
	if k == EditTab && c.typed.open {
		k = EditEnter
		c.typed.leave = 1
		if shift {
			c.typed.leave = -1
		}
	}
	c.pending += 2
	key := C.int(editKeys[k])
	C.ImGuiIO_AddKeyEvent(c.io, C.int(imgui.ModCtrl), C.bool(control))
	C.ImGuiIO_AddKeyEvent(c.io, C.int(imgui.ModShift), C.bool(shift))
	C.ImGuiIO_AddKeyEvent(c.io, key, true)
	C.ImGuiIO_AddKeyEvent(c.io, key, false)
	C.ImGuiIO_AddKeyEvent(c.io, C.int(imgui.ModCtrl), false)
	C.ImGuiIO_AddKeyEvent(c.io, C.int(imgui.ModShift), false)
}

// numberState passes a number between Go and the library. It is kept so that no frame allocates it.
type numberState struct {
	c      C.skNumber
	format Line
}

// Number is the result of drawing a number that the user drags or types.
type Number struct {
	Value   float64
	Changed bool // the value differs from the one passed in
	Begun   bool // the user began to change it in this frame
	Held    bool // the user is dragging or typing it
}

// NumberField describes a number that the user drags or types.
type NumberField struct {
	Value    float64
	PerPixel float64 // change of the value that is dragged by one logical pixel
	Decimals int
	Unit     string // behind the number, with the space before it; "" for none
	Label    string // at its left: a letter or a word; "" for none
	Ink      Color  // of the bar at its left, which tells it from the numbers beside it, and of its label
	Faint    bool   // the number means nothing: it is 0, say
	Tip      string
}

// shown returns the value that a field shows. For a negative number that rounds to zero it is zero itself, before which C
// would write a minus sign.
func (n *numberState) shown(f *NumberField) float64 {
	text := n.format.Start().F(f.Value, f.Decimals)
	if math.Signbit(f.Value) && text.b[0] != '-' {
		return 0
	}
	return f.Value
}

// formatOf returns C's format of a number, which ends in a zero byte.
func (n *numberState) formatOf(f *NumberField) string {
	return n.format.Start().S("%.").I(f.Decimals).S("f").S(f.Unit).S("\x00").View()
}

// Number draws a number that is dragged sideways, or typed after a click. Values that are not finite are ignored.
func (c *Context) Number(id int, r Rect, f NumberField) Number {
	c.widget(id, r, f.Tip)
	c.addField(r)
	n := &c.number.c
	n.value = C.double(c.number.shown(&f))
	text := ColorText
	if f.Faint {
		text = ColorFaint
	}
	size := c.size(Body)
	pad := max(round((r.H-size)/2), 0)
	format := (*C.char)(unsafe.Pointer(unsafe.StringData(c.number.formatOf(&f))))
	C.skDrag(n, C.int(id), C.float(r.X), C.float(r.Y), C.float(r.W), C.float(pad), C.float(f.PerPixel),
		format, c.fonts[Body.font], C.float(size), C.ImU32(text), C.ImU32(ColorWidget), C.ImU32(ColorHover))
	c.focus.at(c, r, bool(n.focused))
	ink := f.Ink.readable(ColorHover, TextContrast)
	c.Fill(Rect{r.X, r.Y, c.Px(3), r.H}, ink, c.Px(2))
	if f.Label != "" && !bool(n.typing) {
		c.Text(Rect{r.X + c.Px(8), r.Y, r.W - c.Px(8), r.H}, Small, ink, Left, f.Label)
	}
	out := Number{Value: float64(n.value), Changed: bool(n.changed), Begun: bool(n.begun), Held: bool(n.held)}
	if bool(n.typing) {
		c.typing, c.tab.now = true, [2]int{int(c.panel), id}
		c.Outline(r, ColorAccent, c.Px(4))
	} else if out.Held || bool(C.igIsItemHovered(0)) {
		C.igSetMouseCursor(C.int(imgui.MouseCursorResizeEW))
	}
	if math.IsNaN(out.Value) || math.IsInf(out.Value, 0) {
		out.Changed = false
	}
	if !out.Changed {
		out.Value = f.Value
	}
	return out
}
