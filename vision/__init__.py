"""A picture in, an Observation out: what lies on the table, and whether that is sure.

``reading`` is the door. Behind it, from the picture to the answer:

- the mat: ``layout`` ``mat`` ``edges`` ``adjustment`` ``lens`` ``calibration`` ``colours`` ``eye`` ``paper``
- pieces taught on a mat: ``gallery`` ``teach`` ``lookalike``; ``ground`` ``find`` ``footprint`` ``compare`` ``naming``
  ``discs`` ``pieces`` ``scene`` ``confidence``; dice with pictures in ``faces``
- pip dice: ``pips`` ``spots`` ``view`` ``finder`` ``dice`` ``network`` ``lattice`` ``verdict`` ``cover`` ``plain``
- pieces of any box, without a mat: ``bare`` ``outline`` ``patch`` ``album`` ``fit`` ``likeness`` ``remains``
- for all: ``picture`` ``light`` ``steady`` ``observation`` ``complaint``
"""
