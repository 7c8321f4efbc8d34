# procd: everything a newcomer needs. `make help` lists it.

PREFIX ?= /usr/local
SWIFT ?= swift
# dpkg's name of the architecture that programs and package are for. Another one than this machine's needs a Swift SDK
# (`swift sdk list`), and the libraries of that architecture: make deb ARCH=arm64 SWIFT_SDK=NAME
NATIVE := $(shell dpkg --print-architecture 2>/dev/null || uname -m)
ARCH ?= $(NATIVE)
SWIFT_SDK ?=
BUILD := $(if $(SWIFT_SDK),.build-$(ARCH),.build)
# What runs is linked against nothing of Swift that would have to be installed. Where the sources lie is written into no
# program; only how long that path is: GRDB's `try!` has it, which no flag maps.
# Without colors, whose flag would have all compiled again where one build has a terminal and the next has none.
FLAGS := -c release --no-color-diagnostics --static-swift-stdlib --scratch-path $(BUILD) $(if $(SWIFT_SDK),--swift-sdk $(SWIFT_SDK)) \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
# One build serves all tests: the same release code, with its internals visible to them.
TEST_FLAGS := -c release -Xswiftc -enable-testing --scratch-path .build-test
PROGRAMS := procd procd-daemon procd-worker procd-worker-ocr procd-net procd-fleet procd-web
BIN := $(BUILD)/release
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# The end of the version of a package made here: deb12, deb13.
SYSTEM := $(shell . /etc/os-release 2>/dev/null && echo "$$ID$${VERSION_ID:-$$VERSION_CODENAME}" | sed 's/^debian/deb/')
VERSION := $(shell sed -n 's/.*static let number = "\(.*\)".*/\1/p' Sources/ReadingArguments/ProgramVersion.swift 2>/dev/null)

# What runs programs of another architecture, for their completions: RUN="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
RUN ?=

# Where `make install` puts things.
ROOT = $(DESTDIR)$(PREFIX)
DOC = $(ROOT)/share/doc/procd
MAN = $(ROOT)/share/man/man1
BASH = $(ROOT)/share/bash-completion/completions
ZSH = $(ROOT)/share/zsh/site-functions
FISH = $(ROOT)/share/fish/vendor_completions.d
UNITS = $(ROOT)/lib/systemd/system

BUILD_PACKAGES := pkg-config libtesseract-dev libleptonica-dev libheif-dev libtiff-dev libmagic-dev zlib1g-dev libsqlite3-dev \
  libespeak-ng-dev libsndfile1-dev libharfbuzz-dev libfribidi-dev libfontconfig-dev libxml2-dev libcurl4-openssl-dev libssl-dev \
  libnats-dev libzbar-dev
RUN_PACKAGES := poppler-utils tesseract-ocr-eng tesseract-ocr-osd libmagic-mgc espeak-ng-data fonts-dejavu-core fontconfig-config
# Packages of their own since Debian 13.
HEIF_ENCODERS := $(if $(filter deb12,$(SYSTEM)),,libheif-plugin-x265 libheif-plugin-aomenc)
TEST_PACKAGES := acl bindfs e2fsprogs node-typescript poppler-utils procps qpdf xfsprogs python3 python3-pil python3-reportlab fonts-dejavu-core tesseract-ocr-deu \
  tesseract-ocr-rus $(HEIF_ENCODERS) libxml2-utils pandoc python3-openpyxl curl libheif-examples openssh-server proftpd-core proftpd-mod-crypto dovecot-imapd nats-server iproute2
BROWSER_PACKAGES := chromium chromium-driver fonts-dejavu-core python3 python3-selenium

.PHONY: help run build test smoke quality test-packages test-notes test-browser browser fuzz faults soak load lint format bench install \
  install-built deb deb-built dist dist-built manual docs site clean deps test-deps

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

run: build ## build, put the samples into the inbox on the first start, and watch
	@if [ ! -e inbox ] && [ ! -e spool ]; then \
	  echo "First start: putting samples into inbox/"; \
	  mkdir -p inbox; \
	  for sample in letter-photo.jpg report-mixed.pdf status-2012-06-01.pdf status-2012-06-15.pdf; do \
	    cp docs/samples/$$sample inbox/; \
	  done; \
	  echo "  letter-photo.jpg        a tilted photo: outbox/letter-photo.pdf is upright and can be searched"; \
	  echo "  report-mixed.pdf        two columns, and a page that is only scanned: outbox/report-mixed.txt has both"; \
	  echo "  status-2012-06-*.pdf    a list and its next edition: outbox/status-2012-06-15.csv has its rows"; \
	  sed "s/@0@/$$(date +%Y%m%d)/g; s/@1@/$$(date -d tomorrow +%Y%m%d)/g" docs/samples/guide.xml.in > .build/guide.xml; \
	  echo "A TV guide:     $(BIN)/procd guide load .build/guide.xml && $(BIN)/procd guide page -o .build/guide.html"; \
	  echo "A PDF's notes:  $(BIN)/procd notes list docs/samples/noted.pdf --markdown"; \
	  echo "To see a failure: cp docs/samples/locked.pdf inbox/ (its password is harbour: try it on the page)"; \
	fi
	$(BIN)/procd run --open pipelines.json

build: deps ## build the programs into .build/release
	@test -d .build/release \
	  || echo "Building procd and the libraries it uses: about six minutes on two cores; later only what has changed."
	$(SWIFT) build $(FLAGS)
	Packaging/lay-out-plugins $(BIN) $(BIN)/plugins

test: deps test-deps lint ## check the formatting, build, and run all tests
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	/usr/bin/python3 Tests/Quality/quality.py --sample --procd "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)/procd"
	PROCD_PROGRAMS="$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)" Tests/run

ROOMS ?=
smoke: deps test-deps ## the tests of the rooms that were changed since the last commit (or ROOMS="Pipelines Outbox"), debug build
	SWIFT=$(SWIFT) Tests/smoke $(ROOMS)

SECONDS ?= 60
TARGETS ?=
fuzz: deps ## run the fuzz targets, SECONDS each; TARGETS="cmap page" for some of them
	Tests/Fuzzing/run $(SECONDS) $(TARGETS)

LIMIT ?=
faults: build test-deps ## kills, errors and power cuts at every call of a run, as root; LIMIT=100 for a sample
	Tests/Faults/all.py --programs $(BIN) $(if $(LIMIT),--limit $(LIMIT))

HOURS ?= 1
soak: build test-deps ## HOURS of files of all kinds with kills; memory, descriptors and disk must stay flat
	Tests/Faults/soak.py --programs $(BIN) --hours $(HOURS) --place soak

load: build test-deps ## files a second, latency, and a burst of 100,000 files, as root
	Tests/Faults/load.py --programs $(BIN) --burst 100000

PYTHON ?= python3
ARGS ?=
quality: build test-deps ## how well documents are read, against floors; ARGS="--peers", "--seed 7", "ablate", "ablate --rules"
	$(PYTHON) Tests/Quality/quality.py $(ARGS) --procd $(BIN)/procd --place .build/quality

test-notes: build test-deps ## notes written by procd as poppler, MuPDF, PDFium and pypdf read and show them (PYTHON=… with pymupdf, pypdfium2)
	$(PYTHON) Tests/Notes/proof.py --program $(BIN)/procd-notes

test-browser: build browser-deps ## the page of `procd speak` in a real browser
	Tests/Browser/listen.py --programs $(BIN)

test-page: build ## procd's page in a real browser (PYTHON=… with playwright and axe-core-python, URL=… of `procd web open`)
	$(PYTHON) Tests/Browser/page.py --url "$(URL)" --pictures .build/page

lint: ## check the formatting and the rules of .swift-format
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Plugins Tests

format: ## format all sources
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Plugins Tests

browser: build browser-deps ## look at the programme guide's page in headless Chromium
	mkdir -p .build/browser/state
	Benchmarks/guide/make-guide.py --start "$$(date -d yesterday +%Y%m%d)" > .build/browser/guide.xml
	for words in "load .build/browser/guide.xml" "page -o .build/browser/guide.html"; do \
	  PROCD_COMMAND=guide PROCD_STATE=.build/browser/state $(BIN)/procd-guide $$words || exit 1; \
	done
	/usr/bin/python3 Tests/Browser/guide.py .build/browser/guide.html --pictures .build/browser

bench: build ## measure start-up, text and recognition on the samples
	Benchmarks/run $(BIN)

install: build install-built ## install below PREFIX (/usr/local)
	@echo "installed below $(ROOT); start with: procd run"

# Laid out as here, so that what the documents link to is there.
define documents
	install -d $(1)/Plugins $(1)/Packaging
	install -m 644 pipelines.json *.md LICENSE NOTICE $(1)/
	cp -R docs $(1)/
	cp -R Plugins/README.md Plugins/Examples $(1)/Plugins/
	cp -R Packaging/systemd $(1)/Packaging/
	rm $(1)/docs/procd.1 $(1)/docs/make-manual.py $(1)/docs/samples/make-samples.py
endef

install-built:
	install -d $(MAN) $(BASH) $(ZSH) $(FISH) $(UNITS) $(ROOT)/bin \
	  $(ROOT)/libexec/procd $(ROOT)/lib/procd/plugins
	install $(BIN)/procd $(ROOT)/bin/
	install $(addprefix $(BIN)/,$(filter-out procd,$(PROGRAMS))) $(ROOT)/libexec/procd/
	Packaging/lay-out-plugins $(BIN) $(ROOT)/lib/procd/plugins
	$(RUN) $(BIN)/procd-daemon --generate-completion-script bash > $(BASH)/procd
	sed -i '1{/^#!/d}' $(BASH)/procd
	$(RUN) $(BIN)/procd-daemon --generate-completion-script zsh > $(ZSH)/_procd
	$(RUN) $(BIN)/procd-daemon --generate-completion-script fish > $(FISH)/procd.fish
	RUN="$(RUN)" Packaging/add-completions $(ROOT)/lib/procd/plugins $(BASH)/procd $(ZSH)/_procd $(FISH)/procd.fish
	install -m 644 docs/procd.1 $(MAN)/
	for unit in Packaging/systemd/*; do \
	  sed 's,/usr/\(bin\|share\)/,$(PREFIX)/\1/,' $$unit > $(UNITS)/$${unit##*/} || exit 1; \
	done
	$(call documents,$(DOC))

DIST := dist
# Names and tools for the architecture of the package.
architecture = $(shell dpkg-architecture -f -a $(ARCH) -q $(1) 2>/dev/null)
PACKAGE = procd_$(VERSION)~$(SYSTEM)_$(ARCH).deb
RELEASE = SOURCE_DATE_EPOCH=$$(Packaging/source-date) ARCH=$(ARCH) SYSTEM=$(SYSTEM) MACHINE=$(call architecture,DEB_HOST_GNU_CPU) \
  STRIP="$(if $(filter $(NATIVE),$(ARCH)),,$(call architecture,DEB_HOST_GNU_TYPE)-)strip --strip-unneeded \
  $(addprefix --remove-section=,.comment .note .ARM.attributes)" \
  SWIFT_VERSION=$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
deb: build deb-deps ## a Debian package, and the list of what is in it (SPDX), in dist/
	$(MAKE) -s deb-built

deb-built:
	rm -rf $(DIST)/tree
	$(MAKE) -s install-built BIN=$(BIN) DESTDIR=$(DIST)/tree PREFIX=/usr
	$(RELEASE) Packaging/make-deb $(DIST)/tree $(VERSION) $(DIST)
	rm -rf $(DIST)/tree

dist: build deb-deps ## the Debian package and a tar.gz for any place, with checksums, in dist/
	$(MAKE) -s dist-built

dist-built: deb-built
	$(RELEASE) Packaging/make-tar $(BIN) $(VERSION) $(DIST)

test-packages: deb package-test-deps site ## install, upgrade, remove and purge the package on a fresh Debian of its release, as root; build a plugin in a Swift package
# Once more, as somebody else would build it: the same bytes.
	umask 077; TZ=Pacific/Auckland $(MAKE) -s deb-built DIST=.build/again
	cmp .build/again/$(PACKAGE) $(DIST)/$(PACKAGE)
	$(SUDO) Tests/Packages/package.py --deb $(DIST)/$(PACKAGE)
	Tests/Packages/swift_plugin.py --programs $(BIN)

manual: build ## write docs/procd.1 anew from the commands' declarations
	docs/make-manual.py $(BIN)/procd-daemon > docs/procd.1

DOCC ?= docc
# Graphs of symbols are written by flags of their own, so these modules are built apart.
DOCS_BUILD := .build-docs
DOCS_GRAPHS = $(abspath $(DOCS_BUILD))/graphs
# One library as web pages: its name, the folder of its catalog, and its modules.
define reference
	rm -rf $(DOCS_GRAPHS)/$(1).library .build/docs/$(1)
	mkdir -p $(DOCS_GRAPHS)/$(1).library .build/docs
	for module in $(3); do cp $(DOCS_GRAPHS)/$$module.symbols.json $(DOCS_GRAPHS)/$(1).library/ || exit 1; done
	$(DOCC) convert $(2)/$(1).docc --additional-symbol-graph-dir $(DOCS_GRAPHS)/$(1).library \
	  --warnings-as-errors --output-path .build/docs/$(1)
endef

docs: deps ## the reference of the libraries PluginKit and PDFEngine as web pages in .build/docs
	mkdir -p $(DOCS_GRAPHS)
	for target in PluginKit PDFText PDFWriter; do \
	  $(SWIFT) build --scratch-path $(DOCS_BUILD) --target $$target -Xswiftc -emit-symbol-graph \
	    -Xswiftc -emit-symbol-graph-dir -Xswiftc $(DOCS_GRAPHS) || exit 1; \
	done
	$(call reference,PluginKit,Sources/PluginKit,PluginKit)
	$(call reference,PDFEngine,Sources/PDFText,Bytes PDFSyntax PDFText PDFWriter)

site: ## the documents as a site in dist/site, to be read from a server or from a disk; its links are checked
	$(call need,mkdocs mkdocs-material python3)
	rm -rf .build/site $(DIST)/site
	$(call documents,.build/site)
	/usr/bin/mkdocs build --quiet --strict --config-file Packaging/site/mkdocs.yml --site-dir $(abspath $(DIST))/site
	Tests/Packages/site.py $(DIST)/site

clean: ## remove what was built
	rm -rf .build .build-* dist

# Empty, or what Packaging/need does on systems where procd was not tried: install, or take all for installed.
DEPS ?=
need = @DEPS=$(DEPS) Packaging/need $(1)

deps:
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.3 is needed: https://swift.org/install" >&2; exit 1; }
	$(call need,$(BUILD_PACKAGES) $(RUN_PACKAGES))

test-deps:
	$(call need,$(TEST_PACKAGES))

browser-deps:
	$(call need,$(BROWSER_PACKAGES))

deb-deps:
	$(call need,dpkg-dev binutils python3)

package-test-deps:
	$(call need,debootstrap lintian systemd-container)
