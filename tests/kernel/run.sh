#!/bin/bash
# `make test-kernel`: boots a kernel of our own as an ordinary process and runs the tests of this folder in it, with
# the machine's own files, read-only, for a root. In there /dev/gpiochip0, /dev/i2c-1 and /dev/video0 are a kernel's
# own; what is simulated is the copper below them.
set -euo pipefail

HERE=$(cd -- "$(dirname -- "$0")" && pwd)
PYTHON=$HERE/../../.venv/bin/python
LIBRARIES=${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/pi-libraries
LIMIT_S=300

skip() { printf 'NOT RUN: make test-kernel: %s\n' "$*" >&2; exit 77; }

# In there /tmp is an empty one of its own.
for place in "$HERE" "$LIBRARIES"; do
    case $place in /tmp/*) skip "$place cannot be seen in there: use a clone and a cache outside /tmp" ;; esac
done
kernel=$("$HERE/build.sh") || { [ $? -eq 77 ] && skip "the reason stands above" || exit 1; }
# The Pi's pin library is no part of a desk's environment; Pi OS has it from apt.
[ -e "$LIBRARIES/lgpio.py" ] || "$PYTHON" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
    --target "$LIBRARIES" 'lgpio>=0.2.2' || skip "lgpio cannot be installed"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
timeout --foreground "$LIMIT_S" "$kernel" mem=512M panic=1 quiet \
    root=/dev/root rootfstype=hostfs rootflags=/ ro init="$HERE/guest.sh" \
    vivid.n_devs=1 vivid.node_types=0x1 vivid.num_inputs=1 vivid.input_types=0x0 \
    COMPANION_PYTHON="$PYTHON" COMPANION_LIBRARIES="$LIBRARIES" COMPANION_SOURCE="$HERE/../.." \
    </dev/null >"$log" 2>&1 || true
tr -d '\r' <"$log" | sed -n '/^kernel tests begin/,/^kernel tests end/p'
grep -q '^kernel tests end: 0' "$log" && exit 0
grep -q '^kernel tests begin' "$log" && exit 1
tail -n 30 "$log" >&2
echo "the kernel did not come up" >&2
exit 1
