"""The camera's own thread: waits for a still scene, reads it, and answers; the table never waits for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.agreement import agreed, are_enough
from companion.events import LookFailed, Saw
from hardware.interfaces import Board, CameraError, Frame
from vision.observation import Observation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BETWEEN_S = 0.1
"""Least time between two pictures that are compared."""
STILL_S = 0.5
"""How long nothing may move before a reading counts; a ruling comes within a second of the press (table manners)."""
PATIENCE_S = 5.0
"""How long moving hands, or one that lies on the pieces, are waited for, before the page says so (table manners)."""
FRAME_S = 4.0
"""How long a picture is waited for: the camera's keeper says much sooner that there is none."""

Read = Callable[["NDArray[np.uint8]"], Observation]


class Looking:
    """One worker for one camera: the newest request counts, an older one is answered no more."""

    def __init__(self, board: Board, answer: Callable[[Saw | LookFailed | BaseException], None], read: Read) -> None:
        self._board = board
        self._answer = answer
        self._read = read
        self._requests: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._covered: NDArray[np.uint8] | None = None
        """The picture in which something covered the pieces, as it was last told."""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="looking", daemon=True)

    def start(self) -> None:
        """Begin to wait for requests."""
        self._thread.start()

    def look(self, request: int) -> None:
        """Have the camera look; the answer comes by the callback, on the worker's thread."""
        self._requests.put(request)

    def stop(self) -> None:
        """Stop after the picture at hand; a camera that hangs is left behind (the thread is a daemon)."""
        self._stopping.set()
        self._requests.put(None)
        self._thread.join(timeout=1.0)

    def _work(self) -> None:
        try:
            while (request := self._requests.get()) is not None:
                while not self._requests.empty():
                    newer = self._requests.get()
                    if newer is None:
                        return
                    request = newer
                self._answer(self._look(request))
        except BaseException as error:  # noqa: BLE001 - a bug here must end the process, not only this thread
            self._answer(error)

    def _look(self, request: int) -> Saw | LookFailed:
        from vision.picture import VisionError  # noqa: PLC0415 - as below

        try:
            return self._seen(request)
        except CameraError as error:
            return LookFailed(request, "no-camera", str(error))
        except VisionError as error:  # a damaged gallery or network: the owner's to put right, the game goes on
            return LookFailed(request, "damaged", str(error))

    def _seen(self, request: int) -> Saw | LookFailed:
        """Look until nothing has moved for long enough, and read meanwhile. Time is that of the frames."""
        from vision.steady import Stillness  # noqa: PLC0415 - OpenCV takes a quarter of a second: not before the hello

        camera, clock = self._board.camera, self._board.clock
        frame = camera.frame(clock.now(), FRAME_S)
        stillness, readings = Stillness(), list[Observation]()
        began = frame.at
        while not self._stopping.is_set():
            still_s = stillness.add(frame.picture, frame.at)
            is_late = frame.at - began >= PATIENCE_S
            if still_s == 0.0:
                readings.clear()
            elif not are_enough(readings):
                readings.append(self._read(frame.picture))
            if still_s >= STILL_S and are_enough(readings):
                scene = agreed(readings)
                if is_late or not self._is_hand(scene, frame):
                    self._covered = frame.picture if _is_covered(scene) else None
                    if _is_false(scene, frame):
                        return LookFailed(request, "swapped")
                    return _saw(request, frame, scene)
            elif is_late:
                break
            frame = camera.frame(max(clock.now(), frame.at + BETWEEN_S), FRAME_S)
        return LookFailed(request, "moving")

    def _is_hand(self, scene: Observation, frame: Frame) -> bool:
        """Tell whether something covers the pieces that was not there when this was last said: it may go away."""
        from vision.steady import is_still  # noqa: PLC0415 - as above

        if not _is_covered(scene):
            return False
        return self._covered is None or not is_still(self._covered, frame.picture)


def _is_covered(scene: Observation) -> bool:
    return any(one.kind == "covered" for one in scene.complaints)


def _is_false(scene: Observation, frame: Frame) -> bool:
    """Tell whether red and blue are swapped, where that could change a name: dice with pips need no colours."""
    from vision.mat.patches import order  # noqa: PLC0415 - as above

    if all(one.kind == "die" and (one.name or "").isdigit() for one in scene.pieces) and scene.pieces:
        return False
    return scene.corners_px is not None and order(frame.picture, scene.corners_px) == "swapped"


def _saw(request: int, frame: Frame, scene: Observation) -> Saw:
    from companion.cutout import cut_out, whole  # noqa: PLC0415 - as above

    boxes = [piece.box_px for piece in scene.pieces]
    cuts = tuple(cut_out(frame.picture, box) for box in boxes)
    return Saw(request, scene, cuts, frame.name, whole(frame.picture, boxes))
