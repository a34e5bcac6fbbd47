"""The camera's own thread: waits for a still scene, reads it, and answers; the table never waits for it."""

import queue
import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from companion.cutout import cut_out, whole
from companion.events import LookFailed, Saw
from hardware.interfaces import Board, CameraError
from vision.observation import Observation
from vision.steady import is_still

BETWEEN_S = 0.1
"""Time between the two pictures that must agree: a die that still rolls moves several px in it."""
PATIENCE_S = 5.0
"""How long moving hands are waited for, before the page says so (table manners)."""

Read = Callable[[NDArray[np.uint8]], Observation]


class Looking:
    """One worker for one camera: the newest request counts, an older one is answered no more."""

    def __init__(self, board: Board, answer: Callable[[Saw | LookFailed | BaseException], None], read: Read) -> None:
        self._board = board
        self._answer = answer
        self._read = read
        self._requests: queue.SimpleQueue[int | None] = queue.SimpleQueue()
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
        camera, clock = self._board.camera, self._board.clock
        deadline = clock.now() + PATIENCE_S
        try:
            before = camera.frame(clock.now(), PATIENCE_S)
            while True:
                if self._stopping.wait(BETWEEN_S):
                    return LookFailed(request, "moving")
                after = camera.frame(clock.now(), PATIENCE_S)
                if is_still(before.picture, after.picture):
                    break
                if clock.now() >= deadline:
                    return LookFailed(request, "moving")
                before = after
        except CameraError as error:
            return LookFailed(request, "no-camera", str(error))
        scene = self._read(after.picture)
        cuts = tuple(cut_out(after.picture, piece.box_px) for piece in scene.pieces)
        return Saw(request, scene, cuts, after.name, whole(after.picture, [piece.box_px for piece in scene.pieces]))
