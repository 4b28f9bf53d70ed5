package files

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/ncruces/zenity"
)

// The desktop's portal, which shows the file dialog of the desktop that runs
// (https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html).
const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalObject  = dbus.ObjectPath("/org/freedesktop/portal/desktop")
	portalChooser = "org.freedesktop.portal.FileChooser"
	portalRequest = "org.freedesktop.portal.Request"
	portalToken   = "skinlab" // names the request; the connection has no other
	// portalPatience is how long the portal may take to start. The user may then take as long as they like.
	portalPatience = 5 * time.Second
)

// portalFilter is a kind of files: its name and its patterns, of which kind 0 is a pattern of names.
type portalFilter struct {
	Name     string
	Patterns []portalPattern
}

type portalPattern struct {
	Kind    uint32
	Pattern string
}

// byPortal asks the desktop's portal over the user's message bus. It starts no bus.
func (d *Dialog) byPortal(ctx context.Context) (string, error) {
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return "", errNoDialog
	}
	defer bus.Close()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		return "", errNoDialog
	}
	sender := strings.NewReplacer(":", "", ".", "_").Replace(bus.Names()[0])
	request := portalObject + dbus.ObjectPath("/request/"+sender+"/"+portalToken)
	err = bus.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(request), dbus.WithMatchInterface(portalRequest))
	if err != nil {
		return "", errNoDialog
	}
	answers := make(chan *dbus.Signal, 4)
	bus.Signal(answers)
	method := portalChooser + ".OpenFile"
	if d.Save {
		method = portalChooser + ".SaveFile"
	}
	starting, stop := context.WithTimeout(ctx, portalPatience)
	defer stop()
	call := bus.Object(portalName, portalObject).CallWithContext(starting, method, 0, "", d.Title, d.portalOptions())
	if call.Err != nil {
		bus.Object(portalName, request).Call(portalRequest+".Close", dbus.FlagNoReplyExpected)
		return "", errNoDialog // there is no portal, or it has no file dialogs
	}
	for {
		select {
		case <-ctx.Done():
			bus.Object(portalName, request).Call(portalRequest+".Close", dbus.FlagNoReplyExpected)
			return "", ctx.Err()
		case s, ok := <-answers:
			if !ok {
				return "", errors.New("desktop portal: it has gone away")
			}
			if s.Path == request && s.Name == portalRequest+".Response" {
				return portalAnswer(s.Body)
			}
		}
	}
}

func (d *Dialog) portalOptions() map[string]dbus.Variant {
	named := portalFilter{Name: d.Kind}
	for _, p := range d.patterns() {
		named.Patterns = append(named.Patterns, portalPattern{0, p})
	}
	options := map[string]dbus.Variant{"handle_token": dbus.MakeVariant(portalToken)}
	if d.Folder {
		options["directory"] = dbus.MakeVariant(true)
	} else {
		options["filters"] = dbus.MakeVariant([]portalFilter{named, {"All files", []portalPattern{{0, "*"}}}})
	}
	folder, name := filepath.Split(d.Propose)
	if folder != "" {
		options["current_folder"] = dbus.MakeVariant(append([]byte(folder), 0))
	}
	if d.Save && name != "" {
		options["current_name"] = dbus.MakeVariant(name)
	}
	return options
}

// portalAnswer returns the path in the portal's answer: a code, 0 for a choice and 1 for none, and URIs.
func portalAnswer(body []any) (string, error) {
	var code uint32
	var results map[string]dbus.Variant
	if err := dbus.Store(body, &code, &results); err != nil {
		return "", fmt.Errorf("desktop portal: %w", err)
	}
	if code != 0 {
		return "", zenity.ErrCanceled
	}
	var all []string
	if err := results["uris"].Store(&all); err != nil || len(all) == 0 {
		return "", errors.New("desktop portal: it names no file")
	}
	uri, err := url.Parse(all[0])
	if err != nil || uri.Scheme != "file" {
		return "", fmt.Errorf("desktop portal: %s is not a local file", all[0])
	}
	return filepath.FromSlash(uri.Path), nil
}
