"""The camera's keeper: one thread keeps a camera warm, sees when it is lost, and gets it back."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING, Literal

from hardware.absent import AbsentCamera
from hardware.interfaces import CameraError, Frame

if TYPE_CHECKING:
    from hardware.interfaces import Camera, Clock

State = Literal["off", "asleep", "awake", "lost"]
"""off: there is none by the owner's wish. asleep: none of its pictures came yet. lost: it worked not, or no more."""

IDLE_S = 1.0
"""Between two looks while nobody wants a picture: often enough to see a loss in time, seldom enough to cost nothing."""
CALL_S = 2.0
"""How long one look may take; a camera that knows of timeouts comes back by then, to be opened anew."""
HANG_S = 2.5
"""A look that takes longer hangs. With IDLE_S and a page's second, a loss is seen within five seconds."""
OPENING_S = 10.0
"""As long as that for the first look, which loads libraries from a slow card."""
FROZEN_S = 2.0
"""How long frames may all be old, or equal to the last bit, before the camera counts as lost."""
DRAIN = 8
"""Frames refused without a pause: more than any pipeline holds."""
PACE_S = 0.25
"""Least pause after a failure, however many ask: at most four tries a second."""
BACK_OFF_S = (0.25, 0.5, 1.0, 2.0, 5.0)
"""Pauses after the first, second, ... failure in a row; the last one again and again."""
CLOSING_S = 1.0
"""How long closing waits for a camera that hangs; its thread ends with the program at the latest."""
STARVED = 3
"""Failures in a row for want of memory, after which only a new process helps (picamera2 issues 887, 1102)."""
STUCK_S = 60.0
"""A look that hangs so long never comes back, and its thread is the camera's only one."""

CLOSED = "The camera has been closed."
HANGS = "The camera hangs: pull its plug and put it in again, and check the cable."


@dataclass(frozen=True, slots=True)
class Health:
    """How the camera is; ``reason`` is the sentence that says what is wrong."""

    state: State
    reason: str = ""


@dataclass(eq=False, slots=True)
class _Request:
    after: float
    frame: Frame | None = None
    error: CameraError | None = None
    done: Event = field(default_factory=Event)


class Keeper:
    """A camera that may be asked from any thread, and whose own trouble stays its own.

    It looks about once a second on a thread of its own, at once when somebody wants a picture. A frame begun before it
    was wanted, or equal to the last bit to the one before it, is never given: a sensor's noise makes no two frames
    alike, except wholly dark or wholly white ones, and photographs from a folder (they have a name). After a failure
    the camera is closed, and opened anew by the next look, with growing pauses. While a look hangs no second thread is
    started.
    """

    def __init__(self, camera: Camera, clock: Clock) -> None:
        self._camera = camera
        self._clock = clock
        self._wake = Condition()
        self._requests: list[_Request] = []
        self._closing = False
        self._thread: Thread | None = None
        self._state = Health("off" if isinstance(camera, AbsentCamera) else "asleep")
        self._called_at: float | None = None
        self._worked = False
        self._last: Frame | None = None
        self._refused_since: float | None = None
        self._refused = self._failures = self._starved = 0
        self._fatal: BaseException | None = None

    @property
    def health(self) -> Health:
        """How the camera is now; a look that hangs counts as a loss while it lasts."""
        return Health("lost", HANGS) if self._hung_for() > 0 else self._state

    @property
    def fatal(self) -> BaseException | None:
        """Why this process should end, and be started again: a bug here, or a loss that only a new one can mend.

        A camera that never gave a picture in this process is no reason: a new process would fare no better.
        """
        if self._fatal is None and self._worked and self._hung_for() > STUCK_S:
            return CameraError(f"The camera has hung for {STUCK_S:.0f} s, and only a new start can open it again.")
        return self._fatal

    def start(self) -> None:
        """Begin to keep the camera warm; the first call of :meth:`frame` does it too."""
        with self._wake:
            if self._thread is None and not self._closing and self._state.state != "off":
                self._thread = Thread(target=self._work, name="camera", daemon=True)
                self._thread.start()

    def frame(self, after: float, timeout: float) -> Frame:
        """Give a picture whose exposure began no earlier than ``after``, in ``timeout`` seconds; raises CameraError.

        A failure is said at once; the camera was asked at least once since the call.
        """
        if self._state.state == "off":
            return self._camera.frame(after, timeout)  # says that there is none
        request = _Request(after)
        with self._wake:
            if self._closing or self._fatal is not None:
                raise CameraError(CLOSED)
            if self._hung_for() > 0:
                raise CameraError(HANGS)
            self._requests.append(request)
            self._wake.notify_all()
        self.start()
        if not request.done.wait(max(0.0, timeout)):
            with self._wake:
                self._requests = [one for one in self._requests if one is not request]
            reason = self.health.reason or f"The camera gave no new picture within {timeout:.1f} s."
            raise CameraError(reason)
        if request.frame is None:
            raise request.error or CameraError(CLOSED)
        return request.frame

    def close(self) -> None:
        """Let go of the camera; never raises, may be called twice, and waits a second at most for one that hangs."""
        with self._wake:
            if self._closing:
                return
            self._closing = True
            self._wake.notify_all()
        self._answer(tuple(self._requests))
        if self._thread is not None:
            self._thread.join(CLOSING_S)
        else:
            self._camera.close()

    def turn(self) -> tuple[float, float]:
        """Look once; gives the seconds to wait in any case, and those to wait while nobody wants a picture."""
        with self._wake:
            asked = tuple(self._requests)  # before the call: what it brings is younger than every wish
        now = self._called_at = self._clock.now()
        after = max((request.after for request in asked), default=now)
        try:
            frame = self._camera.frame(after, CALL_S)
            if not self._is_new(frame, after):
                return (0.0 if self._refused < DRAIN else PACE_S), PACE_S
        except CameraError as error:
            self._answer(asked, error=error)
            return self._failed(error)
        finally:
            self._called_at = None
        self._worked, self._state = True, Health("awake")
        self._failures = self._starved = 0
        self._answer(asked, frame=frame)
        return 0.0, IDLE_S

    def _work(self) -> None:
        try:
            while not self._closing:
                least, most = self.turn()
                with self._wake:
                    self._wake.wait_for(lambda: self._closing, least)
                    self._wake.wait_for(lambda: self._closing or bool(self._requests), most - least)
        except BaseException as error:  # noqa: BLE001 - a bug here must end the process, not only this thread
            self._fatal = error
            self._answer(tuple(self._requests))
        finally:
            self._camera.close()

    def _answer(
        self, asked: tuple[_Request, ...], frame: Frame | None = None, error: CameraError | None = None
    ) -> None:
        with self._wake:
            self._requests = [request for request in self._requests if request not in asked]
        for request in asked:
            request.frame, request.error = frame, error
            request.done.set()

    def _is_new(self, frame: Frame, after: float) -> bool:
        """Tell whether a frame may be given. Raises CameraError where none could for too long."""
        now = self._clock.now()
        before, self._last = self._last, frame
        is_same = before is not None and _are_same(before, frame)
        if frame.at >= after and not is_same:
            self._refused_since, self._refused = None, 0
            return True
        self._refused_since = now if self._refused_since is None else self._refused_since
        self._refused += 1
        if now - self._refused_since >= FROZEN_S:
            told = "gives one and the same picture" if is_same else "gives old pictures only"
            raise CameraError(f"The camera {told}: pull its plug and put it in again.")
        return False

    def _failed(self, error: CameraError) -> tuple[float, float]:
        self._state = Health("lost", str(error))
        self._refused_since, self._refused = None, 0  # the last frame stays known: opened anew, it may still be frozen
        self._starved = self._starved + 1 if _is_starved(error) else 0
        if self._worked and self._starved >= STARVED:
            self._fatal = CameraError(f"The camera cannot be opened again in this process: {error}")
        self._camera.close()
        pause = BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
        self._failures += 1
        return PACE_S, pause

    def _hung_for(self) -> float:
        """Seconds beyond the time that a look may take; 0 and less while all is well."""
        called_at = self._called_at
        if called_at is None:
            return 0.0
        return self._clock.now() - called_at - (HANG_S if self._worked or self._failures else OPENING_S)


def _are_same(one: Frame, other: Frame) -> bool:
    """Tell whether two frames of a sensor are equal to the last bit, which no two are unless it is frozen."""
    if other.name is not None or one.picture.shape != other.picture.shape:
        return False
    import numpy as np  # noqa: PLC0415 - not before the hello: it takes a tenth of a second

    return bool(np.array_equal(one.picture, other.picture)) and bool(np.ptp(other.picture))


def _is_starved(error: BaseException | None) -> bool:
    """Tell whether the kernel had no memory left for the camera's buffers."""
    while error is not None:
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            return True
        if isinstance(error, MemoryError) or "allocate memory" in str(error):
            return True
        error = error.__cause__
    return False
