package gltf

import (
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"skinlab/assets/fault"
)

// Fetch returns the bytes behind a URI: those of a data URI, or of a file in the model's folder or below. At most limit
// bytes of a file are read.
func (d *Source) Fetch(uri string, limit int64) ([]byte, error) {
	if IsDataURI(uri) {
		return decodeDataURI(uri[5:])
	}
	name, err := localPath(uri)
	if err != nil {
		return nil, err
	}
	if d.fsys == nil {
		return nil, fault.Unsupported("external file %q: this source has no folder to read it from", fault.Shorten(uri))
	}
	info, err := fs.Stat(d.fsys, name)
	if err != nil {
		return nil, fault.OnFile(fmt.Sprintf("external file %q", fault.Shorten(uri)), err)
	}
	if !info.Mode().IsRegular() { // a pipe would wait for ever
		return nil, fault.Unsupported("external file %q: not a regular file", fault.Shorten(uri))
	}
	f, err := d.fsys.Open(name)
	if err != nil {
		return nil, fault.OnFile(fmt.Sprintf("external file %q", fault.Shorten(uri)), err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, min(limit, info.Size())))
	if err != nil {
		return nil, fault.OnFile(fmt.Sprintf("external file %q", fault.Shorten(uri)), err)
	}
	d.budget.grow(len(data))
	return data, nil
}

func IsDataURI(uri string) bool { return len(uri) >= 5 && strings.EqualFold(uri[:5], "data:") }

// localPath turns a relative URI into a path below the model's folder. Schemes, absolute paths and ".." that leaves the
// folder are refused; symbolic links that leave it are refused by the file system that load passes (os.Root).
func localPath(uri string) (string, error) {
	decoded, err := url.PathUnescape(uri)
	if err != nil {
		return "", fault.Malformed("URI %q: %w", fault.Shorten(uri), err)
	}
	name := strings.ReplaceAll(decoded, `\`, "/")
	if i := strings.IndexAny(name, ":/"); i >= 0 && name[i] == ':' {
		return "", fault.Unsupported("URI %q: only data URIs and files in the model's folder are read", fault.Shorten(uri))
	}
	clean := path.Clean(name)
	if name == "" || strings.HasPrefix(name, "/") || !fs.ValidPath(clean) || clean == "." {
		return "", fault.Unsupported("URI %q: not a file in the model's folder", fault.Shorten(uri))
	}
	return clean, nil
}

// decodeDataURI decodes what follows "data:" (RFC 2397).
func decodeDataURI(s string) ([]byte, error) {
	head, body, ok := strings.Cut(s, ",")
	if !ok {
		return nil, fault.Malformed("data URI: no comma")
	}
	if !strings.HasSuffix(strings.ToLower(head), ";base64") {
		text, err := url.PathUnescape(body)
		if err != nil {
			return nil, fault.Malformed("data URI: %w", err)
		}
		return []byte(text), nil
	}
	if strings.Contains(body, "%") { // %3D for the padding, say
		text, err := url.PathUnescape(body)
		if err != nil {
			return nil, fault.Malformed("data URI: %w", err)
		}
		body = text
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil {
		return nil, fault.Malformed("data URI: %w", err)
	}
	return data, nil
}
