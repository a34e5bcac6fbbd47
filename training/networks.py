"""The two networks: the finder looks over a picture for top faces of dice, the reader judges one crop.

Both take BGR uint8 pictures as float 0..255 (the scaling is their first step, so that no caller can forget it).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

STRIDE = 4
FINDER_OUT = 8  # 0: a top face's middle; 1..6: its value; 7: log(edge / 32 px)
CROP_PX = 64
CROP_EDGE_PX = 28.0
READER_CLASSES = 8  # 0..5: values 1..6; 6: cocked; 7: no top face here
READER_OUT = READER_CLASSES + 5  # then log size, two of the face's stretch, two of the middle's offset in edges


def conv(a: int, b: int, stride: int = 1) -> nn.Sequential:
    """3 x 3 convolution, batch norm, ReLU."""
    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())


class Block(nn.Module):
    """A residual pair of convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.one, self.two = conv(width, width), nn.Sequential(*list(conv(width, width))[:2])

    def forward(self, x: Tensor) -> Tensor:
        """Return same shape in and out."""
        return torch.relu(x + self.two(self.one(x)))


class Scale(nn.Module):
    """0..255 to about -1..1."""

    def forward(self, x: Tensor) -> Tensor:
        """Any shape."""
        return (x - 128.0) * (1 / 64.0)


class Finder(nn.Module):
    """(n, 3, h, w), sides multiples of 16 -> (n, 8, h/4, w/4)."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = Scale()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), Block(32))
        self.eighth = nn.Sequential(conv(32, 64, 2), Block(64), Block(64))
        self.sixteenth = nn.Sequential(conv(64, 96, 2), Block(96), Block(96))
        self.up_sixteenth, self.up_eighth = nn.Conv2d(96, 64, 1), nn.Conv2d(64, 48, 1)
        self.side = nn.Conv2d(32, 48, 1)
        self.mix_eighth, self.mix = conv(64, 64), nn.Sequential(conv(48, 48), conv(48, 48))
        self.out = nn.Conv2d(48, FINDER_OUT, 1)
        nn.init.constant_(self.out.bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        """Raw scores: the first seven channels want a sigmoid or softmax."""
        a = self.stem(self.scale(x))
        b = self.eighth(a)
        c = self.sixteenth(b)
        b = self.mix_eighth(b + nn.functional.interpolate(self.up_sixteenth(c), scale_factor=2.0, mode="nearest"))
        a = self.mix(self.side(a) + nn.functional.interpolate(self.up_eighth(b), scale_factor=2.0, mode="nearest"))
        return self.out(a)


class Reader(nn.Module):
    """(n, 3, 64, 64), a die's edge about 28 px, its top face in the middle -> (n, 13)."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = Scale()
        self.body = nn.Sequential(
            conv(3, 24, 2), Block(24), conv(24, 48, 2), Block(48), conv(48, 96, 2), Block(96), nn.Conv2d(96, 32, 1)
        )
        self.head = nn.Sequential(nn.ReLU(), nn.Flatten(), nn.Dropout(0.1), nn.Linear(32 * 64, 128), nn.ReLU())
        self.out = nn.Linear(128, READER_OUT)

    def forward(self, x: Tensor) -> Tensor:
        """Class scores and geometry of each crop."""
        return self.out(self.head(self.body(self.scale(x))))
