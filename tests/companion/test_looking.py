"""Looking over filmed tables: hands, rolling dice, torn and stale frames; time is the film's."""

import queue
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.events import LookFailed, Saw
from companion.looking import PATIENCE_S, STILL_S, Looking
from hardware.board import BoardSettings, open_fake_board
from hardware.fakes.clock import SetClock
from hardware.interfaces import CameraError, Frame
from vision.gallery import GalleryError
from vision.observation import Complaint, Observation, Sighting

Picture = NDArray[np.uint8]
FPS = 30.0
READING_S = 0.2
PRESS = 1000.0
WAIT_S = 20.0


def table(die: int | None, x: float = 300.0, *, hand: bool = False) -> Picture:
    """A table whose die shows its value as brightness: the reader below needs no skill."""
    picture = np.full((360, 640, 3), 120, np.uint8)
    if die is not None:
        cv2.rectangle(picture, (round(x), 150), (round(x) + 40, 190), (40 * die, 255, 255), -1)
    if hand:
        cv2.rectangle(picture, (250, 0), (420, 360), (90, 130, 200), -1)
    return picture


class Film:
    """A camera that films at 30 frames a second; the clock goes on with it. ``torn`` mixes neighbouring frames."""

    def __init__(self, clock: SetClock, scene: Callable[[float], Picture], *, is_torn: bool = False) -> None:
        self.clock = clock
        self.scene = scene
        self.is_torn = is_torn
        self.frames: list[float] = []

    def frame(self, after: float, timeout: float) -> Frame:
        at = PRESS + np.ceil((after - PRESS) * FPS - 1e-6) / FPS
        if at - self.clock.now() > timeout:
            raise CameraError("no frame in time")
        self.clock.set(max(self.clock.now(), at + 1 / FPS))
        self.frames.append(at)
        picture = self.scene(at - PRESS)
        if self.is_torn:
            picture = np.concatenate([picture[:170], self.scene(at - PRESS + 1 / FPS)[170:]])
        return Frame(picture, at)

    def close(self) -> None: ...


class Reader:
    """Reads the die of a table; a hand in the picture is a complaint, a mixed die a wrong value and sure."""

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.pictures: list[Picture] = []
        self.sure: Iterator[bool] = iter(())

    def __call__(self, picture: Picture) -> Observation:
        self.clock.advance(READING_S)
        self.pictures.append(picture)
        sure = next(self.sure, True)
        if (picture[:, 255] == (90, 130, 200)).all():
            return Observation((640, 360), None, None, (), (Complaint("covered"),), sure=False)
        values = picture[picture[:, :, 1] == 255]
        if not len(values):
            return Observation((640, 360), None, None, (), (), sure=False)
        name = str(round(float(values[:, 0].mean()) / 40))
        die = Sighting("die", name, 0.99, (), "up", None, (320.0, 170.0), None, 0.0, (300.0, 150.0, 40.0, 40.0))
        return Observation((640, 360), None, None, (die,), (), sure=sure)


class Desk:
    """A worker that looks at a film."""

    def __init__(self, scene: Callable[[float], Picture], *, is_torn: bool = False) -> None:
        self.clock = SetClock(PRESS)
        self.film = Film(self.clock, scene, is_torn=is_torn)
        self.reader = Reader(self.clock)
        board = replace(open_fake_board(BoardSettings("fake", "mock"), self.clock), camera=self.film)
        self.answers: queue.SimpleQueue[Saw | LookFailed | BaseException] = queue.SimpleQueue()
        self.looking = Looking(board, self.answers.put, self.reader)
        self.looking.start()

    def look(self) -> Saw | LookFailed:
        self.looking.look(1)
        answer = self.answers.get(timeout=WAIT_S)
        assert isinstance(answer, Saw | LookFailed), answer
        return answer

    def took_s(self) -> float:
        return self.clock.now() - PRESS


Film_ = Callable[..., Desk]


@pytest.fixture
def filmed() -> Iterator[Film_]:
    desks: list[Desk] = []

    def make(scene: Callable[[float], Picture], *, is_torn: bool = False) -> Desk:
        desks.append(Desk(scene, is_torn=is_torn))
        return desks[-1]

    yield make
    for desk in desks:
        desk.looking.stop()


def names(answer: Saw | LookFailed) -> tuple[str, ...]:
    assert isinstance(answer, Saw), answer
    return tuple(str(piece.name) for piece in answer.scene.pieces)


def test_a_still_table_is_read_once_and_answered_within_a_second(filmed: Film_) -> None:
    desk = filmed(lambda _: table(4))
    assert names(desk.look()) == ("4",)
    assert len(desk.reader.pictures) == 1
    assert STILL_S <= desk.took_s() < 1.0


def test_an_unsure_table_is_read_again_and_still_answered_in_about_a_second(filmed: Film_) -> None:
    desk = filmed(lambda _: table(4))
    desk.reader.sure = iter((False, True, True))
    answer = desk.look()
    assert isinstance(answer, Saw)
    assert answer.scene.sure
    assert len(desk.reader.pictures) == 3
    assert desk.took_s() < 1.2


def test_no_frame_begun_before_the_press_is_read(filmed: Film_) -> None:
    desk = filmed(lambda _: table(4))
    desk.look()
    assert min(desk.film.frames) >= PRESS


def test_a_die_is_read_where_it_comes_to_rest(filmed: Film_) -> None:
    """It shows another value at each moment of its roll."""

    def rolling(at: float) -> Picture:
        return table(4, 300.0) if at >= 1.3 else table(1 + int(at * FPS) % 6, 100.0 + 150.0 * at)

    desk = filmed(rolling)
    assert names(desk.look()) == ("4",)
    assert desk.took_s() >= 1.3 + STILL_S


def test_a_die_that_rocks_back_after_a_pause_is_read_after_it(filmed: Film_) -> None:
    """Still for 0.4 s on a wrong value, already read, then it tips over."""
    desk = filmed(lambda at: table(2) if at < 0.4 else table(5, 306.0))
    assert names(desk.look()) == ("5",)


@pytest.mark.parametrize("speed_px", [20.0, 60.0, 200.0])
def test_what_never_lies_still_is_given_up_after_five_seconds_unread(filmed: Film_, speed_px: float) -> None:
    desk = filmed(lambda at: table(1 + int(at * 10) % 6, 50.0 + speed_px * (at % 2.0)))
    answer = desk.look()
    assert answer == LookFailed(1, "moving")
    assert PATIENCE_S <= desk.took_s() < PATIENCE_S + 1.0


@pytest.mark.parametrize("stop_s", [0.3, 0.75, 1.0, 1.02])
def test_a_torn_frame_is_never_ruled_on(filmed: Film_, stop_s: float) -> None:
    """Each frame has the lower half of the next moment, so what is read of a rolling die is no value it ever had."""
    desk = filmed(lambda at: table(3, 300.0) if at >= stop_s else table(6, 100.0 + 300.0 * at), is_torn=True)
    assert names(desk.look()) == ("3",)


def test_a_hand_that_lies_on_the_pieces_is_waited_out(filmed: Film_) -> None:
    desk = filmed(lambda at: table(4, hand=at < 2.0))
    assert names(desk.look()) == ("4",)
    assert 2.0 + STILL_S <= desk.took_s() < 3.5


def test_a_hand_that_moves_is_waited_out(filmed: Film_) -> None:
    desk = filmed(lambda at: table(4, hand=at < 2.0 and int(at * 5) % 2 == 0))
    assert names(desk.look()) == ("4",)


def test_what_covers_the_pieces_for_good_is_told_after_five_seconds_and_then_at_once(filmed: Film_) -> None:
    desk = filmed(lambda at: table(4, hand=at < 100.0))
    answer = desk.look()
    assert isinstance(answer, Saw)
    assert [one.kind for one in answer.scene.complaints] == ["covered"]
    assert PATIENCE_S <= desk.took_s() < PATIENCE_S + 1.0
    before = desk.clock.now()
    desk.look()
    assert desk.clock.now() - before < 1.2


def test_readings_that_change_their_mind_are_unsure(filmed: Film_) -> None:
    desk = filmed(lambda _: table(4))
    said = iter(("4", "5", "4"))

    def flickering(picture: Picture) -> Observation:
        seen = desk.reader(picture)
        return replace(seen, pieces=(replace(seen.pieces[0], name=next(said)),))

    desk.reader.sure = iter((False, True, True))
    desk.looking._read = flickering
    answer = desk.look()
    assert isinstance(answer, Saw)
    assert not answer.scene.sure


def test_a_camera_that_fails_is_told_with_its_sentence(filmed: Film_) -> None:
    def unplugged(_: float) -> Picture:
        raise CameraError("The camera was unplugged.")

    assert filmed(unplugged).look() == LookFailed(1, "no-camera", "The camera was unplugged.")


def test_a_damaged_gallery_is_told_with_its_sentence_and_ends_nothing(filmed: Film_) -> None:
    desk = filmed(lambda _: table(3))

    def damaged(_: Picture) -> Observation:
        raise GalleryError("The gallery's hare.png is damaged.")

    desk.looking._read = damaged
    assert desk.look() == LookFailed(1, "damaged", "The gallery's hare.png is damaged.")
    desk.looking._read = desk.reader
    assert isinstance(desk.look(), Saw)
