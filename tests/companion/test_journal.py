"""The journal: what a power cut, a full disk and a damaged file may cost, and what they may not."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion import journal
from companion.journal import JournalError
from companion.replay import replay_file
from companion.seal import sealed
from engines import record, shelf
from engines.record import Header, Replay

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER: dict[str, Any] = {"record": 1, "game": "witch-race", "players": ["다은", "Bo"]}
INPUTS: tuple[dict[str, Any], ...] = (
    {"input": "roll", "player": "다은", "die": 6, "by": "camera", "evidence": "six-a.jpg"},
    {"input": "move", "player": "다은", "from": 0, "by": "buttons"},
    {"input": "tile", "clan": "cloud", "face": 7, "by": "buttons", "note": "é 한"},
)
NEXT: dict[str, Any] = {"input": "roll", "player": "Bo", "die": 2}


def create(folder: Path, header: dict[str, Any] = HEADER) -> journal.Journal:
    return journal.create(folder, header)


def resume(folder: Path) -> tuple[journal.Resumed | None, list[Path]]:
    """Open the newest record again and put its file right, as the application does."""
    found, aside = journal.resume(folder)
    if found is not None:
        found.journal.mend()
    return found, aside


def begun(folder: Path) -> Path:
    """A game of three inputs, as the journal writes it."""
    made = create(folder)
    for line in INPUTS:
        made.append(line)
    return made.path


def replayed(lines: list[bytes]) -> Replay:
    game = Replay(record.header(lines[0]))
    for number, line in enumerate(lines[1:], 2):
        game.line(number, line)
    return game


def resumed(folder: Path) -> journal.Resumed:
    found, aside = resume(folder)
    assert aside == []
    assert found is not None
    return found


def outcome(path: Path) -> dict[str, Any]:
    return replay_file(str(path), "en", steps=False)[0]


def damaged(folder: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in folder.iterdir() if ".damaged-" in path.name)


def on_a_full_disk(after_bytes: int) -> Callable[[int, bytes], int]:
    """``os.write`` of a disk with room for so many bytes more."""
    real, room = os.write, after_bytes

    def write(descriptor: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = real(descriptor, data[:room])
        room -= written
        return written

    return write


# --- writing ----------------------------------------------------------------------------------------------------------


def test_what_is_written_is_a_record_that_replays(tmp_path: Path) -> None:
    path = begun(tmp_path)
    found = outcome(path)
    assert found["error"] is None
    assert found["inputs"] == len(INPUTS)
    assert path.read_bytes().count(b"\n") == 1 + len(INPUTS)


def test_a_folder_is_made_with_the_first_record(tmp_path: Path) -> None:
    assert begun(tmp_path / "a" / "b").parent == tmp_path / "a" / "b"


def test_records_are_numbered_and_the_newest_is_the_game_at_the_table(tmp_path: Path) -> None:
    names = [create(tmp_path).path.name for _ in range(12)]
    assert names == [f"{n:04}-witch-race.jsonl" for n in range(1, 13)]
    found = journal.newest(tmp_path)
    assert found is not None
    assert found.name == names[-1]


def test_the_ten_thousandth_record_is_newer_than_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "9999-witch-race.jsonl").write_bytes(begun(tmp_path / "other").read_bytes())
    assert create(tmp_path).path.name == "10000-witch-race.jsonl"
    assert resumed(tmp_path).journal.path.name == "10000-witch-race.jsonl"


def test_a_new_record_does_not_take_the_number_of_one_that_was_set_aside(tmp_path: Path) -> None:
    (tmp_path / "0007-witch-race.jsonl").write_bytes(b"")
    resume(tmp_path)
    assert create(tmp_path).path.name == "0008-witch-race.jsonl"


def test_two_lines_are_appended_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = create(tmp_path)
    made.append(INPUTS[0])
    writes: list[bytes] = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: (writes.append(bytes(data)), real(fd, data))[1])
    made.append({"undo": True}, {**INPUTS[0], "die": 5})
    assert len(writes) == 1
    assert writes[0].count(b"\n") == 2


def test_a_line_is_synced_before_append_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = create(tmp_path)
    sizes: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (sizes.append(os.fstat(fd).st_size), real(fd))[1])
    made.append(INPUTS[0])
    assert sizes == [made.path.stat().st_size]


# --- resuming ---------------------------------------------------------------------------------------------------------


def test_a_whole_record_goes_on_where_it_stood_and_is_not_touched(tmp_path: Path) -> None:
    path = begun(tmp_path)
    before = path.read_bytes()
    found = resumed(tmp_path)
    assert path.read_bytes() == before
    assert (found.torn, found.damaged_line) == (False, None)
    assert found.game.state == replayed(before.splitlines()).state
    found.journal.append(NEXT)
    assert path.read_bytes().startswith(before)
    assert outcome(path)["inputs"] == len(INPUTS) + 1


def test_an_empty_or_missing_folder_has_no_game(tmp_path: Path) -> None:
    assert resume(tmp_path) == (None, [])
    assert resume(tmp_path / "missing") == (None, [])
    assert journal.newest(tmp_path / "missing") is None


def written(*lines: dict[str, Any]) -> list[bytes]:
    """Lines as the journal writes them."""
    seal, found = None, []
    for line in lines:
        data, seal = sealed(line, seal)
        found.append(data + b"\n")
    return found


def cuts() -> list[int]:
    """Every byte offset behind the header's line feed."""
    sizes = [*map(len, written(HEADER, *INPUTS))]
    return list(range(sizes[0], sum(sizes) + 1))


@pytest.mark.parametrize("cut", cuts())
def test_a_power_cut_at_any_byte_costs_at_most_the_line_being_written(tmp_path: Path, cut: int) -> None:
    path = begun(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    lines = whole[:cut].split(b"\n")
    is_torn = lines[-1] not in (b"", *whole.split(b"\n"))
    kept = [line for line in (lines[:-1] if is_torn else lines) if line]

    found = resumed(tmp_path)
    assert found.torn is is_torn
    assert found.damaged_line is None
    assert found.game.state == replayed(kept).state
    assert len(found.game.steps) == len(kept) - 1
    assert path.read_bytes() == b"".join(line + b"\n" for line in kept)

    again = [*INPUTS, NEXT][len(kept) - 1]
    found.journal.append(again)
    end = outcome(path)
    assert (end["error"], end["dropped"], end["inputs"]) == (None, 0, len(kept))
    assert not damaged(tmp_path)


def test_every_cut_of_the_file_is_tried() -> None:
    assert len(cuts()) > 200
    assert cuts()[-1] == sum(map(len, written(HEADER, *INPUTS)))


def test_a_whole_header_without_its_line_feed_is_a_game_that_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "0001-witch-race.jsonl"
    path.write_bytes(written(HEADER)[0][:-1])
    found = resumed(tmp_path)
    found.journal.append(INPUTS[0])
    assert (outcome(path)["error"], outcome(path)["inputs"]) == (None, 1)


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage",
        b"",
        b'{"input": "roll"',
        b'{"input": "roll", "player": "Bo", "die": 9}',
        b'{"input": "roll", "player": "Bo", "die": 3, "die": 4}',
        b'{"input": "move", "player": "Bo", "from": 0}',
        b"\x00" * 512,
        b"\xff\xfe",
        b"[]",
    ],
    ids=["words", "blank", "cut", "wrong", "twins", "refused", "zeros", "bytes", "list"],
)
def test_garbage_in_the_middle_is_kept_and_the_game_stands_before_it(tmp_path: Path, garbage: bytes) -> None:
    path = begun(tmp_path)
    header, first, *rest = path.read_bytes().split(b"\n")
    broken = b"\n".join([header, first, garbage, *rest])
    path.write_bytes(broken)

    found = resumed(tmp_path)
    assert (found.torn, found.damaged_line) == (False, 3)
    assert found.game.state == replayed([header, first]).state
    assert damaged(tmp_path) == [broken]
    found.journal.append(INPUTS[1])
    assert (outcome(path)["error"], outcome(path)["inputs"]) == (None, 2)


def test_a_complete_last_line_that_is_refused_is_damage_not_a_torn_line(tmp_path: Path) -> None:
    path = begun(tmp_path)
    broken = path.read_bytes() + b'{"input": "move", "player": "Bo", "from": 0}'
    path.write_bytes(broken)
    found = resumed(tmp_path)
    assert (found.torn, found.damaged_line) == (False, 5)
    assert damaged(tmp_path) == [broken]


def test_damaged_copies_do_not_overwrite_each_other(tmp_path: Path) -> None:
    path = begun(tmp_path)
    whole = path.read_bytes()
    broken = [whole + bytes([65 + n]) * 3 + b"\n" for n in range(3)]
    for one in broken:
        path.write_bytes(one)
        resumed(tmp_path)
        assert path.read_bytes() == whole
    assert damaged(tmp_path) == broken


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"\x00" * 100,
        b"\xff\xfe{\x00",
        b"not json\n",
        b"[1]\n",
        b'{"record": 1, "game": "witch-race", "play',
        b'{"game": "witch-race", "players": ["Ana", "Bo"]}\n',
        b'{"record": 1, "game": "chess", "players": ["Ana", "Bo"]}\n',
        b'{"record": 2, "game": "witch-race", "players": ["Ana", "Bo"]}\n',
        b'{"record": 1, "game": "witch-race", "players": ["Ana"]}\n',
        b'{"record": 1, "game": "witch-race", "players": ["Ana", "Bo"], "options": {"speed": 3}}\n',
    ],
)
def test_a_file_that_is_no_game_is_set_aside_whole_and_the_one_before_it_goes_on(tmp_path: Path, text: bytes) -> None:
    older = begun(tmp_path)
    path = tmp_path / "0002-witch-race.jsonl"
    path.write_bytes(text)
    found, aside = resume(tmp_path)
    assert found is not None
    assert found.journal.path == older
    assert [one.read_bytes() for one in aside] == [text]
    assert not path.exists()
    assert resume(tmp_path)[1] == []


def test_files_that_are_no_record_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for text in (b"one", b"two", b"three"):
        (tmp_path / "0001-witch-race.jsonl").write_bytes(text)
        assert resume(tmp_path)[0] is None
    assert damaged(tmp_path) == [b"one", b"three", b"two"]


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    begun(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / ".0002-witch-race.jsonl.new").write_bytes(b'{"record": 1')
    assert resumed(tmp_path).journal.path.name == "0001-witch-race.jsonl"
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_folder_named_like_a_record_is_said_and_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "0001-witch-race.jsonl").mkdir()
    with pytest.raises(JournalError, match="Is a directory"):
        resume(tmp_path)


# --- where nothing can be written -------------------------------------------------------------------------------------


@pytest.mark.parametrize("beyond", ["", "deeper"])
def test_a_file_in_place_of_the_folder_is_said_with_its_name(tmp_path: Path, beyond: str) -> None:
    place = tmp_path / "file"
    place.write_text("mine")
    for work in (lambda: journal.check(place / beyond), lambda: create(place / beyond)):
        with pytest.raises(JournalError, match=r"file.*make it writable, or name another folder"):
            work()
    assert place.read_text() == "mine"


def test_a_place_where_no_folder_can_be_is_said() -> None:
    with pytest.raises(JournalError, match="/proc/companion"):
        journal.check(Path("/proc/companion/records"))


def test_checking_a_good_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    journal.check(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_disk_that_turned_read_only_is_said_and_the_file_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    made = create(tmp_path)
    made.append(INPUTS[0])
    before = made.path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as broken:
        broken.setattr(os, call, fails)
        with pytest.raises(JournalError, match="Read-only file system"):
            made.append(INPUTS[1])
    assert made.path.read_bytes() == before


@pytest.mark.parametrize("room", [0, 1, 30, 80])
def test_a_disk_that_fills_up_leaves_no_half_line_and_both_lines_are_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    made = create(tmp_path)
    made.append(INPUTS[0])
    before = made.path.read_bytes()
    with monkeypatch.context() as full:
        full.setattr(os, "write", on_a_full_disk(room))
        with pytest.raises(JournalError, match="No space left"):
            made.append(*INPUTS[1:])
    assert made.path.read_bytes() == before
    made.append(*INPUTS[1:])
    assert (outcome(made.path)["error"], outcome(made.path)["inputs"]) == (None, len(INPUTS))


@pytest.mark.parametrize("room", [0, 5, 40])
def test_a_record_that_cannot_be_begun_is_not_there_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    with monkeypatch.context() as full:
        full.setattr(os, "write", on_a_full_disk(room))
        with pytest.raises(JournalError, match="No space left"):
            create(tmp_path)
    assert resume(tmp_path) == (None, [])
    assert create(tmp_path).path.name == "0001-witch-race.jsonl"


@pytest.mark.parametrize("room", [0, 10, 100])
def test_mending_on_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    path = begun(tmp_path)
    torn = path.read_bytes() + b'{"input": "ro'
    path.write_bytes(torn)
    with monkeypatch.context() as full:
        full.setattr(os, "write", on_a_full_disk(room))
        with pytest.raises(JournalError, match="No space left"):
            resume(tmp_path)
    assert path.read_bytes() == torn
    assert resumed(tmp_path).torn


def test_a_file_system_without_hard_links_keeps_the_damaged_copy_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path)
    broken = path.read_bytes() + b"garbage\n"
    path.write_bytes(broken)

    def fails(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", fails)
    assert resumed(tmp_path).damaged_line == 5
    assert damaged(tmp_path) == [broken]


def test_a_header_of_the_session_is_written_as_the_contract_has_it(tmp_path: Path) -> None:
    header = Header("witch-race", ("Ana", "Bo"), {"start_player": "Bo"})
    made = create(tmp_path, {"record": 1, "game": header.game, "players": header.players, "options": header.options})
    assert record.header(made.path.read_bytes().splitlines()[0]) == header


# --- seals ------------------------------------------------------------------------------------------------------------


def test_every_line_of_a_record_is_sealed_and_a_changed_one_is_damage_even_where_the_rules_allow_it(
    tmp_path: Path,
) -> None:
    path = begun(tmp_path)
    broken = path.read_bytes().replace(b'"face":7', b'"face":8')
    path.write_bytes(broken)
    assert outcome(path)["error"] is None  # the rules would have it
    found = resumed(tmp_path)
    assert (found.torn, found.damaged_line) == (False, 4)
    assert damaged(tmp_path) == [broken]
    found.journal.append(INPUTS[2], NEXT)
    assert resumed(tmp_path).damaged_line is None


def test_a_line_lost_from_the_middle_is_damage(tmp_path: Path) -> None:
    path = begun(tmp_path)
    made = journal.open_again(path).journal
    made.append({"undo": True})
    made.append(INPUTS[2])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], lines[5]]))
    assert resumed(tmp_path).damaged_line == 5


def test_a_record_of_another_program_goes_on_and_is_sealed_from_there(tmp_path: Path) -> None:
    path = tmp_path / "0001-witch-race.jsonl"
    path.write_bytes(record_line(HEADER) + record_line(INPUTS[0]))
    resumed(tmp_path).journal.append(INPUTS[1])
    assert len(resumed(tmp_path).game.steps) == 2
    path.write_bytes(path.read_bytes().replace(b'"from":0', b'"from":1'))
    assert resumed(tmp_path).damaged_line == 3


FIX: tuple[dict[str, Any], ...] = ({"undo": True, "note": "fix"}, {**INPUTS[2], "face": 9})


def fixed(folder: Path) -> tuple[Path, int, bytes]:
    """A game whose last input was corrected; the size before that."""
    path = begun(folder)
    before = path.stat().st_size
    journal.open_again(path).journal.append(*FIX)
    return path, before, path.read_bytes()


def test_a_power_cut_at_any_byte_of_a_correction_leaves_what_was_or_what_is(tmp_path: Path) -> None:
    path, before, whole = fixed(tmp_path)
    for cut in range(before, len(whole) + 1):
        path.write_bytes(whole[:cut])
        found = resumed(tmp_path)
        done = cut >= len(whole) - 1  # but for its line feed
        assert found.damaged_line is None
        assert found.torn == (before < cut and not done)
        assert [step.data for step in found.game.steps] == [
            step.data for step in replayed(written(HEADER, *(INPUTS[:2]), FIX[1] if done else INPUTS[2])).steps
        ]
        assert path.read_bytes() == (whole if done else whole[:before])


def record_line(line: dict[str, Any]) -> bytes:
    return msgspec.json.encode(line) + b"\n"


ENGINES = Path(__file__).parents[1] / "engines"
GAMES = [
    min(ENGINES.glob(f"{game.replace('-', '_')}/*.jsonl"), key=lambda path: path.stat().st_size) for game in shelf.ids()
]
"""The shortest recorded game of each kind."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_cut_at_every_byte_a_whole_game_stands_at_its_last_whole_line_and_starts(tmp_path: Path, game: Path) -> None:
    header, *lines = map(record.parse, game.read_bytes().splitlines())
    made = create(tmp_path, header)
    for line in lines:
        made.append(line)
    whole = made.path.read_bytes()
    standing = [0]
    for line in lines:
        standing.append(standing[-1] + (-1 if "undo" in line else 1))
    for cut in range(whole.index(b"\n"), len(whole) + 1):
        made.path.write_bytes(whole[:cut])
        found, aside = journal.resume(tmp_path)
        assert found is not None
        assert aside == []
        written_whole = whole[: cut + 1].count(b"\n")  # a line that lacks its line feed only is whole
        assert len(found.game.steps) == standing[written_whole - 1], cut
        assert found.damaged_line is None
        assert found.torn == (whole[cut - 1 : cut] != b"\n" and whole[cut : cut + 1] not in (b"\n", b"")), cut


# --- a card that fails, and comes back --------------------------------------------------------------------------------


def fails(number: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_half_a_line_that_could_not_be_taken_back_gives_way_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = create(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(os, "write", on_a_full_disk(20))
        broken.setattr(os, "ftruncate", fails(errno.EROFS))
        with pytest.raises(JournalError):
            made.append(INPUTS[0])
    assert not made.path.read_bytes().endswith(b"\n")
    made.append(*INPUTS)
    assert made.path.read_bytes() == b"".join(written(HEADER)) + made.path.read_bytes().partition(b"\n")[2]
    assert (outcome(made.path)["error"], outcome(made.path)["inputs"]) == (None, len(INPUTS))
    assert not resumed(tmp_path).torn


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "forbidden"),
        (errno.EIO, "failing"),
        (errno.ENODEV, "gone"),
        (errno.EMFILE, "other"),
    ],
)
def test_what_is_wrong_with_a_disk_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: str
) -> None:
    made = create(tmp_path)
    monkeypatch.setattr(os, "fsync", fails(number))
    with pytest.raises(JournalError) as told:
        made.append(INPUTS[0])
    assert told.value.kind == kind


def test_a_record_that_was_taken_away_is_said_and_serves_again_once_it_is_back(tmp_path: Path) -> None:
    made = create(tmp_path)
    away = made.path.rename(tmp_path / "away")
    with pytest.raises(JournalError) as told:
        made.append(INPUTS[0])
    assert told.value.kind == "gone"
    assert not made.path.exists()
    away.rename(made.path)
    made.append(INPUTS[0])
    assert outcome(made.path)["inputs"] == 1


def test_a_record_that_has_lost_what_was_written_is_not_written_on(tmp_path: Path) -> None:
    path = begun(tmp_path)
    made = resumed(tmp_path).journal
    short = path.read_bytes()[:-40]
    path.write_bytes(short)
    with pytest.raises(JournalError, match="has lost what was written"):
        made.append(NEXT)
    assert path.read_bytes() == short


def test_a_torn_record_on_a_disk_that_takes_nothing_goes_on_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path)
    torn = path.read_bytes() + b'{"input": "ro'
    path.write_bytes(torn)
    found, _ = journal.resume(tmp_path)
    assert found is not None
    assert len(found.game.steps) == len(INPUTS)
    with monkeypatch.context() as broken:
        broken.setattr(os, "write", fails(errno.EROFS))
        with pytest.raises(JournalError, match="Read-only"):
            found.journal.append(NEXT)
    assert path.read_bytes() == torn
    found.journal.append(NEXT)
    assert (outcome(path)["error"], outcome(path)["inputs"]) == (None, len(INPUTS) + 1)
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_new_record_is_synced_before_it_has_its_name_and_its_name_before_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a power cut may undo, it must not undo in an order that leaves a name without contents."""
    done: list[str] = []
    sync, rename = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{descriptor}") else "file")  # noqa: PTH112
        sync(descriptor)

    def replace(self: Path, target: Path) -> Path:
        done.append("name")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    create(tmp_path / "a" / "b")
    assert done == ["folder", "folder", "file", "name", "folder"]
