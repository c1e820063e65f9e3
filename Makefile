# `make demo` and `make test` set up what they need and run; everything else is a part of them.
SWIFT ?= swift
# Where `make demo` leaves its database.
DEMO ?= .build/demo
# How long `make soak` and `make fuzz` go on.
MINUTES ?= 5
# CI sets `-Xswiftc -warnings-as-errors`.
FLAGS ?=
# What `make bench` and `make counts` are told: scripts/bench.sh, scripts/counts.sh.
export QUICK ONLY ROUNDS TABLE RECORD FLAGS SECONDS_EACH CONNECTIONS EXAMPLES
# Where `make install` puts things: scripts/install.sh.
export PREFIX DESTDIR

comma := ,

# What the benchmarks' own package is made of, without what was built there.
BENCHMARKS = Benchmarks/Package.swift Benchmarks/Sources

.PHONY: server load all demo demo-postgres demo-clr test test-slow test-postgres random soak nightly bench counts docs faults mutants fuzz lint format install
.PHONY: uninstall setup setup-tests setup-slow clean help

help:
	@sed -n 's/^## //p' Makefile | sed 's/\$$\$$/$$/'

all: lint test test-slow demo

## make demo     builds, imports the Pokédex of the first generation into SQLite and asks it some questions
demo: setup
	$(SWIFT) build --product repokit $(FLAGS)
	@bash scripts/demo.sh "$$($(SWIFT) build --show-bin-path)/repokit" $(DEMO)

## make demo-postgres  asks the same of a private PostgreSQL server, and compares the answers
demo-postgres: setup-tests
	$(SWIFT) build --product repokit $(FLAGS)
	@bash scripts/demo-postgres.sh "$$($(SWIFT) build --show-bin-path)/repokit" $(DEMO)

## make demo-clr  tests Examples/ColorLists, a package of its own, and runs the session of its README
demo-clr: setup
	cd Examples/ColorLists && $(SWIFT) build --build-tests $(FLAGS)
	cd Examples/ColorLists && $(SWIFT) test --skip-build $(FLAGS)
	@SWIFT="$(SWIFT)" bash scripts/check-appkit.sh
	@bash scripts/demo-clr.sh "$$($(SWIFT) build --package-path Examples/ColorLists --show-bin-path)/clr"

## make test     builds and runs the main tests, or some of all tests, and prints what failed: make test ONLY=CommitTests
test: $(if $(ONLY),setup-slow,setup-tests)
	@SWIFT="$(SWIFT)" python3 scripts/test.py $(if $(ONLY),--only $(patsubst %,'%',$(subst $(comma), ,$(ONLY))),--quick)

## make test-slow  builds and runs the others: random questions, whole contracts over every store, programs that are killed, corners
test-slow: setup-slow
	@SWIFT="$(SWIFT)" python3 scripts/test.py --slow

## make test-postgres  runs the tests of PostgreSQL alone, with the server of REPOKIT_POSTGRES or a private one
test-postgres: setup-tests
	@SWIFT="$(SWIFT)" python3 scripts/test.py --postgres \
	  --only $(patsubst %,'^PostgresStoreTests\..*%',$(or $(subst $(comma), ,$(ONLY)),.))

## make random   runs the tests of libraries, with ten times as many random questions
random: setup-slow
	@SWIFT="$(SWIFT)" REPOKIT_FULL=1 python3 scripts/test.py --skip '^(repokitTests|LineEditorTests)'

## make soak     asks memory, SQLite, PostgreSQL and a web API random questions, and writes to them, for longer: make soak MINUTES=10
soak: setup-tests
	@SWIFT="$(SWIFT)" python3 scripts/soak.py $(MINUTES)

## make faults   kills, fills, damages and crowds databases, and prints what came of it: docs/reliability.md
faults: setup
	@SWIFT="$(SWIFT)" bash scripts/faults.sh $(EXPERIMENTS)

## make mutants  breaks the sources in known ways, and checks that tests fail: make mutants ONLY=commit
mutants: setup
	@SWIFT="$(SWIFT)" python3 scripts/mutants.py $(subst $(comma), ,$(ONLY))

## make fuzz     feeds every reader, of queries, rows and requests, with inputs that libFuzzer makes up: make fuzz MINUTES=10 ONLY=h
fuzz: setup
	@bash scripts/fuzz.sh $(MINUTES) $(ONLY)

## make nightly  runs all that takes a night: random questions, faults, a long run, mutants, fuzzing, sanitizers: make nightly MINUTES=60
nightly: setup-slow
	@SWIFT="$(SWIFT)" bash scripts/nightly.sh $(MINUTES)

## make bench    compares speed with hand-written C calls and GRDB, also on PostgreSQL: make bench QUICK=1, make bench ONLY=find,count
bench: setup
	@SWIFT="$(SWIFT)" bash scripts/bench.sh

## make counts   checks how many instructions and allocations the main workloads take: make counts RECORD=1
counts: setup
	@SWIFT="$(SWIFT)" bash scripts/counts.sh

## make docs     builds the site of the documentation in .build/docs/site, and fails where a link leads nowhere
docs: setup
	@SWIFT="$(SWIFT)" bash scripts/docs.sh

## make install  installs repokit with its manual page and completions: make install PREFIX=$$HOME/.local
install: setup
	@SWIFT="$(SWIFT)" bash scripts/install.sh

## make uninstall  removes them
uninstall:
	@bash scripts/install.sh remove

## make lint     checks the layout of the code, the order of its folders, the English of messages, the generated clauses, and the documentation of public declarations
lint:
	@python3 scripts/layers.py
	@python3 scripts/wording.py
	@python3 Tests/repokitTests/Slow/Clauses/generate.py --check
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Examples Faults Fuzz $(BENCHMARKS)

## make format   lays the code out
format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples Faults Fuzz $(BENCHMARKS)

## make setup    installs SQLite's library and shell where they are missing
setup:
	@bash scripts/setup.sh

setup-tests:
	@bash scripts/setup.sh tests

# What slow tests need besides.
setup-slow: setup-tests
	@bash scripts/openapi-validator.sh

## make server   tests Examples/PokedexServer, a package of its own with Hummingbird
server:
	cd Examples/PokedexServer && $(SWIFT) test

## make load     puts that server under load, slow clients, endless bodies and made-up requests: make load SECONDS_EACH=10
load: setup
	@SWIFT="$(SWIFT)" bash scripts/load.sh

## make clean    removes what was built
clean:
	rm -rf .build Benchmarks/.build Examples/PokedexServer/.build Examples/ColorLists/.build
