"""Devices for a desk without a Pi: the real adapters over simulated pins and bus, and a folder as camera."""
