package gltf

import (
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
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
	name := strings.ReplaceAll(unescape(uri), `\`, "/")
	if i := strings.IndexAny(name, ":/"); i >= 0 && name[i] == ':' {
		return "", fault.Unsupported("URI %q: only data URIs and files in the model's folder are read", fault.Shorten(uri))
	}
	clean := path.Clean(name)
	if name == "" || strings.HasPrefix(name, "/") || !fs.ValidPath(clean) || clean == "." {
		return "", fault.Unsupported("URI %q: not a file in the model's folder", fault.Shorten(uri))
	}
	return clean, nil
}

// unescape resolves the percent escapes of a URI. A percent sign that no two hexadecimal digits follow stands for
// itself: some programs write the names of files as they are.
func unescape(uri string) string {
	var out strings.Builder
	for i := 0; i < len(uri); i++ {
		if uri[i] == '%' && i+2 < len(uri) {
			if c, err := strconv.ParseUint(uri[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		out.WriteByte(uri[i])
	}
	return out.String()
}

// decodeDataURI decodes what follows "data:" (RFC 2397).
func decodeDataURI(s string) ([]byte, error) {
	head, body, ok := strings.Cut(s, ",")
	if !ok {
		return nil, fault.Malformed("data URI: no comma")
	}
	body = unescape(body) // %3D for the padding, say
	if !strings.HasSuffix(strings.ToLower(head), ";base64") {
		return []byte(body), nil
	}
	body = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(body, "=")) // the alphabet for URLs
	data, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil {
		return nil, fault.Malformed("data URI: %w", err)
	}
	return data, nil
}
