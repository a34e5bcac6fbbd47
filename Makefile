# Two commands do everything: `make run` shows the companion at work, `make test` runs all tests.
# Both set up .venv from the locked list first; nothing else has to be installed but Python (>= 3.11), git and make.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: run test check test-kills test-install test-kernel test-camera accuracy bench lock clean

run: $(READY)
	$(BIN)/companion demo $(DEMO)

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -m "not slow"

# A thousand kills at random moments of play, with power cuts; a few minutes.
test-kills: $(READY)
	KILLS=1000 $(BIN)/python -m pytest -s tests/end_to_end/test_kills.py

# The installer to its end in bare roots of Debian Bookworm and Trixie; as root, some ten minutes.
test-install:
	tests/systemd/install_in_roots.sh

# The adapters over a kernel's own gpiochip and I2C bus; half a minute, and ten minutes once to build that kernel.
test-kernel: $(READY)
	tests/kernel/run.sh

# The camera's adapter over the real picamera2 and libcamera, in a root of Debian Trixie; as root, some minutes once.
test-camera:
	tests/camera/run.sh

# make accuracy PICTURES=DIR : how well the reader reads a folder of pictures with their truth
accuracy: $(READY)
	$(BIN)/python benchmarks/accuracy.py $(PICTURES)

bench: $(READY)
	$(BIN)/python benchmarks/replay.py
	$(BIN)/python benchmarks/speed.py companion/demo/photos/*.jpg
	$(BIN)/python benchmarks/device.py

lock: $(READY)
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  --python-version 3.11 --extra dev pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@
