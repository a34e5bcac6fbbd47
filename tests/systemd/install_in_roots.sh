#!/bin/bash
# `make test-install`: runs the installer to its end in bare roots of Debian Bookworm and Trixie, the systems under
# Raspberry Pi OS, then the doctor and the demo in there, the installer once more, and takes all of it away again.
#
#   tests/systemd/install_in_roots.sh [SUITE...]      (default: bookworm trixie)
#
# Wants root, debootstrap and a mirror of Debian; half a gigabyte a suite below ROOTS, where the bare roots are kept
# for the next time. No systemd runs in a root: the service is installed and verified, never started. What Raspberry Pi
# OS has and Debian lacks: raspi-config (a stand-in writes down what it was asked for), python3-lgpio (a package made of
# PyPI's wheel for Bookworm's Python; there is none for Trixie's, so its package is empty and the doctor has to notice),
# and python3-picamera2 (left out: the installer has to say that the camera will be missing).
set -euo pipefail

ROOTS=${ROOTS:-/var/cache/table-companion-roots}
SOURCE=$(cd -- "$(dirname -- "$0")/../.." && pwd)
NAME=table-companion
STATE=/var/lib/$NAME

fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }
skip() { printf 'NOT RUN: make test-install wants %s\n' "$*" >&2; exit 77; }

# A file system view of its own: what is mounted here is gone with this process, and nobody else sees it.
if [ -z "${OWN_MOUNTS:-}" ]; then
    [ "$(id -u)" -eq 0 ] || skip "root (sudo make test-install)"
    command -v debootstrap >/dev/null || skip "debootstrap (apt-get install debootstrap)"
    exec env OWN_MOUNTS=yes unshare --mount --propagation private "$0" "$@"
fi

# Run something in the root, with nothing of this shell's environment but the way to the network.
inside() {
    env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${https_proxy:+https_proxy="$https_proxy"} ${http_proxy:+http_proxy="$http_proxy"} chroot "$ROOT" "$@"
}

# Do one step, its output into a file; say how long it took, and show the file's end where it failed.
step() {
    local name=$1 began=$SECONDS
    shift
    "$@" >"$LOGS/$name" 2>&1 || { tail -n 30 "$LOGS/$name" >&2; fail "$SUITE: $name (all of it: $LOGS/$name)"; }
    printf 'ok      %-9s %-12s %4d s\n' "$SUITE" "$name" $((SECONDS - began))
}

expect() { grep -Eq -- "$2" "$LOGS/$1" || fail "$SUITE: $1 does not say: $2"; }
forbid() { ! grep -E -- "$2" "$LOGS/$1" || fail "$SUITE: $1 says: $2"; }

bare_root() {
    [ -e "$BASE/.complete" ] && return
    rm -rf "$BASE"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,ca-certificates "$SUITE" "$BASE"
    touch "$BASE/.complete"
}

fresh_root() {
    rm -rf "$ROOT"
    cp -a --reflink=auto "$BASE" "$ROOT"
    [ ! -L "$ROOT/proc" ] || fail "$ROOT/proc is a link: what is mounted there would land on this machine's"
    mount -t proc proc "$ROOT/proc"
    mount -t tmpfs tmpfs "$ROOT/tmp"
    # The machine's own way to the network and to its package index.
    cp -L /etc/resolv.conf "$ROOT/etc/resolv.conf"
    cp -L /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
    for config in etc/pip.conf etc/xdg/pip; do
        [ ! -e "/$config" ] || { mkdir -p "$ROOT/$(dirname "$config")" && cp -aL "/$config" "$ROOT/$config"; }
    done
    mkdir -p "$ROOT/root/companion" "$ROOT/usr/local/bin"
    git -C "$SOURCE" ls-files -z | tar -C "$SOURCE" --null -T - -c | tar -C "$ROOT/root/companion" -x
    printf '#!/bin/sh\necho "$*" >>/root/raspi-config.asked\n' >"$ROOT/usr/local/bin/raspi-config"
    chmod +x "$ROOT/usr/local/bin/raspi-config"
    mkdir -p "$ROOT/boot/firmware"
    echo "dtparam=audio=on" >"$ROOT/boot/firmware/config.txt"
}

# Make the package python3-lgpio, and a source of packages that has it.
lgpio_package() {
    local debs=$ROOT/root/debs
    local made=$debs/python3-lgpio
    mkdir -p "$made/DEBIAN" "$made/usr/lib/python3/dist-packages"
    printf '%s\n' "Package: python3-lgpio" "Version: 0" "Architecture: all" "Maintainer: nobody <nobody@localhost>" \
        "Depends: python3" "Description: stand-in of a test" >"$made/DEBIAN/control"
    if [ "$SUITE" = bookworm ]; then
        python3 -m pip download --quiet --no-deps --only-binary=:all: --dest "$ROOT/tmp" \
            --python-version 3.11 --platform "manylinux_2_34_$(uname -m)" lgpio
        python3 -m zipfile -e "$ROOT"/tmp/lgpio-*.whl "$made/usr/lib/python3/dist-packages"
    else
        touch "$made/usr/lib/python3/dist-packages/lgpio.py"
    fi
    inside dpkg-deb --build /root/debs/python3-lgpio /root/debs/python3-lgpio.deb
    {
        dpkg-deb --field "$debs/python3-lgpio.deb"
        echo "Filename: ./python3-lgpio.deb"
        echo "Size: $(stat -c %s "$debs/python3-lgpio.deb")"
        echo "SHA256: $(sha256sum <"$debs/python3-lgpio.deb" | cut -d' ' -f1)"
    } >"$debs/Packages"
    echo "deb [trusted=yes] file:/root/debs ./" >"$ROOT/etc/apt/sources.list.d/stand-ins.list"
}

INSTALL=/root/companion/systemd/install.sh

# picamera2 brings the system's numpy along: the program's numpy and OpenCV have to live beside what is built for it.
beside_the_systems_numpy() {
    # pywt is built for the system's numpy as picamera2's simplejpeg is, and fails beside one of another major version.
    inside /opt/$NAME/bin/python -c 'import numpy, pywt, cv2; print(numpy.__version__, cv2.__version__)'
}

doctor() {
    # No Pi, no pins: the doctor has to say so with status 1, and nothing else.
    local status=0
    inside $NAME doctor --bundle $STATE/report.zip || status=$?
    [ $status -eq 1 ]
}

demo() { inside runuser -u $NAME -- /opt/$NAME/bin/companion demo --fast --lang en --data $STATE/demo; }

verify() {
    inside systemd-analyze verify /etc/systemd/system/$NAME.service
    inside test -L /etc/systemd/system/multi-user.target.wants/$NAME.service
}

gone() {
    for path in /opt/$NAME /etc/systemd/system/$NAME.service /usr/local/bin/$NAME \
        /etc/polkit-1/rules.d/50-$NAME.rules; do
        inside test ! -e "$path"
    done
    inside test -e $STATE/settings.toml
}

try_suite() {
    SUITE=$1 BASE=$ROOTS/$1-base ROOT=$ROOTS/$1 LOGS=$ROOTS/$1-logs
    rm -rf "$LOGS"
    mkdir -p "$LOGS"
    step bare bare_root
    step root fresh_root
    step lgpio lgpio_package
    step install inside $INSTALL
    expect install 'no python3-picamera2'
    expect install 'systemd does not run here'
    grep -q 'do_i2c 0' "$ROOT/root/raspi-config.asked" || fail "$SUITE: I2C was not switched on"
    step verify verify
    forbid verify .
    step doctor doctor
    expect doctor 'lgpio'
    forbid doctor 'Traceback|--bundle FILE'
    step demo demo
    expect demo 'WR-18'
    forbid demo 'Traceback'
    echo 'lang = "ko"' >"$ROOT$STATE/settings.toml"
    step again inside $INSTALL
    grep -qx 'lang = "ko"' "$ROOT$STATE/settings.toml" || fail "$SUITE: the settings were not kept"
    step apt-numpy inside apt-get install -y --no-install-recommends python3-numpy python3-pywt
    step again-numpy inside $INSTALL
    step numpy beside_the_systems_numpy
    step demo-numpy demo
    step uninstall inside $INSTALL --uninstall
    step gone gone
    step purge inside $INSTALL --uninstall --purge
    inside test ! -e $STATE || fail "$SUITE: $STATE is still there"
    umount "$ROOT/proc" "$ROOT/tmp"
    rm -rf "$ROOT"
}

[ $# -gt 0 ] || set -- bookworm trixie
mkdir -p "$ROOTS"
for suite; do
    try_suite "$suite"
done
echo "test-install: all passed"
