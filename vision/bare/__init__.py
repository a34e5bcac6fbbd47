"""Pieces of any box, lying without a mat. ``reading`` is the door for reading and for teaching.

In turn: outlines of things (``outline``), each straightened (``patch``), laid over the taught looks (``album``,
``fit``), named (``likeness``); and what is left beside them (``remains``).
"""
