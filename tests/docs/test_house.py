"""What no line of the program may do, for it has failed elsewhere: docs/pitfalls.md."""

import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("engines", "vision", "hardware", "companion")
SOURCES = {
    path.relative_to(REPOSITORY): path.read_text(encoding="utf-8")
    for package in PACKAGES
    for path in (REPOSITORY / package).rglob("*.py")
}
OF_THE_PI = {"picamera2", "libcamera", "lgpio", "RPi", "spidev", "smbus2"}


def users(pattern: str) -> set[str]:
    """The files in which it stands."""
    return {str(path) for path, text in SOURCES.items() if re.search(pattern, text)}


def test_there_are_sources() -> None:
    assert len(SOURCES) > 100
    assert "vision/mat/markers.py" in users(r"\bcv2\.")


def test_no_call_that_pillow_dropped_is_used() -> None:
    # Pillow 10 and 14; a driver of luma's asks for getdata, which hardware/pi/screen.py answers itself
    assert not users(r"\.(textsize|getsize|multiline_textsize)\(|Image\.(ANTIALIAS|LINEAR|CUBIC)\b")
    assert not users(r"\.getdata\(")


def test_no_window_is_ever_opened() -> None:
    assert not users(r"\b(imshow|waitKey|namedWindow|selectROI|destroyAllWindows)\(|\.show\(\)")


def test_nothing_needs_a_network() -> None:
    assert not users(r"(?m)^\s*(import|from) (urllib|http|requests|ssl|ftplib|smtplib|asyncio)\b")
    # The service's notices go to a socket of this machine; the own address is asked of the kernel, nothing is sent
    assert users(r"(?m)^\s*import socket") == {"companion/address.py", "companion/service.py"}


def test_no_module_of_ours_hides_a_library() -> None:
    assert not set(PACKAGES) & (set(packages_distributions()) - set(PACKAGES) | sys.stdlib_module_names | OF_THE_PI)
    assert not [path for path in REPOSITORY.glob("*.py") if path.stem != "conftest"]
