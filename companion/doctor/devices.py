"""The table's devices, each through the same code that the game uses."""

import errno
import fcntl
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from companion.doctor.check import Check, answer
from companion.settings import Settings
from hardware.board import open_board
from hardware.interfaces import Board, HardwareError

I2C_SLAVE = 0x0703
"""The ioctl that names the address to talk to (linux/i2c-dev.h)."""
SILENT = (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT, errno.ENODEV)
"""What different buses say where nobody answers."""
SCREENS_AT = (0x3C, 0x3D)
DARK = 20.0
"""Mean of a picture (0 to 255) below which no mat can be found."""
FRAME_S = 10.0

Ask = Callable[[Path, int], None]


def ask(bus: Path, address: int) -> None:
    """Read one byte from a device; raises OSError where the bus or the device does not answer."""
    descriptor = os.open(bus, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(descriptor, I2C_SLAVE, address)
        os.read(descriptor, 1)
    finally:
        os.close(descriptor)


def pins(own: Settings, *, held: bool) -> list[Check]:
    """Open the pin factory, then take each pin by itself."""
    from hardware.clock import SystemClock  # noqa: PLC0415 - devices are imported when they are used
    from hardware.pi.buttons import GpioButtons  # noqa: PLC0415
    from hardware.pi.pin_factory import open_pin_factory  # noqa: PLC0415

    factory = own.board.pin_factory
    if held:
        return [Check("pin-factory", "ok", "held", {"factory": factory})]
    try:
        open_pin_factory(factory).close()
    except HardwareError as error:
        return [Check("pin-factory", "fail", "broken", {"factory": factory, "detail": str(error)})]
    found = [Check("pin-factory", "ok", facts={"factory": factory})]
    for button, number in own.board_settings().pins.items():
        buttons = GpioButtons({button: int(number)}, lambda: open_pin_factory(factory), SystemClock())
        facts = {"button": button, "number": number}
        try:
            buttons.listen(lambda _: None)
            found.append(Check("pin", "ok", facts=facts))
        except HardwareError as error:
            found.append(Check("pin", "fail", "broken", {**facts, "detail": str(error)}))
        finally:
            buttons.close()
    return found


def i2c(own: Settings, root: Path, ask_device: Ask) -> list[Check]:
    """Ask the screen's address, and where a screen usually is if nobody answers there."""
    bus = root / "dev" / f"i2c-{own.board.i2c_port}"
    wanted = own.board.i2c_address
    facts = {"port": own.board.i2c_port, "address": f"{wanted:#04x}"}
    if not bus.exists():
        return [Check("i2c", "fail", "no-bus", facts)]
    answering = []
    for address in dict.fromkeys((wanted, *SCREENS_AT)):
        try:
            ask_device(bus, address)
            answering.append(address)
        except PermissionError:
            return [Check("i2c", "fail", "forbidden", facts)]
        except OSError as error:
            if error.errno not in SILENT:
                return [Check("i2c", "fail", "broken", {**facts, "detail": error.strerror or str(error)})]
        if wanted in answering:
            return [Check("i2c", "ok", facts=facts)]
    if answering:
        return [Check("i2c", "fail", "elsewhere", {**facts, "found": f"{answering[0]:#04x}"})]
    return [Check("i2c", "fail", "silent", facts)]


def screen(own: Settings, *, held: bool) -> list[Check]:
    """Show a frame for a moment; a running companion keeps its screen."""
    from PIL import Image, ImageDraw  # noqa: PLC0415

    facts = {"driver": own.board.screen}
    if held:
        return [Check("screen", "ok", "held", facts)]
    board = open_board(own.board_settings())
    image = Image.new("1", board.screen.size)
    ImageDraw.Draw(image).rectangle((0, 0, image.width - 1, image.height - 1), outline=1)
    try:
        board.screen.show(image)
    except HardwareError as error:
        return [Check("screen", "fail", "broken", {**facts, "detail": str(error)})]
    finally:
        board.close()
    return [Check("screen", "ok", facts=facts)]


def cameras(own: Settings, *, held: bool) -> list[Check]:
    """Ask libcamera's own program which cameras there are; without it the picture has to tell."""
    said = None if held or own.board.camera != "picamera2" else answer("rpicam-hello", "--list-cameras")
    if said is None:
        return []
    found = re.findall(r"^\s*\d+ : (\S+)", said, re.MULTILINE)
    if not found:
        return [Check("cameras", "fail", "none")]
    return [Check("cameras", "ok", facts={"cameras": ", ".join(found)})]


def camera(own: Settings, *, held: bool) -> list[Check]:
    """Take one picture and look whether it is bright enough; a running companion keeps its camera."""
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:ERROR")
    if own.board.camera == "none":
        return [Check("camera", "ok", "off")]
    if held:
        return [Check("camera", "ok", "held")]
    try:
        board = open_board(own.board_settings())
    except HardwareError as error:
        return [Check("camera", "fail", "broken", {"detail": str(error)})]
    try:
        return [_picture(board)]
    except HardwareError as error:
        return [Check("camera", "fail", "broken", {"detail": str(error)})]
    finally:
        board.close()


def _picture(board: Board) -> Check:
    picture = board.camera.frame(time.monotonic(), FRAME_S).picture
    light = float(picture.mean())
    facts = {"width": picture.shape[1], "height": picture.shape[0], "light": round(light)}
    return Check("camera", "warn" if light < DARK else "ok", "dark" if light < DARK else "ok", facts)
