"""The finder over a large picture: in two halves, as if it were one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.dice import network
from vision.picture import load_picture

PHOTOS = sorted((Path(__file__).parent / "photos").glob("*.jpg"))


@pytest.mark.parametrize("turns", [0, 1])
def test_halves_give_the_maps_of_the_whole(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.ascontiguousarray(np.rot90(load_picture(PHOTOS[0]), turns))
    picture = np.ascontiguousarray(np.tile(picture, (2, 2, 1))[:640, :704] if turns else picture)
    monkeypatch.setattr(network, "WHOLE_PX", picture.size)
    whole = network.look_over(picture)
    monkeypatch.setattr(network, "WHOLE_PX", 0)
    assert np.abs(network.look_over(picture) - whole).max() < 1e-4
