"""The printed mat in a picture: ``markers`` finds it, ``Mat`` maps page millimetres to pixels.

``edges`` and ``adjustment`` make the map exact and tell how the ``lens`` bends (``calibration``: of many pictures);
``eye`` says where the camera stands, ``paper`` what colour the paper is, ``patches`` whether red and blue are swapped.
"""
