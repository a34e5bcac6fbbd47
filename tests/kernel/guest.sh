#!/bin/sh
# The first and only program in the kernel of `make test-kernel`: devices as on a Pi, then the tests.
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for place in /run /tmp /dev/shm; do
    mkdir -p $place
    mount -t tmpfs tmpfs $place
done
mount -t configfs none /sys/kernel/config

# A chip of 54 lines under the name of the Pi 4's, and the revision of a Pi 4 B: by these gpiozero knows a Pi.
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank
echo 54 >$chip/bank/num_lines
echo pinctrl-bcm2711 >$chip/bank/label
echo 1 >$chip/live
{ cat /proc/cpuinfo; printf 'Hardware\t: BCM2835\nRevision\t: c03111\n'; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

export HOME=/tmp LG_WD=/run PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$COMPANION_SOURCE:$COMPANION_LIBRARIES"
GPIO_SIM="/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank/chip_name)"
export GPIO_SIM
cd "$COMPANION_SOURCE" || exit
echo "kernel tests begin: Linux $(uname -r)"
"$COMPANION_PYTHON" -m pytest -p no:cacheprovider --color=no -v tests/kernel
echo "kernel tests end: $?"
# Switching off: a first program that ends would be a panic
exec "$COMPANION_PYTHON" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'
