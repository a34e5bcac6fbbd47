#!/bin/bash
# Builds the kernel of `make test-kernel` from Debian's own source and prints where it lies. It is kept outside the
# clone, by what it is made of; seven minutes of a processor the first time, nothing after that.
#
# Exit status 77: it cannot be built here, and the reason stands on stderr.
set -euo pipefail

HERE=$(cd -- "$(dirname -- "$0")" && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/kernel
SERIES=linux-source-6.1

skip() { printf 'the kernel cannot be built: %s\n' "$*" >&2; exit 77; }

[ "$(uname -m)" = x86_64 ] || skip "user-mode Linux runs on x86-64, this is $(uname -m)"
made_of=$(cat "$HERE/build.sh" "$HERE/kernel.config" "$HERE/oled_bus.c" | sha256sum | cut -c1-16)
kernel=$CACHE/linux-$made_of
if [ ! -x "$kernel" ]; then
    for tool in apt-get dpkg-deb gcc make flex bison bc xz; do
        command -v "$tool" >/dev/null || skip "$tool is missing (sudo apt-get install gcc make flex bison bc xz-utils)"
    done
    work=$(mktemp -d "${TMPDIR:-/tmp}/companion-kernel.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    apt-get download -qq -o APT::Sandbox::User=root "$SERIES" >&2 || skip "apt-get download $SERIES fails (apt-get update?)"
    echo "building the kernel, once: some ten minutes" >&2
    dpkg-deb --fsys-tarfile "$SERIES"_*.deb | tar -xO "./usr/src/$SERIES.tar.xz" | tar -xJ
    cd "$SERIES"
    cp "$HERE/oled_bus.c" drivers/i2c/
    echo 'obj-y += oled_bus.o' >>drivers/i2c/Makefile
    # Linux 6.1 keeps 2696 bytes for a processor's registers, and ptrace wants all of them: with AMX there are 11008.
    sed -i 's/HOST_FP_SIZE, 2696/HOST_FP_SIZE, 12288/' arch/x86/um/user-offsets.c
    grep -q 'HOST_FP_SIZE, 12288' arch/x86/um/user-offsets.c
    {
        make -s ARCH=um KCONFIG_ALLCONFIG="$HERE/kernel.config" allnoconfig
        while IFS= read -r line; do
            grep -qxF "$line" .config || echo "this kernel has no option $line"
        done < <(grep '^CONFIG_' "$HERE/kernel.config" | grep -v '=n$')
        make -s ARCH=um -j"$(nproc)"
    } >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
    if grep '^this kernel has no' "$work/log" >&2; then exit 1; fi
    mkdir -p "$CACHE"
    strip -o "$kernel.part" linux
    mv "$kernel.part" "$kernel"
fi
echo "$kernel"
