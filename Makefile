# Two commands do everything: `make run` and `make test`. Both install what is missing first. `make quick` is the short test.

MODEL   ?=
MODELS  ?= ../shared/models
BINARY  := bin/skinlab
PURE    := ./skinning/... ./assets/... ./shaders/... ./fit/... ./internal/...
# Packages whose tests take longest begin first, so that the others are tested beside them.
FIRST   := ./render/viewer ./command ./render ./assets/gltf/export ./fit/...
# Without the tables of debuggers, which no test reads, linking takes half as long. The target check has done the vetting.
TEST    := go test -vet=off -ldflags=-w
FUZZ    ?=
FRAMES  ?= 20000
MUTANTS ?= 20000
SEED    ?= 1
OUT     ?= out

# The system packages of Debian and Ubuntu: a C compiler with the headers of OpenGL, EGL and X11 to build, Mesa to draw
# without a GPU, and for the tests a virtual display with a tool that presses its keys.
BUILD_PACKAGES := gcc g++ libc6-dev pkg-config libgl-dev libegl-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev
RUN_PACKAGES   := libgl1 libegl1 libgl1-mesa-dri
TEST_PACKAGES  := xvfb xdotool

.PHONY: ablate looks sculpt assembly reproduce gpu-report gpu-programs run build quick test test-long check lab-test law unit sixth forms race race-all fuzz mutants endurance pictures golden report bench clients characters clean packages test-packages toolchain

# Opens the viewer: `make run MODEL=character.glb`. Without a display it draws the comparison instead and says where.
run: build
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then \
		exec $(BINARY) $(if $(MODEL),'$(MODEL)'); \
	else \
		mkdir -p $(OUT); \
		$(BINARY) compare $(if $(MODEL),'$(MODEL)',demo:figure --clip twist --poses 1.4) --force -o $(OUT)/comparison.png && \
		echo "There is no display, so no window: the comparison picture is in $(CURDIR)/$(OUT)/comparison.png"; \
	fi

build: toolchain packages
	@mkdir -p bin
	@[ -x $(BINARY) ] || echo "Building skinlab; the first build takes some minutes, most of them for Dear ImGui's bindings."
	go build -o $(BINARY) .

# Before every commit: vet, staticcheck and short tests of all rooms. It is to take two minutes on two cores with a warm
# build cache.
quick: packages check
	$(TEST) -short $(FIRST) ./...
	cd lab && $(TEST) -short ./...
	@echo "make quick: all passed"

# Before a change is offered: all but what takes long. Seven minutes on two quiet cores with a warm build cache, twelve
# on slow ones. Packages are tested beside each other.
test: packages test-packages check law unit lab-test race
	@echo "make test: all passed"

# What takes longer, after `make test`: tests that SKINLAB_LONG switches on (exports in other programs, mutants, whole walks), all
# kernels in their other forms, a sixth method, the race detector over all that is pure, and fuzzing.
test-long: packages test-packages
	@long=$$(awk '/^func Test/ {split($$2, name, "(")} /longtest\.O/ {print name[1]}' $$(git ls-files '*_test.go') | sort -u | paste -sd'|'); \
	rooms=$$(git grep -l 'longtest\.O' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|'); \
	echo "SKINLAB_LONG=1 go test -run '^($$long)$$'" $$rooms; \
	SKINLAB_LONG=1 $(TEST) -timeout 40m -run "^($$long)\$$" $$rooms
	$(MAKE) --no-print-directory sixth forms race-all fuzz
	cd lab && $(TEST) -timeout 40m ./...
	@echo "make test-long: all passed"

check: toolchain
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$unformatted" ] || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	cd lab && go vet ./... && go tool staticcheck ./...

# The programs of lab/, a module of their own, which the product neither needs nor tests.
lab-test:
	cd lab && $(TEST) -short ./...

# The law that keeps GL out of the pure packages: they build without cgo, for other systems too.
law:
	CGO_ENABLED=0 go build $(PURE)
	CGO_ENABLED=0 GOOS=windows go vet $(PURE)
	CGO_ENABLED=0 GOARCH=arm64 go vet $(PURE)

# All rooms: fits, kernels and shaders against the reference, commands, golden pictures, and a real window under Xvfb.
unit:
	@[ -d $(MODELS) ] || echo "No $(MODELS): tests on those models are skipped."
	$(TEST) -timeout 40m $(FIRST) ./...

# A sixth method, a copy of linear blending, that is a row of the table of methods and nothing else.
sixth:
	go test -tags sixthmethod -run 'Sixth|Method|BlendBonesMatch|EveryOperator|GPUMatchesCPU/demo:box$$|CrowdMatches.*/demo:tube' ./command ./skinning ./skinning/rig ./fit/blendbones ./render ./render/viewer

# The kernels in their other forms, anew each time: the variable is read too early for Go's cache of tests to notice it.
forms:
	@for form in scalar avx2; do \
		echo "SKINLAB_SIMD=$$form go test ./skinning/..."; \
		if [ $$form = scalar ] || grep -qw avx2 /proc/cpuinfo 2>/dev/null; then CGO_ENABLED=0 SKINLAB_SIMD=$$form go test -count=1 ./skinning/... || exit 1; fi; \
	done

# The race detector where goroutines share something; race-all is over the numbers too.
RACY := 'Worker|Cancel|Progress|Interrupt|Parallel|Concurrent'
race:
	$(TEST) -race -short ./skinning/parallel ./skinning/progress ./skinning/sweep ./assets/atomicfile
	$(TEST) -race -short -run $(RACY) ./skinning ./skinning/compare ./skinning/kernel ./assets/gltf/... ./assets/report ./fit/...

race-all:
	$(TEST) -race -short -timeout 40m $(PURE)

# So many runs of each, about ten seconds; `make fuzz FUZZ=1m` for longer. A time is no default: when it ends, Go's fuzzing now and
# then calls that a failure.
fuzz:
	go test ./skinning/kernel -run '^$$' -fuzz '^FuzzKernels$$' -fuzztime $(or $(FUZZ),4000x) -fuzzminimizetime 1x
	go test ./assets/gltf -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime $(or $(FUZZ),60000x) -fuzzminimizetime 1x
	go test ./assets/posefile -run '^$$' -fuzz '^FuzzPose$$' -fuzztime $(or $(FUZZ),60000x) -fuzzminimizetime 1x
	go test ./assets/obj -run '^$$' -fuzz '^FuzzOBJ$$' -fuzztime $(or $(FUZZ),60000x) -fuzzminimizetime 1x
	go test ./skinning/rig -run '^$$' -fuzz '^FuzzHelperBones$$' -fuzztime $(or $(FUZZ),60000x) -fuzzminimizetime 1x

# Every command on 20,000 files that chance has changed, each in a process of its own: how they ended, as a table. About an hour on two
# cores. What shows a fault is kept in $(OUT)/mutants; `make test-long` runs 500 on small files.
mutants: toolchain packages
	SKINLAB_LONG=1 go test ./command -run '^TestMutants$$' -v -timeout 6h -mutants.large -mutants.count $(MUTANTS) -mutants.seed $(SEED) -mutants.keep $(CURDIR)/$(OUT)/mutants

# The window under 20,000 frames of keys, clicks, drags and files in an order made by chance: no crash, no OpenGL error, no leak. About ten
# minutes on two cores without a GPU.
endurance: build test-packages
	SKINLAB_LONG=1 go test ./render/viewer -run '^TestEndurance$$' -v -timeout 3h -endurance.frames $(FRAMES)

# The README's pictures, golden pictures and benchmark figures, anew. Those of the window come from a virtual display.
WINDOW := --size 1280x720 --force --screenshot assets/pictures
pictures: build test-packages
	@$(call on-display,\
		$(BINARY) demo:figure --clip twist --time 1.4 --against dqs --layout two --heat --page error $(WINDOW)/window-errors.png && \
		$(BINARY) demo:arm --clip twist --time 2 --against dqs --layout two --page sweep $(WINDOW)/window-sweep.png && \
		$(BINARY) demo:figure --clip exercise --time 4 --against dqs$(comma)dib$(comma)sbs --layout four --page pose $(WINDOW)/window-pose.png && \
		$(BINARY) demo:arm --fit enveloping --paint turning --clip examples --time 11 --page fit $(WINDOW)/window-enveloping.png && \
		$(BINARY) demo:arm --fit helper-bones --clip examples --time 11 --page helper $(WINDOW)/window-helpers.png && \
		$(BINARY) demo:arm --method dqs --against examples --layout two --fit body-model --clip examples --time 11 --page body --over \
			$(WINDOW)/window-body.png)
	$(BINARY) compare demo:arm --clip twist --methods lbs,dqs,sbs --size 520x300 --force -o assets/pictures/candy-wrapper.png
	$(BINARY) compare demo:figure --clip twist --poses 1.4 --methods lbs,dqs,blend-bones:16 --size 420x420 --force -o assets/pictures/figure.png
	$(BINARY) compare demo:box --clip train --frames 4 --methods lbs,blend-bones:1,blend-bones:2,blend-bones:4,dqs --size 320x240 --force -o assets/pictures/blend-bones.png
	$(BINARY) compare demo:arm --clip twist --methods lbs,dib,blend-bones:10 --size 420x210 --heat --force -o assets/pictures/heat.png
	$(BINARY) sweep demo:arm --joint forearm --methods lbs,dqs,dib,blend-bones:10 --force -o assets/pictures/sweep.png
	$(BINARY) compare demo:bar --reference examples --clip unseen --methods examples,ssd,enveloping:25 --size 400x240 --force -o assets/pictures/twisted-bar.png
	$(BINARY) compare demo:leg-smooth --reference examples --methods lbs,helper-bones:4,helper-bones:8,examples --size 300x480 --force -o assets/pictures/helper-bones.png
	@mkdir -p $(OUT)
	$(BINARY) fit body-model demo:arm --limbs 5 --no-skeleton --fixed-joints --force -o $(OUT)/joints-stay.glb
	$(BINARY) fit body-model demo:arm --limbs 5 --no-skeleton --force -o $(OUT)/joints-move.glb
	$(BINARY) compare demo:arm --reference examples --methods $(OUT)/joints-stay.glb,$(OUT)/joints-move.glb,examples --heat --size 320x180 --force -o assets/pictures/body-joints.png

golden:
	go test ./render -run Golden -update

# A report on MODEL's first clip, or on a candy wrapper: $(OUT)/report/index.html, for a browser.
report: build
	@mkdir -p $(OUT)
	$(BINARY) compare $(if $(MODEL),'$(MODEL)',demo:arm --clip twist) --heat --force --report $(OUT)/report

bench: build
	$(BINARY) bench --simd all
	go test ./skinning/kernel -run '^$$' -bench Kernels -benchtime 0.3s

# What the machine's GPU does: every method and path against float64, pictures, timers, and what a vertex costs. Within nine
# minutes, the build included, in $(OUT)/gpu: report.json, and gpu.md for docs/gpu.md. On a machine without Go, bring bin/gpu,
# render/testdata and the models along, and run its last line there.
gpu-report: toolchain packages
	@start=$$(date +%s); $(MAKE) --no-print-directory gpu-programs && \
	bin/gpu/gpureport -models $(MODELS) -o $(OUT)/gpu -within $$((530 + start - $$(date +%s)))s

gpu-programs: toolchain
	@mkdir -p bin/gpu
	go build -ldflags '-s -w' -o bin/gpu/ .
	go build -C lab -ldflags '-s -w' -o ../bin/gpu/ ./gpureport
	go test -c -ldflags '-s -w' -o bin/gpu/render.test ./render

# Materials held against three.js and Blender's path tracer: the picture and the tables of docs/materials.md, anew. Needs Blender 3 with
# numpy, node and Chromium; four minutes.
looks: toolchain
	cd lab && go run ./looks -models $(abspath $(MODELS)) -o ../assets/pictures/materials.png

# What every heuristic and constant of the fits buys: docs/ablation.md, anew. About half an hour of processor time. What was measured is
# kept in $(OUT)/ablate, and an interrupted run goes on from there. JOBS rows are measured at a time.
JOBS ?= 1
ablate: toolchain
	@mkdir -p docs
	CGO_ENABLED=0 go run -C lab ./ablate -jobs $(JOBS) -models $(abspath $(MODELS)) -keep $(abspath $(OUT))/ablate

# The packed built-in models, sculpted anew: the same bit for bit on amd64. About a minute.
sculpt: toolchain
	go generate ./assets/demo

# The assembly of skinning/simd and what its kernels share with Go and GLSL, written anew.
assembly: toolchain
	go generate ./skinning/simd

# Exports in other people's programs: every clip, and every clip after every other, with the table of how far each client is
# off. What is not installed is left out and named: node and npm for three.js and Babylon.js, and Debian's blender. Default
# fits to sixteen characters that Blender makes are compared with linear blending, too.
clients: toolchain
	SKINLAB_LONG=1 go test ./internal/clients -run '^Test(Clients|Characters)$$' -count=1 -v -timeout 6h -clients.all

# Methods and fits beside linear blending on 30 characters: docs/characters.md. Rows of fits that it has stay; remove it for all anew.
characters: toolchain
	go test ./internal/clients -run '^TestCharacterTable$$' -count=1 -v -timeout 6h -clients.table $(CURDIR)/docs/characters.md

# The five papers' tables and figures anew: docs/reproduce/index.html. Some ten minutes of processor time. MODEL adds a file's rows.
# The pages name the commit that made them, whatever GOFLAGS say.
reproduce: toolchain packages
	@mkdir -p bin
	go build -C lab -buildvcs=auto -o ../bin/reproduce ./reproduce
	bin/reproduce -shared $(MODELS) $(if $(MODEL),-models '$(MODEL)') -force -o docs/reproduce

clean:
	rm -rf bin $(OUT)

toolchain:
	@command -v go >/dev/null || { echo "skinlab needs Go 1.26 or newer (1.21 or newer fetches it by itself): see https://go.dev/doc/install"; exit 1; }

packages:
	@$(call install,$(BUILD_PACKAGES) $(RUN_PACKAGES))

test-packages:
	@$(call install,$(TEST_PACKAGES))

comma := ,

# on-display runs a command on a virtual display of its own.
define on-display
	number=$$(mktemp); Xvfb -displayfd 3 -screen 0 1280x720x24 3>$$number 2>/dev/null & server=$$!; \
	while [ ! -s $$number ] && kill -0 $$server 2>/dev/null; do sleep 0.1; done; \
	(export DISPLAY=:$$(cat $$number); $(1)); status=$$?; \
	kill $$server; rm -f $$number; exit $$status
endef

# install says which of the packages are missing and installs those, with sudo only where it is not root. On a system
# without dpkg it does nothing: the compiler will name what is missing.
define install
	if command -v dpkg-query >/dev/null; then \
		missing=; \
		for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
		if [ -n "$$missing" ]; then \
			echo "Installing system packages:$$missing"; \
			sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
			$$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
		fi; \
	fi
endef
