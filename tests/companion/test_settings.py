"""The owner's settings: what may stand in the file, and what a power cut may do to it."""

import errno
import os
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from companion import settings
from companion.settings import BoardTable, Pins, Settings, SettingsError
from hardware.pins import DEFAULT_PINS, SUGGESTED_PINS

OWN = Settings(
    "ko",
    ("다은", 'Bo "the\\cat"', "Zoë\x7f"),
    board=BoardTable(
        "rpigpio",
        "sh1106",
        "spi",
        3,
        0x3D,
        1,
        2,
        rotation_deg=180,
        camera="folder:/photos of mine",
        pins=Pins("GPIO5", 6, "BOARD36", 13, read=17, turn_a=27, turn_b="BOARD15", screen_dc=24),
    ),
    sound="loud",
    lamp=False,
    address="https://example.org/table",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settings.toml"


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_missing_file_means_the_defaults_and_nothing_is_written(path: Path) -> None:
    assert settings.load(path) == settings.Loaded(Settings())
    assert not path.parent.exists()


def test_what_is_saved_is_loaded_again(path: Path) -> None:
    settings.save(path, OWN)

    assert settings.load(path) == settings.Loaded(OWN)
    assert path.stat().st_mode & 0o777 == 0o644
    assert [one.name for one in sorted(path.parent.iterdir())] == ["settings.toml", "settings.toml.last-good"]


@given(
    st.lists(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=24).filter(lambda n: not n.isspace()), unique=True
    )
)
@budget(max_examples=50, deadline=None)
def test_every_name_survives_the_file(names: list[str]) -> None:
    own = Settings(names=tuple(names))

    assert settings._parsed(settings.text(own).encode(), Path("s.toml")) == own


def test_a_part_of_the_keys_is_enough_and_the_others_have_their_defaults(path: Path) -> None:
    write(path, 'lang = "en"\n[board]\ni2c_address = 0x3d\n[board.pins]\nup = "BOARD29"\n')

    board = settings.load(path).settings.board_settings()

    assert board.pins == {**DEFAULT_PINS, "up": 5}
    assert (board.kind, board.pin_factory, board.i2c_address, board.camera) == ("pi", "lgpio", 0x3D, "picamera2")


WRONG = {
    "lang": ["lang = 'de'", "lang = 1"],
    "names": ["names = 'Bo'", "names = ['Bo', 3]", "names = ['Bo', 'Bo']", "names = ['  ']", f"names = ['{'x' * 25}']"],
    "sound": ["sound = 'on'", "sound = true"],
    "lamp": ["lamp = 'yes'"],
    "address": [f"address = '{'x' * 43}'", "address = 3", 'address = "a\\nb"'],
    "board": ["board = 3"],
    "board.screen_bus": ["[board]\nscreen_bus = 'usb'", "[board]\nscreen = 'ssd1322'"],
    "board.spi_port": ["[board]\nspi_port = 10"],
    "board.spi_device": ["[board]\nspi_device = '0'"],
    "board.pins.screen_dc": ["[board]\nscreen_bus = 'spi'"],
    "board.pins.turn_b": ["[board.pins]\nturn_a = 19"],
    "board.pins.lamp": ["[board.pins]\nlamp = 'GPIO9'", "[board.pins]\nread = 5\nlamp = 'BOARD29'"],
    "board.pin_factory": ["[board]\npin_factory = 'pigpio'"],
    "board.screen": ["[board]\nscreen = 'ssd1331'"],
    "board.i2c_port": ["[board]\ni2c_port = '1'", "[board]\ni2c_port = -1", "[board]\ni2c_port = true"],
    "board.i2c_address": ["[board]\ni2c_address = 0x78", "[board]\ni2c_address = 2026-11-30"],
    "board.rotation_deg": ["[board]\nrotation_deg = 90"],
    "board.swap_red_blue": ["[board]\nswap_red_blue = 1"],
    "board.camera": ["[board]\ncamera = 'usb'", "[board]\ncamera = 'folder:'"],
    "board.pins": ["[board]\npins = [17]"],
    "board.pins.up": ["[board.pins]\nup = 2", "[board.pins]\nup = 'GPIO4'", "[board.pins]\nup = 'BOARD24'"],
    "board.pins.down": ["[board.pins]\ndown = 17", "[board.pins]\ndown = 'BOARD11'", "[board.pins]\ndown = 99"],
    "board.pins.ok": ["[board.pins]\nok = [1]", "[board.pins]\nok = ''"],
}


@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in WRONG.items() for text in texts])
def test_a_wrong_value_is_named_with_file_key_and_what_is_allowed(path: Path, key: str, text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings.load(write(path, text + "\n"))

    assert str(caught.value).startswith(f"{path}: {key}: ")
    assert settings.ALLOWED[key] in str(caught.value)
    assert not settings.good_copy(path).exists()


BOARD_KEYS = (
    "pin_factory, pins, screen, screen_bus, spi_port, spi_device, i2c_port, i2c_address, rotation_deg, camera, "
    "swap_red_blue"
)


@pytest.mark.parametrize(
    ("text", "key", "allowed"),
    [
        ("language = 'ko'", "language", "lang, names, sound, lamp, address, board"),
        (
            "[board]\npin = 3",
            "board.pin",
            BOARD_KEYS,
        ),
        ("[board.pins]\nleft = 3", "board.pins.left", ", ".join([*DEFAULT_PINS, *SUGGESTED_PINS])),
    ],
)
def test_an_unknown_key_is_named_with_those_there_are(path: Path, text: str, key: str, allowed: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings.load(write(path, text))

    assert str(caught.value) == f"{path}: {key}: this key is not known. Allowed: {allowed}."


def test_every_key_there_is_says_what_is_allowed() -> None:
    def keys(kind: type, prefix: str = "") -> set[str]:
        found = set()
        for one in msgspec.structs.fields(kind):
            found.add(prefix + one.name)
            if one.type in (BoardTable, Pins):
                found |= keys(one.type, f"{prefix}{one.name}.")
        return found

    assert keys(Settings) == set(settings.ALLOWED)


DAMAGE = {
    "empty": lambda data: data[:0],
    "cut in a line": lambda data: data[: data.index(b"names") + 9],
    "cut between lines": lambda data: data[: data.index(b"[board]")],
    "last byte gone": lambda data: data[:-1],
    "all zeros": lambda data: bytes(len(data)),
    "zeros at the end": lambda data: data[:100] + bytes(len(data) - 100),
    "no UTF-8": lambda data: data.replace("다은".encode(), b"\xff\xfe"),
    "no TOML": lambda data: data.replace(b"[board]", b"[board"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_replaced_by_its_last_good_copy_and_that_is_said(path: Path, kind: str) -> None:
    settings.save(path, OWN)
    write(path, damaged := DAMAGE[kind](path.read_bytes()))

    loaded = settings.load(path)

    assert loaded.settings == OWN
    assert f"{path} is damaged" in loaded.notice
    assert str(settings.good_copy(path)) in loaded.notice
    assert path.read_bytes() == damaged
    assert settings.load(path) == loaded, "the copy is still good"


def test_no_length_of_a_cut_file_means_other_settings(path: Path) -> None:
    settings.save(path, OWN)
    whole = path.read_bytes()
    for length in range(len(whole)):
        write(path, whole[:length])
        assert settings.load(path).settings == OWN
        assert settings.load(path).notice


@pytest.mark.parametrize(
    "kind", sorted(DAMAGE.keys() - {"cut between lines", "last byte gone"})
)  # those are whole files
def test_a_damaged_file_without_a_copy_never_becomes_the_defaults(path: Path, kind: str) -> None:
    write(path, DAMAGE[kind](settings.text(OWN).encode()))

    with pytest.raises(SettingsError, match=r"is damaged: .* no last good copy: correct it, or delete it"):
        settings.load(path)


def test_a_damaged_copy_does_not_help_and_both_are_named(path: Path) -> None:
    write(path, b"")
    write(settings.good_copy(path), "lang = [")

    with pytest.raises(SettingsError, match="last good copy cannot help"):
        settings.load(path)


def test_a_file_edited_by_hand_becomes_the_last_good_copy_once_it_was_read(path: Path) -> None:
    settings.load(write(path, "lang = 'ko' # mine\n"))
    write(path, b"")

    assert settings.load(path).settings.lang == "ko"


def test_a_look_that_keeps_no_copy_writes_nothing(path: Path) -> None:
    settings.load(write(path, "lang = 'ko'\n"), keep_copy=False)

    assert list(path.parent.iterdir()) == [path]


def test_a_missing_file_beside_its_copy_is_said(path: Path) -> None:
    settings.save(path, OWN)
    path.unlink()

    loaded = settings.load(path)

    assert loaded.settings == Settings()
    assert "is missing: the defaults are used" in loaded.notice


def test_saving_sets_a_file_that_nobody_could_read_aside(path: Path) -> None:
    write(path, "lang = 'ko' my own comment\n")
    write(path.with_name("settings.toml.damaged-1"), "an older one")

    settings.save(path, OWN)

    assert settings.load(path).settings == OWN
    assert path.with_name("settings.toml.damaged-2").read_text(encoding="utf-8") == "lang = 'ko' my own comment\n"


def test_impossible_settings_are_not_saved(path: Path) -> None:
    for wrong in (
        Settings(names=("Bo", "Bo")),
        Settings(names=("\ud800",)),
        Settings(board=BoardTable(pins=Pins(up=2))),
    ):
        with pytest.raises(SettingsError):
            settings.save(path, wrong)
    assert not path.exists()


def test_a_full_disk_leaves_the_old_settings_and_nothing_beside_them(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.save(path, OWN)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SettingsError, match="No space left on device"):
            settings.save(path, Settings("en"))

    assert settings.load(path) == settings.Loaded(OWN)
    assert len(list(path.parent.iterdir())) == 2


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Is a directory"):
        settings.load(tmp_path)


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    settings.save(path, OWN)
    link = tmp_path / "link.toml"
    link.symlink_to(path)

    settings.save(link, Settings("en"))

    assert link.is_symlink()
    assert settings.load(path).settings == Settings("en")


def test_a_reader_beside_a_writer_never_sees_defaults(path: Path) -> None:
    settings.save(path, OWN)
    done = threading.Event()

    def write_on() -> None:
        for number in range(200):
            settings.save(path, Settings("ko" if number % 2 else "en", OWN.names))
        done.set()

    writer = threading.Thread(target=write_on)
    writer.start()
    seen = []
    while not done.is_set():
        seen.append(settings.load(path, keep_copy=False))
    writer.join()

    assert all(one.settings.names == OWN.names and not one.notice for one in seen)


def test_the_service_keeps_all_in_its_state_directory_and_a_user_where_the_desktop_says(tmp_path: Path) -> None:
    service = {"STATE_DIRECTORY": "/var/lib/one:/var/lib/two", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}
    desktop = {"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}

    assert settings.default_path(service) == Path("/var/lib/one/settings.toml")
    assert settings.data_folder("records", service) == Path("/var/lib/one/records")
    assert settings.default_path(desktop) == Path("/c/table-companion/settings.toml")
    assert settings.data_folder("records", desktop) == Path("/s/table-companion/records")
    assert settings.default_path({}) == Path.home() / ".config/table-companion/settings.toml"
    assert settings.data_folder("records", {}) == Path.home() / ".local/state/table-companion/records"


def test_the_page_of_settings_shows_the_defaults_and_every_key(path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    example, _, rest = page.partition("```toml\n")[2].partition("```")
    optional = rest.partition("```toml\n")[2].partition("```")[0]

    assert settings.load(write(path, example)).settings == Settings("ko", ("다은", "Bo"))
    assert {line.split(" ")[0] for line in settings.text(Settings("ko")).splitlines() if " = " in line} == {
        line.split(" ")[0] for line in example.splitlines() if " = " in line
    }
    suggested = settings.load(write(path, optional)).settings.board.pins.there()
    assert suggested == {**DEFAULT_PINS, **SUGGESTED_PINS}
