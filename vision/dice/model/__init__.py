"""The networks as ONNX, and the limits found by calibration."""
