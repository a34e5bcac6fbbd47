"""Writes the networks as ONNX and checks that OpenCV computes what torch does: ``python -m training.export IN OUT``."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from training.networks import Finder, Reader

ALLOWED_ERROR = 2e-3


def export(net: torch.nn.Module, example: torch.Tensor, path: Path, dynamic: dict[int, str]) -> float:
    """Write one network; the answer is the largest difference between torch's and OpenCV's output."""
    net.eval()
    torch.onnx.export(
        net, (example,), str(path), input_names=["picture"], output_names=["scores"], opset_version=13,
        dynamic_axes={"picture": dynamic, "scores": dynamic}, dynamo=False,
    )  # fmt: skip
    with torch.no_grad():
        ours = net(example).numpy()
    other = cv2.dnn.readNetFromONNX(str(path))
    other.setInput(example.numpy())
    return float(np.abs(other.forward() - ours).max())


def main() -> None:
    """Export both; fail loudly when the two engines differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="folder with finder.pt and reader.pt")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, net, shape, dynamic in (
        ("finder", Finder(), (1, 3, 320, 448), {2: "height", 3: "width"}),
        ("reader", Reader(), (4, 3, 64, 64), {0: "crops"}),
    ):
        net.load_state_dict(torch.load(args.weights / f"{name}.pt", weights_only=True))
        error = export(net, torch.rand(shape) * 255, args.out / f"{name}.onnx", dynamic)
        print(f"{name}.onnx: {(args.out / f'{name}.onnx').stat().st_size} bytes, OpenCV differs by {error:.1e}")
        if error > ALLOWED_ERROR:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
