# make help lists the targets. Plain go commands work as well: go build ./cmd/weir, go test ./...
.PHONY: help studio studio-build server-wasm release performance audit test lint test-go test-releases test-wasm test-web bench seeds fuzz update update-server

SHELL := /bin/bash
comma := ,
# The packages that run in the browser, tested under js/wasm as well.
PURE := ./subject ./natsapi ./design ./verdict ./dialect ./lint ./size ./sim ./advise ./internal/calculator ./internal/topology ./synth ./internal/engine
WASM := GOOS=js GOARCH=wasm
# Packages of engine.wasm that are compiled without inlining: 380 KB smaller as brotli. The check of 200 streams takes the same time with size among them; the simulator is not.
COLD := weir/advise weir/design weir/dialect weir/lint weir/natsapi weir/size weir/subject weir/synth weir/verdict weir/internal/... encoding/... fmt reflect time os syscall io/... \
  regexp/... crypto/... net/... math/big context vendor/... github.com/... gopkg.in/... golang.org/... go.yaml.in/... \
  strings bytes bufio sort strconv path/... html hash/... log/... unicode/... errors sync
WASM_EXEC := $(shell go env GOROOT)/lib/wasm

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t16

studio: studio-build ## build everything and serve the studio on loopback
	bin/weir studio

studio-build: web/node_modules/.package-lock.json server-wasm ## build the front end, engine.wasm, server.wasm and bin/weir
	rm -rf web/public/projects && mkdir -p web/public/projects && cp synth/client_*.txtar web/public/projects
	$(WASM) go build -tags=apart$(patsubst -tags=%,$(comma)%,$(TAGS)) -trimpath $(foreach p,$(COLD),-gcflags=$(p)=-l) -ldflags='-s -w' -o web/public/engine.wasm ./cmd/weir-engine
	cp "$(WASM_EXEC)/wasm_exec.js" web/public/wasm_exec.js
	cd web && npm run --silent build
	node web/build/pack.mjs $(PACK) web/dist internal/studio/dist
	go build $(TAGS) -trimpath -o bin/weir ./cmd/weir

# Without inlining (-l) it is a sixth smaller as brotli; the tag leaves out what Weir thinks of nats-server.conf.
server-wasm: ## build the real server for the browser tab
	mkdir -p web/public
	overlay=$$(go run ./cmd/weir-server/overlay bin/overlay) && \
	$(WASM) go build -tags=server$(patsubst -tags=%,$(comma)%,$(TAGS)) -overlay "$$overlay" -trimpath -gcflags=all=-l -ldflags='-s -w' -o web/public/server.wasm ./cmd/weir-server

web/node_modules/.package-lock.json: web/package-lock.json
	@command -v node >/dev/null && command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)' || { \
	  echo "The studio is built with Node 20.19 or newer and its npm; $$(node --version 2>/dev/null || echo 'there is none') on the PATH."; \
	  echo "Install it from https://nodejs.org, or build the command alone, which needs only Go: go build ./cmd/weir"; exit 1; }
	cd web && npm ci --no-audit --no-fund || { echo "npm could not install the front end's packages: the first build needs the network, or a mirror named in npm's registry setting"; exit 1; }
	@touch $@

test: lint studio-build test-go test-releases test-wasm test-web ## run every test, installing what it needs
	@echo "all tests passed"

lint: ## gofmt, vet (native and js/wasm), staticcheck
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt these files:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	$(WASM) go vet ./cmd/weir-engine ./cmd/weir-server $(PURE)
	go tool staticcheck ./...

test-go: ## Go tests with the race detector; what it changes or makes too slow once more without it
	go test -race -shuffle=on -timeout=25m ./...
	go test -run='^TestSizing$$' ./prove
	go test -run='^TestPresets' ./sim
	go test -tags=server -run='^TestConfWithoutRules$$' ./dialect
	go test -tags=apart -run='^TestProjectApart$$' ./synth

# Servers that users still run besides the one in go.mod.
OLDER := 2.10.29 2.12.15

# Without a registry, a release that is not in the cache is left out, and said to be.
test-releases: ## every proof on older nats-servers, which weir prove --with gets
	@have=; \
	for v in $(OLDER); do \
	  if go run ./cmd/weir prove --proof wildcards --with $$v > /dev/null; then have=$$have:$$v; \
	  elif go list -m -versions github.com/nats-io/nats-server/v2 > /dev/null 2>&1; then echo "nats-server $$v cannot be built"; exit 1; \
	  else echo "SKIPPED: NO PROOF RAN ON nats-server $$v: it is neither on PATH nor in the cache, and no registry answers"; fi; done; \
	if [ -n "$$have" ]; then \
	  export WEIR_SERVERS=$${have#:}; filter='^2[.]1[0-4]'; \
	  go test -count=1 -run="^(TestProofs|TestHosts|TestServersEndWithParent|TestDesignOnOtherServers|TestDiskFull|TestDesignFillsItsStore)$$/$$filter" ./prove && \
	  go test -count=1 -run="^TestRuleProofs$$/$$filter" ./internal/cli; fi

test-wasm: ## the packages of the browser under js/wasm, in Node
	$(WASM) go test -exec="$(WASM_EXEC)/go_js_wasm_exec" $(PURE)

test-web: web/node_modules/.package-lock.json ## front end: types, units, and the studio in real Chromium
	cd web && npm run --silent check && npm test --silent
	@command -v chromium >/dev/null || [ -n "$$CHROMIUM" ] || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq chromium; \
	  else echo "Chromium is missing: install it, or name it in CHROMIUM"; exit 1; fi; }
	cd web && npm run --silent e2e

RELEASES := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

release: TAGS := -tags=release
release: PACK := --best
release: studio-build ## weir with the studio inside for each system, packed, with checksums, in release/
	rm -rf release && mkdir release
	@set -e; for t in $(RELEASES); do \
	  name=weir-$${t%/*}-$${t#*/}; exe=weir; [ $${t%/*} != windows ] || exe=weir.exe; \
	  echo $$name; mkdir release/$$name; cp LICENSE README.md CHANGELOG.md release/$$name; \
	  CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} go build $(TAGS) -trimpath -ldflags='-s -w' -o release/$$name/$$exe ./cmd/weir; \
	  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C release -czf release/$$name.tar.gz $$name; rm -r release/$$name; done
	cd release && sha256sum *.tar.gz > SHA256SUMS

performance: studio-build ## measure the studio in Chromium and write docs/performance.md; on a machine that does nothing else
	cd web && UPDATE=1 npx playwright test --config playwright.performance.ts

# Both ask data bases on the network.
audit: ## known vulnerabilities of what Weir is built from
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...
	cd web && npm audit

bench: ## benchmarks of the hot paths, ours beside the server's
	go test -run='^$$' -bench=. -benchmem ./subject ./design ./verdict ./lint ./size ./sim ./internal/calculator ./internal/engine

seeds: ## 200 seeds of the simulator, its invariants checked after every event
	WEIR_SEEDS=200 go test -count=1 -timeout=60m -run='^TestConservation$$' ./sim

fuzz: ## one minute for each fuzz target
	@for p in $$(grep -rl '^func Fuzz' --include=*_test.go . | xargs -n1 dirname | sort -u); do \
	  for f in $$(grep -ho '^func Fuzz[A-Za-z0-9]*' $$p/*_test.go | sed 's/func //'); do \
	    go test -run='^$$' -fuzz="^$$f$$" -fuzztime=60s $$p || exit 1; done; done

update-server: ## what another nats-server release changes: make update-server VERSION=2.16.0
	go run ./natsapi/internal/update -w $(VERSION)

update: ## rewrite goldens and generated files
	UPDATE=1 go test ./... || true
	go generate ./...
