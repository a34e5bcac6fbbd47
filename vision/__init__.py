"""A picture in, an Observation out: what lies on the table, and whether that is sure.

``reading`` is the door. Behind it, from the picture to the answer:

- ``mat``: which printed mat lies there, and the map between its millimetres and the picture's pixels
- ``pieces``: taught cards, tiles and tokens on a mat
- ``dice``: ordinary dice, on a mat or without one
- ``faces``: taught dice with pictures, on a mat
- ``bare``: pieces of any box, without a mat

``gallery`` keeps what was taught. For all: ``picture`` ``light`` ``steady`` ``confidence`` ``observation``
``complaint``.
"""
