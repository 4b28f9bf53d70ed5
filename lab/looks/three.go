package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"skinlab/internal/clients"
)

// threeJS draws the jobs by three.js in a headless browser without a GPU, and leaves the pictures beside those of
// Cycles. Its packages are those of the tests of exports.
func threeJS(browser, folder string, jobs []job) error {
	const scripts = "../assets/gltf/export/testdata/clients"
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := clients.Install(ctx, scripts); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	pages := http.NewServeMux()
	pages.Handle("/node_modules/", http.FileServer(http.Dir(scripts)))
	for name, path := range map[string]string{"/three.html": "looks/three.html",
		"/world.hdr": filepath.Join(folder, "world.hdr")} {
		pages.HandleFunc(name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	}
	pages.HandleFunc("/jobs", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(jobs) })
	pages.HandleFunc("/file/{job}/{name}", func(w http.ResponseWriter, r *http.Request) {
		if i, err := strconv.Atoi(r.PathValue("job")); err == nil && i >= 0 && i < len(jobs) {
			http.ServeFile(w, r, jobs[i].File)
		}
	})
	pages.HandleFunc("POST /out/{name}", func(_ http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, filepath.Base(r.PathValue("name"))+".three.f32"), data, 0o644)
		}
		if err != nil {
			ended <- err
		}
	})
	pages.HandleFunc("POST /end", func(_ http.ResponseWriter, r *http.Request) {
		if said, _ := io.ReadAll(r.Body); len(said) > 0 {
			ended <- errors.New(string(said))
			return
		}
		ended <- nil
	})
	server := &http.Server{Handler: pages}
	go server.Serve(listener)
	defer server.Close()
	command := exec.CommandContext(ctx, browser, "--headless=new", "--no-sandbox", "--use-angle=swiftshader",
		"--enable-unsafe-swiftshader", "--user-data-dir="+filepath.Join(folder, "browser"), "http://"+listener.Addr().String()+"/three.html")
	if err := command.Start(); err != nil {
		return err
	}
	defer func() {
		command.Process.Kill()
		command.Wait()
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", browser, ctx.Err())
	}
}
