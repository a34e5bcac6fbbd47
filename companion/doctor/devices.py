"""The table's devices, each through the same code that the game uses."""

import errno
import fcntl
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.doctor.check import Check, answer
from companion.settings import Settings
from hardware.board import I2C_ADDRESSES, open_board
from hardware.interfaces import Board, HardwareError

I2C_SLAVE = 0x0703
"""The ioctl that names the address to talk to (linux/i2c-dev.h)."""
SILENT = (errno.ENXIO, errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT, errno.ENODEV)
"""What different buses say where nobody answers."""
SCREENS_AT = (0x3C, 0x3D)
FRAME_S = 10.0
FAULTS = {"dark": Check("light", "warn", "dark"), "glare": Check("light", "warn", "glare")}
"""What keeps a whole picture from being read; else it is blurred."""

Ask = Callable[[Path, int], None]


def ask(device: Path, address: int) -> None:
    """Read one byte from whoever has an address; raises OSError where the bus or the address does not answer."""
    descriptor = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.ioctl(descriptor, I2C_SLAVE, address)
        os.read(descriptor, 1)
    finally:
        os.close(descriptor)


def pins(own: Settings, *, held: bool) -> list[Check]:
    """Open the pin factory, then take each pin by itself."""
    from hardware.clock import SystemClock  # noqa: PLC0415 - devices are imported when they are used
    from hardware.pi.buttons import GpioButtons  # noqa: PLC0415
    from hardware.pi.pin_factory import PinChip, open_pin_factory  # noqa: PLC0415

    factory = own.board.pin_factory
    if held:
        return [Check("pin-factory", "ok", "held", {"factory": factory})]
    try:
        open_pin_factory(factory).close()
    except HardwareError as error:
        return [Check("pin-factory", "fail", "broken", {"factory": factory, "detail": str(error)})]
    found = [Check("pin-factory", "ok", facts={"factory": factory})]
    for button, number in own.board_settings().pins.items():
        buttons = GpioButtons({button: int(number)}, PinChip(lambda: open_pin_factory(factory)), SystemClock())
        facts = {"button": button, "number": number}
        try:
            buttons.listen(lambda _: None)
            found.append(Check("pin", "ok", facts=facts))
        except HardwareError as error:
            found.append(Check("pin", "fail", "broken", {**facts, "detail": str(error)}))
        finally:
            buttons.close()
    return found


def bus(own: Settings, root: Path, ask_device: Ask) -> list[Check]:
    """Look at the bus that the screen hangs on."""
    return spi(own, root) if own.board.screen_bus == "spi" else i2c(own, root, ask_device)


def spi(own: Settings, root: Path) -> list[Check]:
    """Look whether there is the screen's SPI device; nothing on SPI answers."""
    device = root / "dev" / f"spidev{own.board.spi_port}.{own.board.spi_device}"
    facts = {"device": device.name}
    if not device.exists():
        return [Check("spi", "fail", "no-bus", facts)]
    if not os.access(device, os.R_OK | os.W_OK):
        return [Check("spi", "fail", "forbidden", facts)]
    return [Check("spi", "ok", facts=facts)]


def i2c(own: Settings, root: Path, ask_device: Ask) -> list[Check]:
    """Ask the screen's address; only where nobody answers there, who else is on the bus: a question may disturb."""
    device = root / "dev" / f"i2c-{own.board.i2c_port}"
    wanted = own.board.i2c_address
    facts: dict[str, Any] = {"port": own.board.i2c_port, "address": f"{wanted:#04x}"}
    if not device.exists():
        return [Check("i2c", "fail", "no-bus", facts)]
    answering = []
    try:
        for address in dict.fromkeys((wanted, *SCREENS_AT, *I2C_ADDRESSES)):
            if _answers(device, address, ask_device):
                answering.append(address)
            if address == wanted and answering:
                return [Check("i2c", "ok", facts=facts)]
    except PermissionError:
        return [Check("i2c", "fail", "forbidden", facts)]
    except OSError as error:
        return [Check("i2c", "fail", "broken", {**facts, "detail": error.strerror or str(error)})]
    if not answering:
        return [Check("i2c", "fail", "silent", facts)]
    if answering[0] in SCREENS_AT:
        return [Check("i2c", "fail", "elsewhere", {**facts, "found": f"{answering[0]:#04x}"})]
    return [Check("i2c", "fail", "others", {**facts, "all": ", ".join(f"{one:#04x}" for one in answering)})]


def _answers(device: Path, address: int, ask_device: Ask) -> bool:
    """Tell whether somebody answers; raises OSError where the bus itself fails."""
    try:
        ask_device(device, address)
    except OSError as error:
        if error.errno == errno.EBUSY and address not in SCREENS_AT:
            return True  # a driver of the kernel has it: a clock, a sensor
        if error.errno not in SILENT:
            raise
        return False
    return True


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
    """Take one picture and look at its light and its mat; a running companion keeps its camera."""
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
        return _picture(board)
    except HardwareError as error:
        return [Check("camera", "fail", "broken", {"detail": str(error)})]
    finally:
        board.close()


def _picture(board: Board) -> list[Check]:
    """Take a picture: its light, the mat in it, and the order of its colours."""
    from vision.light import fault  # noqa: PLC0415 - OpenCV takes a quarter of a second
    from vision.mat.markers import find_mat  # noqa: PLC0415
    from vision.mat.patches import order  # noqa: PLC0415

    picture = board.camera.frame(time.monotonic(), FRAME_S).picture
    found = [Check("camera", "ok", facts={"width": picture.shape[1], "height": picture.shape[0]})]
    trouble = fault(picture)
    if trouble is not None:
        return [*found, FAULTS.get(trouble, Check("light", "warn", "blurred"))]
    found.append(Check("light", "ok", facts={"light": round(float(picture.mean()))}))
    mat = find_mat(picture)
    if mat is None:
        return [*found, Check("mat", "warn", "none")]
    found.append(Check("mat", "ok", facts={"mat": mat.layout.name, "markers": len(mat.markers)}))
    seen = order(picture, mat.corners_px())
    if seen is None:
        return [*found, Check("colours", "ok", "unknown")]
    return [*found, Check("colours", "ok" if seen == "right" else "fail", seen)]
