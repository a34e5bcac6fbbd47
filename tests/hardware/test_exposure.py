"""When a camera's exposure is held, and when it is let go."""

import numpy as np
import pytest

from hardware.exposure import Exposure

METADATA = {"ExposureTime": 8000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.0), "LensPosition": 3.0}


def picture(level: int) -> np.ndarray:
    return np.full((720, 1280, 3), level, np.uint8)


@pytest.fixture
def held() -> Exposure:
    exposure = Exposure(has_focus=True)
    exposure.start()
    assert exposure.after(picture(100), METADATA, 10.0) == {}
    assert exposure.after(picture(100), METADATA, 12.0)["AeEnable"] is False
    return exposure


def test_what_has_settled_is_held_as_it_is() -> None:
    exposure = Exposure(has_focus=True)
    assert exposure.start() == {"AeEnable": True, "AwbEnable": True, "AfMode": 2}
    assert exposure.after(picture(100), {}, 10.0) == {}
    assert exposure.after(picture(100), METADATA, 12.1) == {
        "AeEnable": False,
        "AwbEnable": False,
        "AfMode": 0,
        **METADATA,
    }
    assert exposure.after(picture(100), METADATA, 13.0) == {}


def test_a_lens_that_does_not_move_is_not_asked_to() -> None:
    exposure = Exposure(has_focus=False)
    assert "AfMode" not in exposure.start()
    exposure.after(picture(100), METADATA, 10.0)
    assert not {"AfMode", "LensPosition"} & exposure.after(picture(100), METADATA, 12.1).keys()


def test_a_hand_that_reaches_in_changes_nothing(held: Exposure) -> None:
    for at, level in ((13.0, 40), (14.5, 40), (15.0, 100), (30.0, 40), (31.0, 100)):
        assert held.after(picture(level), METADATA, at) == {}


@pytest.mark.parametrize("level", [40, 250])
def test_another_light_is_settled_to_and_held_anew(held: Exposure, level: int) -> None:
    assert held.after(picture(level), METADATA, 20.0) == {}
    assert held.after(picture(level), METADATA, 22.0)["AeEnable"] is True
    assert held.after(picture(110), METADATA, 23.0) == {}
    assert held.after(picture(110), METADATA, 25.0)["AeEnable"] is False
