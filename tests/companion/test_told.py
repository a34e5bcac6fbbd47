"""What devices say is said in Korean too, every sentence of them."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from companion import told as words
from companion.events import LookFailed
from companion.pages import page
from companion.presses import Press
from companion.session import Session
from companion.told import told
from engines.record import Header

HARDWARE = Path(__file__).parents[2] / "hardware"
SPOKEN = {"CameraError", "ButtonsError", "PinBusyError", "ScreenError"}
"""Errors that come up at the table; those of a board that cannot be are the settings', and said before it starts."""
KOREAN = tomllib.loads(Path(words.__file__).with_name("devices.toml").read_text(encoding="utf-8"))


def constants(tree: ast.Module) -> dict[str, str]:
    """Give a module's named texts."""
    return {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }  # fmt: skip


def template(node: ast.expr, named: dict[str, str]) -> str | None:
    """Give a message with {} for what is filled in; None where it is no text of this place."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
    return named.get(node.id) if isinstance(node, ast.Name) else None


def said() -> list[str]:
    found = set()
    for path in HARDWARE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPOKEN and node.args:
                found.add(template(node.args[0], constants(tree)))
    return sorted(found - {None})


@pytest.mark.parametrize("message", said())
def test_every_sentence_of_a_device_has_its_korean(message: str) -> None:
    assert message in {re.sub(r"{\w+}", "{}", english) for english in KOREAN}
    korean = told(message.replace("{}", "x"), "ko")
    assert re.search("[가-힣]", korean)
    assert "{" not in korean


def test_the_sentences_are_found_where_they_are_raised() -> None:
    assert len(said()) > 20


@pytest.mark.parametrize("english", KOREAN)
def test_korean_names_no_fact_that_english_has_not(english: str) -> None:
    assert set(re.findall(r"{(\w+)", KOREAN[english])) <= set(re.findall(r"{(\w+)}", english))


def test_facts_come_over_and_the_most_exact_sentence_is_taken() -> None:
    message = "The photograph a.jpg cannot be read: Permission denied."
    assert (
        told(message, "ko") == "사진 a.jpg을 읽을 수 없어요." or told(message, "ko") == "사진 a.jpg를 읽을 수 없어요."
    )
    assert told(message, "en") == message
    assert told("Something else.", "ko") == "Something else."


def test_a_page_of_a_camera_that_fails_is_korean_at_a_korean_table() -> None:
    session = Session("ko")
    session.begin(Header("witch-race", ("다은", "Bo"), {}))
    session.handle(Press("ok", long=False, at=0.0))
    session.handle(LookFailed(1, "no-camera", "The camera gives no picture: check its ribbon cable."))
    shown = page(session)
    assert shown.kind == "trouble"
    assert not re.search("[A-Za-z]", " ".join(shown.body))
