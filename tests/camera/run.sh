#!/bin/bash
# `make test-camera`: the camera's adapter over the real picamera2 and libcamera, in a bare root of Debian Trixie, the
# system under Raspberry Pi OS. Only the sensor is none: libcamera's `virtual` pipeline shows pictures from a folder.
#
# Wants root, debootstrap and a mirror of Debian. The root (a gigabyte) is kept below ROOTS for the next time.
set -euo pipefail

HERE=$(cd -- "$(dirname -- "$0")" && pwd)
SOURCE=$HERE/../..
ROOTS=${ROOTS:-/var/cache/table-companion-roots}
ROOT=$ROOTS/trixie-camera
LOG=$ROOTS/trixie-camera.log

skip() { printf 'NOT RUN: make test-camera wants %s\n' "$*" >&2; exit 77; }
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }

# A file system view of its own: what is mounted here is gone with this process, and nobody else sees it.
if [ -z "${OWN_MOUNTS:-}" ]; then
    [ "$(id -u)" -eq 0 ] || skip "root (sudo make test-camera)"
    command -v debootstrap >/dev/null || skip "debootstrap (apt-get install debootstrap)"
    exec env OWN_MOUNTS=yes unshare --mount --propagation private "$0" "$@"
fi

inside() {
    env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive ${https_proxy:+https_proxy="$https_proxy"} \
        ${http_proxy:+http_proxy="$http_proxy"} chroot "$ROOT" "$@"
}

mounted() {
    [ ! -L "$ROOT/proc" ] || fail "$ROOT/proc is a link: what is mounted there would land on this machine's"
    mount -t proc proc "$ROOT/proc"
    mount --bind /dev "$ROOT/dev"
    mount -t tmpfs tmpfs "$ROOT/tmp"
    # The machine's own way to the network and to its package index
    cp -L /etc/resolv.conf "$ROOT/etc/"
    for file in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
        [ ! -e "$file" ] || install -D -m 644 "$file" "$ROOT$file"
    done
}

make_root() {
    rm -rf "$ROOT"
    debootstrap --variant=minbase --include=ca-certificates,udev trixie "$ROOT"
    mounted
    inside apt-get install -y --no-install-recommends python3-libcamera libcamera-ipa python3-venv python3-pip \
        python3-numpy python3-opencv python3-pil gcc libc6-dev python3-dev libcap-dev
    inside python3 -m venv --system-site-packages /opt/venv
    inside /opt/venv/bin/pip install --disable-pip-version-check --upgrade setuptools wheel
    # PiDNG's build asks for a setup of distutils that an isolated build no longer finds
    inside /opt/venv/bin/pip install --disable-pip-version-check --no-build-isolation picamera2 pytest hypothesis
    touch "$ROOT/.complete"
}

mkdir -p "$ROOTS"
if [ -e "$ROOT/.complete" ]; then
    mounted
else
    echo "making a root with libcamera and picamera2, once: some minutes (log: $LOG)" >&2
    make_root >"$LOG" 2>&1 || { tail -n 20 "$LOG" >&2; fail "the root cannot be made (all of it: $LOG)"; }
fi
# -fno-builtin: else the compiler makes a malloc of calloc, which is this malloc
gcc -O2 -Wall -Wextra -fno-builtin -shared -fPIC -o "$ROOT/opt/virtual.so" "$HERE/virtual.c" -ldl
install -D -m 644 "$HERE/virtual.yaml" "$ROOT/usr/share/libcamera/pipeline/virtual/virtual.yaml"
mkdir -p "$ROOT/opt/companion" "$ROOT/opt/frames"
mount --bind -o ro "$SOURCE" "$ROOT/opt/companion"
mount -t tmpfs tmpfs "$ROOT/opt/frames"
# picamera2 itself uses deprecated names, which is none of our business
inside env LD_PRELOAD=/opt/virtual.so PYTHONPATH=/opt/companion PYTHONDONTWRITEBYTECODE=1 COMPANION_FRAMES=/opt/frames \
    LIBCAMERA_LOG_LEVELS='*:ERROR' sh -c 'cd /opt/companion && exec timeout 300 \
    /opt/venv/bin/python -m pytest -p no:cacheprovider -W ignore::DeprecationWarning tests/camera'
