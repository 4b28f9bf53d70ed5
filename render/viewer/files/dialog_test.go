package files

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/ncruces/zenity"
)

var modelDialog = Dialog{Title: "Open a model", Kind: "Models", Ends: []string{".glb", ".gltf"}, Propose: "/models/a b.glb"}

// alone takes the programs and the message bus of the machine away from a test.
func alone(t *testing.T) (programs string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have functions for dialogs")
	}
	programs = t.TempDir()
	t.Setenv("PATH", programs)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:")
	return programs
}

// program puts a program into a folder.
func program(t *testing.T, path, script string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestNoDialog(t *testing.T) {
	alone(t)
	if path, err := modelDialog.bySystem(t.Context()); !errors.Is(err, errNoDialog) {
		t.Errorf("%q, %v, expected no dialog", path, err)
	}
}

// TestKDialog shows a dialog where KDE's program is the only one.
func TestKDialog(t *testing.T) {
	dir := alone(t)
	said := filepath.Join(dir, "said")
	kdialog := filepath.Join(dir, "kdialog")
	program(t, kdialog, `printf '%s\n' "$@" > '`+said+`'; echo '/models/fox run.glb'`)
	save, folder := modelDialog, modelDialog
	save.Save, folder.Folder = true, true
	for how, d := range map[string]Dialog{"--getopenfilename": modelDialog, "--getsavefilename": save,
		"--getexistingdirectory": folder} {
		if path, err := d.bySystem(t.Context()); path != "/models/fox run.glb" || err != nil {
			t.Errorf("%s: %q, %v", how, path, err)
		}
		got, err := os.ReadFile(said)
		want := "--title\nOpen a model\n" + how + "\n/models/a b.glb\n"
		if !d.Folder {
			want += "Models (*.glb *.gltf) | All files (*)\n"
		}
		if err != nil || string(got) != want {
			t.Errorf("%q, %v, expected %q", got, err, want)
		}
	}
	program(t, kdialog, "exit 1")
	if path, err := modelDialog.bySystem(t.Context()); !errors.Is(err, zenity.ErrCanceled) {
		t.Errorf("cancelled: %q, %v", path, err)
	}
	program(t, kdialog, "exit 254")
	if path, err := modelDialog.bySystem(t.Context()); err == nil || !strings.Contains(err.Error(), "kdialog: exit status 254") {
		t.Errorf("failed: %q, %v", path, err)
	}
}

// fakePortal answers requests for files.
type fakePortal struct {
	bus  *dbus.Conn
	code uint32
	uri  string
	got  map[string]dbus.Variant
	how  string
}

func (p *fakePortal) OpenFile(sender dbus.Sender, _, _ string, options map[string]dbus.Variant) (dbus.ObjectPath,
	*dbus.Error) {
	return p.answer(sender, "open", options)
}

func (p *fakePortal) SaveFile(sender dbus.Sender, _, _ string, options map[string]dbus.Variant) (dbus.ObjectPath,
	*dbus.Error) {
	return p.answer(sender, "save", options)
}

func (p *fakePortal) answer(sender dbus.Sender, how string, options map[string]dbus.Variant) (dbus.ObjectPath,
	*dbus.Error) {
	p.how, p.got = how, options
	name := strings.ReplaceAll(strings.TrimPrefix(string(sender), ":"), ".", "_")
	request := portalObject + dbus.ObjectPath("/request/"+name+"/"+options["handle_token"].Value().(string))
	results := map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{p.uri})}
	if err := p.bus.Emit(request, portalRequest+".Response", p.code, results); err != nil {
		return "", dbus.MakeFailedError(err)
	}
	return request, nil
}

// TestPortal asks a portal on a message bus of the test's own.
func TestPortal(t *testing.T) {
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("no dbus-daemon here")
	}
	alone(t)
	dir := t.TempDir()
	// A bus without the system's services: its own portal would be started by the first call.
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, []byte(`<busconfig><type>session</type><listen>unix:dir=`+dir+`</listen>
		<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
		<allow own="*"/></policy></busconfig>`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(daemon, "--config-file="+config, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Skipf("dbus-daemon does not start here: %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	if path, err := modelDialog.byPortal(t.Context()); !errors.Is(err, errNoDialog) {
		t.Errorf("a bus without a portal: %q, %v", path, err)
	}
	portal := &fakePortal{uri: "file:///models/fox%20run.glb"}
	if portal.bus, err = dbus.Connect(strings.TrimSpace(address)); err != nil {
		t.Fatal(err)
	}
	defer portal.bus.Close()
	if err := portal.bus.Export(portal, portalObject, portalChooser); err != nil {
		t.Fatal(err)
	}
	if reply, err := portal.bus.RequestName(portalName, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	if path, err := modelDialog.bySystem(t.Context()); path != "/models/fox run.glb" || err != nil || portal.how != "open" {
		t.Errorf("%q, %v, asked to %s", path, err, portal.how)
	}
	if folder, _ := portal.got["current_folder"].Value().([]byte); string(folder) != "/models/\x00" {
		t.Errorf("starts in %q", folder)
	}
	var filters []portalFilter
	if err := portal.got["filters"].Store(&filters); err != nil || len(filters) != 2 || len(filters[0].Patterns) != 2 ||
		filters[0].Patterns[1].Pattern != "*.gltf" {
		t.Errorf("filters %v, %v", filters, err)
	}
	save := modelDialog
	save.Save = true
	if path, err := save.byPortal(t.Context()); path != "/models/fox run.glb" || err != nil || portal.how != "save" ||
		portal.got["current_name"].Value() != "a b.glb" {
		t.Errorf("%q, %v, asked to %s %v", path, err, portal.how, portal.got)
	}
	folder := modelDialog
	folder.Folder = true
	if _, err := folder.byPortal(t.Context()); err != nil || portal.how != "open" || portal.got["directory"].Value() != true ||
		portal.got["filters"].Value() != nil {
		t.Errorf("a folder: %v, asked to %s %v", err, portal.how, portal.got)
	}
	portal.code = 1
	if path, err := modelDialog.byPortal(t.Context()); !errors.Is(err, zenity.ErrCanceled) {
		t.Errorf("cancelled: %q, %v", path, err)
	}
	portal.code, portal.uri = 0, "https://example.org/a.glb"
	if path, err := modelDialog.byPortal(t.Context()); err == nil || !strings.Contains(err.Error(), "not a local file") {
		t.Errorf("a file elsewhere: %q, %v", path, err)
	}
}
