"""Ordinary dice with pips. ``reading`` is the door.

In turn: where to look (``view``, ``spots``), candidates (``finder``), each looked at closely (``examine``: the networks
of ``network`` and, without one, the ``lattice`` of pips), what may be promised of it (``verdict``); and whether
anything hides dice (``cover``) or nothing lies there at all (``plain``).
"""
