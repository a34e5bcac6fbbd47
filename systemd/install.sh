#!/bin/sh
# From a fresh Raspberry Pi OS (Bookworm, Trixie) to a running service. Safe to run again: that is the upgrade.
#
#   sudo systemd/install.sh                       install or upgrade from this folder
#   sudo systemd/install.sh --dry-run             only say what would be done
#   sudo systemd/install.sh --uninstall           take it away; settings and records stay
#   sudo systemd/install.sh --uninstall --purge   those too
#
# DESTDIR=DIR puts all files below DIR.
set -eu

NAME=table-companion
HERE=$(cd -- "$(dirname -- "$0")" && pwd)
SOURCE=$(dirname -- "$HERE")
DESTDIR=${DESTDIR:-}
VENV=$DESTDIR/opt/$NAME
STATE=$DESTDIR/var/lib/$NAME
UNIT=$DESTDIR/etc/systemd/system/$NAME.service
COMMAND=$DESTDIR/usr/local/bin/$NAME
RULES=$DESTDIR/etc/polkit-1/rules.d/50-$NAME.rules
DRY=no

say() { printf '%s\n' "$*"; }
warn() { printf 'install.sh: %s\n' "$*" >&2; }

# Do one thing, or only say it.
run() {
    say "+ $*"
    [ "$DRY" = yes ] || "$@"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Tell whether systemd is at work here; in a chroot or an image being built it is not.
booted() { [ "$(systemctl is-system-running 2>/dev/null)" != offline ]; }

packages() {
    say "== Packages of the system: the pins' and the camera's libraries"
    export DEBIAN_FRONTEND=noninteractive
    run apt-get update || warn "the lists of packages could not be renewed; those at hand are used"
    run apt-get install -y --no-install-recommends python3 python3-venv python3-lgpio
    run apt-get install -y --no-install-recommends python3-picamera2 ||
        warn "there is no python3-picamera2 here: the camera will be missing, all is entered by hand"
    run apt-get install -y --no-install-recommends polkitd ||
        warn "there is no polkitd here: the menu cannot switch the Pi off"
}

buses() {
    say "== I2C and the camera"
    if ! has raspi-config; then
        warn "there is no raspi-config here: switch I2C and the camera on by hand"
        return
    fi
    if grep -Eqs '^ *screen_bus *= *"spi"' "$STATE/settings.toml"; then
        run raspi-config nonint do_spi 0 || warn "SPI could not be switched on: sudo raspi-config, Interface Options"
    fi
    run raspi-config nonint do_i2c 0 || warn "I2C could not be switched on: sudo raspi-config, Interface Options"
    for config in "$DESTDIR/boot/firmware/config.txt" "$DESTDIR/boot/config.txt"; do
        [ -f "$config" ] || continue
        # A camera named by its own overlay does without detection.
        grep -Eq '^(camera_auto_detect=1|dtoverlay=(imx|ov|arducam))' "$config" ||
            run raspi-config nonint set_config_var camera_auto_detect 1 "$config" ||
            warn "write camera_auto_detect=1 into $config"
        return
    done
}

user() {
    say "== The service's user"
    for group in gpio i2c spi video; do
        getent group "$group" >/dev/null || run groupadd --system "$group"
    done
    getent passwd "$NAME" >/dev/null ||
        run useradd --system --user-group --home-dir "/var/lib/$NAME" --no-create-home --shell /usr/sbin/nologin "$NAME"
    run usermod -aG gpio,i2c,spi,video "$NAME"
}

program() {
    say "== The program, in $VENV"
    version=$(python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    clear=
    if [ -d "$VENV/lib" ] && [ ! -d "$VENV/lib/$version" ]; then
        clear=--clear # the system has another Python by now
    fi
    run python3 -m venv --system-site-packages $clear "$VENV"
    say "+ versions > $VENV/versions.txt"
    [ "$DRY" = yes ] || versions >"$VENV/versions.txt"
    run "$VENV/bin/python" -m pip install --disable-pip-version-check --upgrade \
        --constraint "$VENV/versions.txt" "$SOURCE"
}

# Give the versions that were tested (requirements.lock). Where the system's numpy is of another major version, its
# picamera2 works with that one only: then numpy keeps to it, and pip finds the OpenCV that does so too.
versions() {
    lock=$(sed -n 's/^\([A-Za-z0-9._-]*==[^ ]*\)\( ;.*[^\ ]\)\{0,1\} *\\$/\1\2/p' "$SOURCE/requirements.lock")
    major=$(python3 -c 'import numpy; print(numpy.__version__.split(".")[0])' 2>/dev/null) || major=
    case $lock in
    *"numpy==${major:-}"*) say "$lock" ;;
    *)
        say "$lock" | grep -Ev '^(numpy|opencv-python-headless)=='
        say "numpy<$((major + 1))"
        ;;
    esac
}

files() {
    say "== Settings (kept if there are any), service, command"
    run install -d -m 750 "$STATE"
    if [ -e "$STATE/settings.toml" ]; then
        say "  $STATE/settings.toml is kept"
    else
        run install -m 644 "$HERE/settings.toml" "$STATE/settings.toml"
    fi
    [ -n "$DESTDIR" ] || run chown -R "$NAME:$NAME" "$STATE"
    run install -D -m 644 "$HERE/$NAME.service" "$UNIT"
    if [ "$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')" -ge 254 ] 2>/dev/null; then
        run install -D -m 644 "$HERE/backoff.conf" "$UNIT.d/backoff.conf"
    fi
    run install -D -m 755 "$HERE/$NAME.sh" "$COMMAND"
    run install -D -m 644 "$HERE/$NAME.rules" "$RULES"
}

start() {
    say "== Start"
    run systemctl enable "$NAME.service"
    if ! booted; then
        warn "systemd does not run here: the service starts with the next boot"
        return
    fi
    run systemctl daemon-reload
    run systemctl restart "$NAME.service" || warn "it does not run yet: sudo $NAME doctor says why"
    say "Now: sudo $NAME doctor    (after the first installation: sudo reboot, then the doctor)"
}

uninstall() {
    say "== Uninstall"
    if booted; then
        run systemctl disable --now "$NAME.service" || warn "there was no service to stop"
    else
        run systemctl disable "$NAME.service" || warn "there was no service"
    fi
    run rm -rf "$UNIT" "$UNIT.d" "$VENV" "$COMMAND" "$RULES"
    ! booted || run systemctl daemon-reload
    if [ "$PURGE" = yes ]; then
        run rm -rf "$STATE"
        ! getent passwd "$NAME" >/dev/null || run userdel "$NAME"
    else
        say "Settings and records stay in $STATE (--purge takes them too)."
    fi
}

DO=install
PURGE=no
for option in "$@"; do
    case $option in
    --dry-run) DRY=yes ;;
    --uninstall) DO=uninstall ;;
    --purge) PURGE=yes ;;
    *)
        sed -n '2,/^set/{/^#/p}' "$0"
        [ "$option" = --help ] && exit 0
        exit 2
        ;;
    esac
done
if [ "$PURGE" = yes ] && [ "$DO" != uninstall ]; then
    warn "--purge goes with --uninstall"
    exit 2
fi
if [ "$DRY" = no ] && [ -z "$DESTDIR" ] && [ "$(id -u)" -ne 0 ]; then
    warn "run it with sudo"
    exit 2
fi
if [ "$DO" = uninstall ]; then
    uninstall
else
    packages
    buses
    user
    program
    files
    start
fi
