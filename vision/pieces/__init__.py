"""Taught cards, tiles and tokens on a mat. ``scene`` is the door for reading, ``teach`` for teaching.

In turn: the page in colours relative to its paper (``ground``), what lies on it (``find``), the sizes that may lie
there (``footprint``), which of them explain what was found (``explain``; touching tokens: ``discs``), and their names
(``naming``, by ``compare``).
"""
