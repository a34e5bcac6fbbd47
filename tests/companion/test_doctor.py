"""The doctor: what it says of a machine that lacks everything, of answers that make no sense, and to whom."""

import argparse
import errno
import json
import re
import threading
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion import crash, doctor, journal, settings
from companion.doctor import bundle, machine, pieces
from companion.doctor.check import Check, as_json, guarded, line, words
from companion.doctor.devices import Ask, ask
from companion.replay import replay_file
from companion.service import only_one
from companion.settings import BoardTable, Pins, Settings
from companion.taught import gallery_folder, kinds
from engines import shelf
from vision import gallery
from vision.gallery import Look
from vision.mat.layout import layouts

SOURCES = Path(doctor.__file__).parent
NONE = Settings(board=BoardTable(pin_factory="mock", camera="none"))
NAMES = ("다은", "Bo the cat")
GAME = (
    {"record": 1, "game": "witch-race", "players": list(NAMES), "at": "2026-11-30T08:00:00+00:00"},
    {"input": "roll", "player": "다은", "die": 6, "by": "camera", "evidence": "bo-at-home.jpg", "note": "Bo the cat"},
)


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of programs that the doctor finds: an empty one at first."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return folder


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return tmp_path / "records"


def program(folder: Path, name: str, *lines: str) -> None:
    (folder / name).write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    (folder / name).chmod(0o755)


def played(records: Path, tail: bytes = b"") -> Path:
    records.mkdir()
    file = records / "0001-witch-race.jsonl"
    file.write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in GAME) + tail)
    return file


def silent(bus: Path, address: int) -> None:
    raise OSError(errno.EREMOTEIO, "Remote I/O error")


def examined(records: Path, own: Settings = NONE, ask_device: Ask = ask) -> dict[str, Check]:
    found = doctor.checks(own, records, root=records.parent / "root", ask_device=ask_device)
    return {check.name: check for check in found}


def verdict(check: Check) -> tuple[str, str]:
    return check.verdict, check.finding


def options(records: Path, **others: object) -> argparse.Namespace:
    usual = {"lang": "en", "data": records, "settings": records.parent / "none.toml", "json": False, "bundle": None}
    return argparse.Namespace(**usual | others)


def test_a_plain_machine_gets_a_line_for_everything_that_is_missing(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = examined(records)

    assert verdict(found["i2c"]) == ("fail", "no-bus")
    assert verdict(found["screen"])[0] == "fail"
    assert verdict(found["camera"]) == ("ok", "off")
    assert verdict(found["voltage"]) == ("warn", "absent")
    assert verdict(found["service"]) == ("warn", "no-systemd")
    assert verdict(found["records"]) == ("ok", "absent")
    assert not records.exists(), "the doctor makes nothing"
    assert doctor.run(options(records)) == 1
    said = capsys.readouterr()
    assert said.err == ""
    assert "FAIL  I2C: there is no bus 1  -> sudo raspi-config nonint do_i2c 0" in said.out


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_every_finding_has_words_in_both_languages_and_a_failure_a_remedy(lang: str) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.py"))
    used = set(re.findall(r'Check\(\s*"([a-z0-9-]+)",\s*"(ok|warn|fail)"(?:,\s*"([a-z0-9-]+)")?(?=[,)])', text))
    assert len(used) > 30
    for name, verdict_, finding in used:
        entry = words()[name][finding or "ok"]
        assert entry[lang]
        assert (
            (f"{lang}_do" in entry)
            or verdict_ == "ok"
            or (name, finding)
            in {
                ("settings", "notice"),
                ("service", "no-systemd"),
            }
        )


def test_the_two_languages_name_the_same_facts() -> None:
    for name, section in words().items():
        for finding, entry in section.items():
            assert entry.keys() in ({"en", "ko"}, {"en", "ko", "en_do", "ko_do"}), (name, finding)
            for one, other in (("en", "ko"), ("en_do", "ko_do")):
                facts = [set(re.findall(r"{(\w+)", entry.get(key, ""))) for key in (one, other)]
                assert facts[0] == facts[1], (name, finding)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("throttled=0x0", ("ok", "ok")),
        ("throttled=0x50005", ("fail", "now")),
        ("throttled=0x50000", ("warn", "since")),
        ("throttled=0xe0008", ("warn", "hot")),
        ("VCHI initialization failed", ("warn", "garbage")),
        ("", ("warn", "garbage")),
        ("throttled=0x", ("warn", "garbage")),
    ],
)
def test_under_voltage_is_told_and_garbage_is_no_crash(programs: Path, said: str, expected: tuple[str, str]) -> None:
    program(programs, "vcgencmd", f"echo '{said}'")

    (check,) = machine.voltage(Path("/nowhere"))

    assert verdict(check) == expected
    assert line(check, "ko")


@pytest.mark.parametrize(
    ("name", "alarm", "expected"),
    [
        ("rpi_volt", "0", ("ok", "calm")),
        ("rpi_volt", "1", ("fail", "alarm")),
        ("cpu_thermal", "1", ("warn", "absent")),
        ("rpi_volt", None, ("warn", "absent")),
    ],
)
def test_without_vcgencmd_the_kernels_alarm_is_read(
    tmp_path: Path, name: str, alarm: str | None, expected: tuple[str, str]
) -> None:
    sensor = tmp_path / "root/sys/class/hwmon/hwmon1"
    sensor.mkdir(parents=True)
    (sensor / "name").write_text(f"{name}\n")
    if alarm is not None:
        (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")

    (check,) = machine.voltage(tmp_path / "root")

    assert verdict(check) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("LoadState=not-found\nActiveState=inactive", ("warn", "absent")),
        ("LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts=0\nResult=success", ("ok", "ok")),
        ("LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts=4\nResult=success", ("warn", "restarted")),
        ("LoadState=loaded\nActiveState=failed\nNRestarts=1\nResult=watchdog", ("fail", "failed")),
        ("LoadState=loaded\nActiveState=activating\nNRestarts=9\nResult=exit-code", ("fail", "failed")),
        ("LoadState=loaded\nActiveState=inactive\nResult=success", ("warn", "stopped")),
        ("System has not been booted with systemd", ("warn", "no-systemd")),
    ],
)
def test_the_service_is_told_with_how_it_ended(programs: Path, said: str, expected: tuple[str, str]) -> None:
    program(programs, "systemctl", *(f"echo '{one}'" for one in said.splitlines()))

    (check,) = machine.service()

    assert verdict(check) == expected
    assert line(check, "en")


def test_the_screens_address_is_asked_and_a_screen_elsewhere_is_found(records: Path) -> None:
    bus = records.parent / "root/dev/i2c-1"
    bus.parent.mkdir(parents=True)
    bus.touch()
    asked = []

    def at_3d(bus: Path, address: int) -> None:
        asked.append(address)
        if address != 0x3D:
            silent(bus, address)

    assert verdict(examined(records, ask_device=lambda *_: None)["i2c"]) == ("ok", "ok")
    assert verdict(examined(records, ask_device=silent)["i2c"]) == ("fail", "silent")
    elsewhere = examined(records, ask_device=at_3d)["i2c"]
    assert verdict(elsewhere) == ("fail", "elsewhere")
    assert "i2c_address = 0x3d" in as_json(elsewhere, "en")["remedy"]
    assert sorted(asked) == [*range(0x08, 0x78)], "each address once"


def test_where_the_screen_answers_nobody_else_is_disturbed(records: Path) -> None:
    bus = records.parent / "root/dev/i2c-1"
    bus.parent.mkdir(parents=True)
    bus.touch()
    asked = []

    assert verdict(examined(records, ask_device=lambda _, address: asked.append(address))["i2c"]) == ("ok", "ok")
    assert asked == [0x3C]


def test_others_on_the_bus_are_told_where_no_screen_answers(records: Path) -> None:
    bus = records.parent / "root/dev/i2c-1"
    bus.parent.mkdir(parents=True)
    bus.touch()

    def clock_and_sensor(bus: Path, address: int) -> None:
        if address == 0x68:  # taken by the kernel's driver of a clock
            raise OSError(errno.EBUSY, "Device or resource busy")
        if address != 0x76:
            silent(bus, address)

    check = examined(records, ask_device=clock_and_sensor)["i2c"]
    assert verdict(check) == ("fail", "others")
    assert "0x68, 0x76" in line(check, "en")


@pytest.mark.parametrize(("number", "finding"), [(errno.EACCES, "forbidden"), (errno.EBUSY, "broken")])
def test_a_bus_that_may_not_be_used_is_told(records: Path, number: int, finding: str) -> None:
    bus = records.parent / "root/dev/i2c-1"
    bus.parent.mkdir(parents=True)
    bus.touch()

    def refuse(bus: Path, address: int) -> None:
        raise OSError(number, "no")

    assert verdict(examined(records, ask_device=refuse)["i2c"]) == ("fail", finding)


def test_a_screen_on_spi_has_its_own_bus_looked_at(records: Path) -> None:
    table = BoardTable(pin_factory="mock", camera="none", screen_bus="spi", pins=Pins(screen_dc=25))
    assert verdict(examined(records, Settings(board=table))["spi"]) == ("fail", "no-bus")
    device = records.parent / "root/dev/spidev0.0"
    device.parent.mkdir(parents=True)
    device.touch()

    found = examined(records, Settings(board=table))

    assert verdict(found["spi"]) == ("ok", "ok")
    assert "i2c" not in found


def test_a_file_that_is_no_bus_is_told(records: Path) -> None:
    bus = records.parent / "root/dev/i2c-1"
    bus.parent.mkdir(parents=True)
    bus.touch()

    assert verdict(examined(records)["i2c"]) == ("fail", "broken")


def test_each_pin_is_tried_by_itself(records: Path) -> None:
    found = [check for check in doctor.checks(NONE, records) if check.name == "pin"]

    assert [(one.facts["button"], one.verdict) for one in found] == [
        ("up", "ok"),
        ("down", "ok"),
        ("ok", "ok"),
        ("back", "ok"),
    ]


def test_a_pin_library_that_cannot_be_had_is_one_failure_with_its_advice(records: Path) -> None:
    found = examined(records, Settings(board=BoardTable(pin_factory="rpigpio", camera="none")))

    assert verdict(found["pin-factory"]) == ("fail", "broken")
    assert "pin" not in found


@pytest.mark.parametrize(("light", "expected"), [(120, ("ok", "ok")), (3, ("warn", "dark")), (255, ("warn", "glare"))])
def test_one_picture_is_taken_and_its_light_told(records: Path, light: int, expected: tuple[str, str]) -> None:
    photos = records.parent / "photos"
    photos.mkdir()
    Image.fromarray(np.full((72, 128, 3), light, np.uint8)).save(photos / "a.png")

    found = examined(records, Settings(board=BoardTable(pin_factory="mock", camera=f"folder:{photos}")))

    check = found["camera"]
    assert verdict(found["light"]) == expected
    assert ("mat" in found) == (expected[0] == "ok")
    assert (check.facts["width"], check.facts["height"]) == (128, 72)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Available cameras\n0 : imx708_wide [4608x2592] (/base/soc)\n    Modes: 'SRGGB10'", ("ok", "ok")),
        ("No cameras available!", ("fail", "none")),
    ],
)
def test_the_cameras_are_listed(programs: Path, records: Path, said: str, expected: tuple[str, str]) -> None:
    program(programs, "rpicam-hello", "/bin/cat <<'END'", said, "END")

    found = examined(records, Settings(board=BoardTable(pin_factory="mock")))

    assert verdict(found["cameras"]) == expected
    assert found["camera"].verdict in ("ok", "fail")


def test_the_mat_under_the_camera_is_named(records: Path) -> None:
    photos = records.parent / "photos"
    photos.mkdir()
    layout = next(one for one in layouts() if one.name == "witch-race")
    sheet = np.full((int(layout.paper[1] * 4), int(layout.paper[0] * 4)), 245, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in layout.markers:
        x, y = (int(one * 4) for one in layout.marker_corners(marker)[0])
        side = int(layout.marker_side * 4)
        sheet[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, marker, side)
    cv2.imwrite(str(photos / "a.png"), cv2.copyMakeBorder(sheet, 90, 90, 90, 90, cv2.BORDER_CONSTANT, value=60))

    found = examined(records, Settings(board=BoardTable(pin_factory="mock", camera=f"folder:{photos}")))

    assert verdict(found["mat"]) == ("ok", "ok")
    assert found["mat"].facts == {"mat": "witch-race", "markers": 4}


def teach(game: str, *names: str) -> Path:
    folder = gallery_folder() / game
    known = kinds(shelf.game(game))
    picture = np.full((60, 60, 3), 90, np.uint8)
    gallery.save(
        folder, [Look(name, known[name], picture, np.full((60, 60), 255, np.uint8), (30, 30)) for name in names]
    )
    return folder


def test_each_game_has_a_line_on_what_is_still_to_be_taught() -> None:
    wanted = tuple(kinds(shelf.game("hare-tortoise")))
    teach("hare-tortoise", *wanted)
    teach("horror-race", "gumiho", "mummy")

    found = {check.facts["game"]: check for check in pieces.looks()}

    assert {game: verdict(check) for game, check in found.items()} == {
        "dark-horse": ("ok", "none"),
        "ghost-hunters": ("ok", "none"),
        "hare-tortoise": ("ok", "ok"),
        "horror-race": ("warn", "some"),
        "witch-race": ("ok", "none"),
    }
    assert "vampire" in line(found["horror-race"], "en")
    assert "gumiho" not in line(found["horror-race"], "en")
    assert "companion teach horror-race" in line(found["horror-race"], "ko")


def test_a_gallery_that_cannot_be_read_is_told() -> None:
    folder = teach("horror-race", "gumiho")
    next(folder.glob("*.png")).write_bytes(b"no picture")

    found = {check.facts["game"]: check for check in pieces.looks()}

    assert verdict(found["horror-race"]) == ("fail", "broken")


def test_a_running_companion_keeps_its_devices(records: Path) -> None:
    records.mkdir()
    with only_one(records):
        found = examined(records, Settings())

    assert {found[name].finding for name in ("pin-factory", "screen", "camera")} == {"held"}
    assert examined(records)["pin-factory"].finding == "ok", "the doctor holds nothing"


@pytest.mark.parametrize(
    ("tail", "expected"),
    [(b"", ("ok", "ok")), (b'{"input": "mo', ("warn", "torn")), (b"garbage\n", ("fail", "damaged"))],
    ids=["whole", "torn", "damaged"],
)
def test_the_newest_record_is_replayed(records: Path, tail: bytes, expected: tuple[str, str]) -> None:
    file = played(records, tail)
    before = file.read_bytes()

    check = examined(records)["record"]

    assert verdict(check) == expected
    assert check.facts["inputs"] == 1
    assert file.read_bytes() == before


def test_a_changed_line_of_a_sealed_record_is_found(records: Path) -> None:
    made = journal.create(records, {**GAME[0], "players": list(NAMES)})
    made.append(GAME[1])
    made.path.write_bytes(made.path.read_bytes().replace(b'"die":6', b'"die":5'))

    check = examined(records)["record"]

    assert verdict(check) == ("fail", "damaged")
    assert check.facts["number"] == 2


def test_a_file_that_is_no_record_is_told(records: Path) -> None:
    records.mkdir()
    (records / "0001-witch-race.jsonl").touch()

    assert verdict(examined(records)["record"]) == ("fail", "no-record")


def test_the_last_crash_is_told_and_put_into_the_parcel_without_names(records: Path) -> None:
    played(records)
    assert verdict(examined(records)["crash"]) == ("ok", "none")
    kept = crash.keep("Traceback\n  File \"/home/minjun/x.py\"\nKeyError: 'Bo the cat' 다은이가\n", "run")
    file = records.parent / "report.zip"

    check = examined(records)["crash"]
    assert verdict(check) == ("warn", "found")
    assert "KeyError" in line(check, "en")
    assert str(kept) in as_json(check, "en")["remedy"]
    doctor.run(options(records, bundle=file))

    with zipfile.ZipFile(file) as parcel:
        parts = {name: parcel.read(name).decode() for name in parcel.namelist()}
    assert "KeyError: '(a player)' (a player)이가" in parts["last-crash.txt"]
    assert "companion run" in parts["last-crash.txt"]
    assert not [name for name, text in parts.items() for one in (*NAMES, "minjun") if one in text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bo is on the Board", "(a player) is on the Board"),
        ("Bo가 졌다", "(a player)가 졌다"),
        ("지은이는", "(a player)이는"),
        ("Bob and Bo", "(a player) and (a player)"),
        ("(x.y)", "((a player))"),
    ],
)
def test_a_name_is_taken_out_where_it_stands_by_itself(text: str, expected: str) -> None:
    assert bundle.anonymous(text, {"Bo", "Bob", "지은", "x.y"}) == expected


@pytest.mark.parametrize(
    "text",
    ['lang = "ko"\n', "names = 3\n", 'names = ["A"', "", "\udcff"],
    ids=["none", "number", "cut", "empty", "bytes"],
)
def test_whatever_the_settings_hold_there_is_a_parcel(records: Path, text: str) -> None:
    own = records.parent / "settings.toml"
    own.write_text(text, encoding="utf-8", errors="surrogateescape")
    file = records.parent / "report.zip"

    doctor.run(options(records, settings=own, bundle=file))

    with zipfile.ZipFile(file) as parcel:
        assert parcel.testzip() is None


def test_a_name_that_is_no_good_for_the_settings_is_not_in_the_parcel_either(records: Path) -> None:
    own = records.parent / "settings.toml"
    long = "Maximilian Alexander the Third"
    own.write_text(f'names = ["{long}", 3]\n', encoding="utf-8")
    file = records.parent / "report.zip"

    doctor.run(options(records, settings=own, bundle=file))

    with zipfile.ZipFile(file) as parcel:
        assert not [name for name in parcel.namelist() if long in parcel.read(name).decode()]


def test_a_folder_that_cannot_be_written_fails(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.touch()

    assert verdict(examined(place)["records"]) == ("fail", "unwritable")


def test_two_owners_of_the_module_rpi_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RPi.GPIO", "rpi-lgpio"):
        installed = tmp_path / f"{name.replace('-', '_')}-0.7.dist-info"
        installed.mkdir()
        (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.7\n", encoding="utf-8")
        (installed / "top_level.txt").write_text("RPi\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    assert verdict(machine.packages()[-1]) == ("fail", "twice")


def test_a_probe_that_hangs_or_fails_is_itself_a_finding() -> None:
    def fails() -> list[Check]:
        raise ValueError("numpy.dtype size changed\nExpected 96")

    (hanging,) = guarded("camera", 0.01, lambda: [Check("camera", "ok")] * threading.Event().wait(5))
    (failing,) = guarded("camera", 5.0, fails)

    assert verdict(hanging) == ("fail", "hangs")
    assert verdict(failing) == ("fail", "fault")
    assert "numpy.dtype size changed Expected 96" in line(failing, "en"), "one line a check"


def test_wrong_settings_are_a_finding_and_the_rest_is_examined(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = records.parent / "settings.toml"
    file.write_text("[board.pins]\nup = 2\n", encoding="utf-8")

    assert doctor.run(options(records, settings=file, json=True)) == 1

    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False
    assert found["checks"][0]["check"] == "settings"
    assert "board.pins.up" in found["checks"][0]["text"]
    assert {one["check"] for one in found["checks"]} >= {"python", "packages", "i2c", "clock", "service"}


def test_the_parcel_names_no_player_and_its_record_is_still_the_game(records: Path) -> None:
    played(records, b'{"input": "roll", "player": "Bo the c')
    file = records.parent / "report.zip"
    own = records.parent / "settings.toml"
    settings.save(own, Settings("ko", NAMES, NONE.board))

    doctor.run(options(records, settings=own, bundle=file))

    with zipfile.ZipFile(file) as parcel:
        parts = {name: parcel.read(name).decode() for name in parcel.namelist()}
    assert parts.keys() == {"doctor.txt", "doctor.json", "versions.txt", "settings.toml", "0001-witch-race.jsonl"}
    assert not [name for name, text in parts.items() for one in ("다은", "Bo the c", "bo-at") if one in text]
    assert settings._parsed(parts["settings.toml"].encode(), file).board == NONE.board
    replayed = records.parent / "replayed.jsonl"
    replayed.write_text("".join(parts["0001-witch-race.jsonl"].splitlines(keepends=True)[:2]), encoding="utf-8")
    found, status = replay_file(str(replayed), "en", steps=False)
    assert (status, found["inputs"]) == (0, 1)
    assert '"P1"' in json.dumps(found)


def test_a_record_without_a_header_is_only_counted() -> None:
    assert bundle.without_names(b'{"player": "Bo"}\n\xff\n') == (
        "(16 bytes that are no line of a record)\n(1 bytes that are no line of a record)\n"
    )


def test_a_parcel_that_cannot_be_written_is_said(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(options(records, bundle=records.parent / "none" / "report.zip")) == 2

    assert "No such file or directory. Name another file." in capsys.readouterr().err
