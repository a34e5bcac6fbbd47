from __future__ import annotations

from typing import get_args

import pytest

from vision.complaint import say
from vision.observation import Complaint, ComplaintKind


@pytest.mark.parametrize("kind", get_args(ComplaintKind))
def test_every_complaint_says_what_to_do_in_both_languages(kind: ComplaintKind) -> None:
    english, korean = say(Complaint(kind)), say(Complaint(kind), "ko")
    assert english.endswith(".")
    assert korean.endswith(".")
    assert english != korean
    assert any("가" <= c <= "힣" for c in korean)
