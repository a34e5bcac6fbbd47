"""The camera's keeper over scripted cameras: late, stale, frozen, gone, hanging, starved."""

import errno
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from hardware.absent import AbsentCamera
from hardware.fakes.clock import SetClock
from hardware.interfaces import Camera, CameraError, Frame
from hardware.keeper import BACK_OFF_S, DRAIN, HANG_S, IDLE_S, OPENING_S, STUCK_S, Keeper

Step = Callable[[float], Frame]
PATIENCE_S = 20.0
"""How long a busy machine is given before a test fails."""


def picture(number: int) -> np.ndarray:
    """A picture that no other is equal to, as a sensor's are."""
    made = np.full((48, 64, 3), 127, np.uint8)
    made[0, 0] = divmod(number, 256)[1], number // 256, 1
    return made


class Scripted:
    """A camera that does step after step, each with the time of the call; the last step again and again."""

    def __init__(self, clock: SetClock, *steps: Step) -> None:
        self.clock = clock
        self.steps = list(steps)
        self.calls: list[float] = []
        self.closed = 0
        self.count = 0

    def frame(self, after: float, timeout: float) -> Frame:  # noqa: ARG002 - the protocol's
        self.calls.append(after)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        return step(after)

    def close(self) -> None:
        self.closed += 1

    def new(self, after: float) -> Frame:
        self.count += 1
        return Frame(picture(self.count), max(after, self.clock.now()))

    def aged(self, age: float) -> Step:
        return lambda after: Frame(self.new(after).picture, after - age)

    def same(self, after: float) -> Frame:
        return Frame(picture(0), after)


def fails(error: Exception) -> Step:
    def step(_: float) -> Frame:
        raise error

    return step


GONE = fails(CameraError("unplugged"))


@pytest.fixture
def clock() -> SetClock:
    return SetClock(100.0)


@pytest.fixture
def camera(clock: SetClock) -> Scripted:
    camera = Scripted(clock)
    camera.steps = [camera.new]
    return camera


@pytest.fixture
def kept(camera: Scripted, clock: SetClock) -> Keeper:
    """A keeper that is turned by hand: its thread is not started."""
    return Keeper(camera, clock)


@pytest.fixture
def start() -> Iterator[Callable[[Camera, SetClock], Keeper]]:
    keepers: list[Keeper] = []

    def started(camera: Camera, clock: SetClock) -> Keeper:
        keepers.append(Keeper(camera, clock))
        return keepers[-1]

    yield started
    for keeper in keepers:
        keeper.close()


def pass_time(kept: Keeper, clock: SetClock, seconds: float) -> None:
    """Turn the keeper as its thread would while nobody wants a picture."""
    end = clock.now() + seconds
    while clock.now() < end:
        clock.advance(min(max(kept.turn()[1], 0.05), end - clock.now()))


# --- seeing how the camera is -----------------------------------------------------------------------------------------


def test_a_camera_is_asleep_until_its_first_picture_and_looked_at_about_once_a_second(
    camera: Scripted, kept: Keeper, clock: SetClock
) -> None:
    assert kept.health.state == "asleep"
    pass_time(kept, clock, 10.0)
    assert kept.health.state == "awake"
    assert len(camera.calls) == 10


def test_no_camera_by_the_owners_wish_is_no_loss_and_costs_no_thread(clock: SetClock) -> None:
    kept = Keeper(AbsentCamera(), clock)
    threads = threading.active_count()
    kept.start()
    with pytest.raises(CameraError, match="No camera is set up"):
        kept.frame(after=100.0, timeout=PATIENCE_S)
    assert threading.active_count() == threads
    assert kept.health.state == "off"


def test_an_unplugged_camera_is_lost_at_once_closed_and_back_when_it_is(
    camera: Scripted, kept: Keeper, clock: SetClock
) -> None:
    camera.steps = [camera.new, GONE, GONE, camera.new]
    kept.turn()
    kept.turn()
    assert (kept.health.state, kept.health.reason) == ("lost", "unplugged")
    kept.turn()
    assert camera.closed == 2
    kept.turn()
    assert kept.health.state == "awake"


def test_a_frozen_camera_is_lost_within_five_seconds_and_opened_anew(
    camera: Scripted, kept: Keeper, clock: SetClock
) -> None:
    pass_time(kept, clock, 3.0)
    camera.steps = [camera.same]
    frozen_at = clock.now()
    while kept.health.state == "awake":
        clock.advance(kept.turn()[1])
    assert clock.now() - frozen_at <= 4.0
    assert "one and the same picture" in kept.health.reason
    assert camera.closed == 1
    pass_time(kept, clock, 10.0)
    assert kept.health.state == "lost"  # opened anew, it gives the same picture still
    assert camera.closed > 1
    camera.steps = [camera.new]
    kept.turn()
    assert kept.health.state == "awake"


@pytest.mark.parametrize("level", [0, 255])
def test_wholly_dark_or_white_frames_may_be_equal(camera: Scripted, kept: Keeper, clock: SetClock, level: int) -> None:
    camera.steps = [lambda after: Frame(np.full((48, 64, 3), level, np.uint8), after)]
    pass_time(kept, clock, 10.0)
    assert kept.health.state == "awake"


def test_a_photograph_may_lie_there_unchanged(camera: Scripted, kept: Keeper, clock: SetClock) -> None:
    camera.steps = [lambda after: Frame(picture(0), after, "die.png")]
    pass_time(kept, clock, 10.0)
    assert kept.health.state == "awake"


def test_a_camera_with_old_frames_only_is_lost(camera: Scripted, kept: Keeper, clock: SetClock) -> None:
    pass_time(kept, clock, 3.0)
    camera.steps = [camera.aged(0.4)]
    pass_time(kept, clock, 4.0)
    assert kept.health.state == "lost"
    assert "old pictures only" in kept.health.reason


def test_one_old_frame_is_dropped_and_nothing_is_lost(camera: Scripted, kept: Keeper, clock: SetClock) -> None:
    camera.steps = [camera.new, camera.aged(3.0), camera.new]
    clock.advance(kept.turn()[1])
    clock.advance(30.0)  # it hung, and what it gives at last is old
    least, _ = kept.turn()
    assert (least, kept.health.state) == (0.0, "awake")
    kept.turn()
    assert kept.health.state == "awake"


def test_tries_of_a_dead_camera_are_spaced_out(camera: Scripted, kept: Keeper, clock: SetClock) -> None:
    camera.steps = [GONE]
    pauses = [kept.turn() for _ in range(10_000)]
    assert min(least for least, _ in pauses) >= 0.2  # under five calls a second, however many ask
    assert [most for _, most in pauses[:6]] == [*BACK_OFF_S, BACK_OFF_S[-1]]
    assert pauses[-1][1] == BACK_OFF_S[-1]


def test_old_frames_that_come_at_once_do_not_make_it_spin(camera: Scripted, kept: Keeper) -> None:
    camera.steps = [camera.aged(1.0)]
    pauses = [kept.turn()[0] for _ in range(DRAIN + 5)]
    assert pauses[: DRAIN - 1] == [0.0] * (DRAIN - 1)
    assert min(pauses[DRAIN:]) >= 0.2


# --- giving pictures --------------------------------------------------------------------------------------------------


def test_only_a_frame_begun_after_it_was_wanted_is_given(
    camera: Scripted, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    camera.steps = [camera.aged(0.400), camera.aged(0.050), camera.aged(-0.030)]
    frame = start(camera, clock).frame(after=100.0, timeout=PATIENCE_S)
    assert frame.at == pytest.approx(100.030)
    assert camera.count == 3


def test_after_an_error_lagging_frames_are_dropped(
    camera: Scripted, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    lagging = [camera.aged(0.5)] * 2
    camera.steps = [fails(CameraError("dequeue failed")), *lagging, camera.new]
    kept = start(camera, clock)
    with pytest.raises(CameraError, match="dequeue failed"):
        kept.frame(after=100.0, timeout=PATIENCE_S)
    assert kept.frame(after=100.0, timeout=PATIENCE_S).at >= 100.0


def test_a_frame_equal_to_the_one_before_is_not_given(
    camera: Scripted, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    camera.steps = [camera.same, camera.same, camera.same, camera.new]
    kept = start(camera, clock)
    first = kept.frame(after=100.0, timeout=PATIENCE_S)
    second = kept.frame(after=100.0, timeout=PATIENCE_S)
    assert not np.array_equal(first.picture, second.picture)


def test_a_picture_wanted_while_none_comes_is_said_with_the_reason_and_tried_again_at_once(
    camera: Scripted, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    camera.steps = [GONE]
    kept = start(camera, clock)
    for _ in range(2):
        with pytest.raises(CameraError, match="unplugged"):
            kept.frame(after=100.0, timeout=PATIENCE_S)
    camera.steps = [camera.new]
    assert kept.frame(after=100.0, timeout=PATIENCE_S)


def test_several_may_ask_at_once(
    camera: Scripted, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    kept = start(camera, clock)
    frames: list[Frame] = []
    asking = [threading.Thread(target=lambda: frames.append(kept.frame(100.0, PATIENCE_S))) for _ in range(5)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(PATIENCE_S)
    assert len(frames) == 5


# --- hanging ----------------------------------------------------------------------------------------------------------


class Hanging(Scripted):
    """Hangs in its second call until it is let go."""

    def __init__(self, clock: SetClock) -> None:
        super().__init__(clock)
        self.hangs = threading.Event()
        self.let_go = threading.Event()
        self.steps = [self.new, self.hang, self.new]

    def hang(self, after: float) -> Frame:
        self.hangs.set()
        self.let_go.wait(PATIENCE_S)
        return Frame(picture(999), after)


@pytest.fixture
def hanging(clock: SetClock) -> Iterator[Hanging]:
    camera = Hanging(clock)
    yield camera
    camera.let_go.set()


def test_a_hang_is_seen_within_five_seconds_and_twenty_of_them_start_no_thread(
    hanging: Hanging, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    kept = start(hanging, clock)
    kept.frame(after=100.0, timeout=PATIENCE_S)
    with pytest.raises(CameraError, match="no new picture"):
        kept.frame(after=100.0, timeout=0.001)
    assert hanging.hangs.wait(PATIENCE_S)
    assert kept.health.state == "awake"
    assert IDLE_S + HANG_S < 5.0
    clock.advance(HANG_S + 0.1)
    threads = threading.active_count()
    for _ in range(20):
        with pytest.raises(CameraError, match="hangs: pull its plug"):
            kept.frame(after=100.0, timeout=PATIENCE_S)
    assert threading.active_count() == threads
    assert kept.health.state == "lost"
    assert kept.fatal is None


def test_a_camera_that_wakes_from_a_hang_is_used_again_and_its_late_frame_is_not(
    hanging: Hanging, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    kept = start(hanging, clock)
    kept.frame(after=100.0, timeout=PATIENCE_S)
    with pytest.raises(CameraError):
        kept.frame(after=100.0, timeout=0.001)
    clock.advance(1.0)
    hanging.let_go.set()
    frame = kept.frame(after=101.0, timeout=PATIENCE_S)
    assert frame.at >= 101.0
    assert frame.picture[0, 0].tolist() != picture(999)[0, 0].tolist()


def test_a_camera_that_worked_and_never_comes_back_ends_the_process(
    hanging: Hanging, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    kept = start(hanging, clock)
    kept.frame(after=100.0, timeout=PATIENCE_S)
    with pytest.raises(CameraError):
        kept.frame(after=100.0, timeout=0.001)
    assert hanging.hangs.wait(PATIENCE_S)
    clock.advance(HANG_S + STUCK_S + 0.1)
    assert "only a new start" in str(kept.fatal)


def test_a_camera_that_hangs_from_the_start_is_lost_and_ends_nothing(
    hanging: Hanging, clock: SetClock, start: Callable[[Camera, SetClock], Keeper]
) -> None:
    del hanging.steps[0]
    kept = start(hanging, clock)
    kept.start()
    assert hanging.hangs.wait(PATIENCE_S)
    clock.advance(OPENING_S - 0.1)
    assert kept.health.state == "asleep"
    clock.advance(STUCK_S * 10)
    assert kept.health.state == "lost"
    assert kept.fatal is None


def test_closing_frees_whoever_waits_and_does_not_wait_for_a_hang(hanging: Hanging, clock: SetClock) -> None:
    kept = Keeper(hanging, clock)
    kept.frame(after=100.0, timeout=PATIENCE_S)
    errors: list[str] = []

    def ask() -> None:
        try:
            kept.frame(after=100.0, timeout=PATIENCE_S)
        except CameraError as error:
            errors.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    assert hanging.hangs.wait(PATIENCE_S)
    began = time.monotonic()
    kept.close()
    asking.join(PATIENCE_S)
    assert time.monotonic() - began < 3.0
    assert errors == ["The camera has been closed."]
    assert hanging.closed == 0  # nobody else touches a camera that hangs in its own thread


def test_a_closed_keeper_has_let_go_and_says_so(camera: Scripted, clock: SetClock) -> None:
    kept = Keeper(camera, clock)
    kept.frame(after=100.0, timeout=PATIENCE_S)
    kept.close()
    kept.close()
    assert camera.closed == 1
    with pytest.raises(CameraError, match="has been closed"):
        kept.frame(after=100.0, timeout=PATIENCE_S)


# --- beyond recovery --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOMEM, "Cannot allocate memory"), MemoryError(), RuntimeError("Unable to allocate memory")]
)
def test_three_reopenings_without_memory_end_the_process(
    camera: Scripted, kept: Keeper, clock: SetClock, error: Exception
) -> None:
    def starved(_: float) -> Frame:
        raise CameraError("The camera failed.") from error

    camera.steps = [camera.new] * 6 + [starved]
    for _ in range(8):
        kept.turn()
    assert kept.fatal is None
    kept.turn()
    assert isinstance(kept.fatal, CameraError)


def test_without_memory_from_the_start_the_process_stays(camera: Scripted, kept: Keeper) -> None:
    camera.steps = [fails(CameraError("Cannot allocate memory"))]
    for _ in range(20):
        kept.turn()
    assert kept.fatal is None


@pytest.mark.parametrize("error", [ZeroDivisionError("a bug"), SystemExit(1)])
def test_the_end_of_the_cameras_thread_is_known_and_nobody_waits_for_it(
    camera: Scripted, clock: SetClock, start: Callable[[Camera, SetClock], Keeper], error: Exception
) -> None:
    camera.steps = [fails(error)]
    kept = start(camera, clock)
    for _ in range(2):
        with pytest.raises(CameraError, match="has been closed"):
            kept.frame(after=100.0, timeout=PATIENCE_S)
    assert kept.fatal is error
