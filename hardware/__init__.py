"""The table's devices: camera, buttons and screen behind small protocols, and fakes as strict as the real ones.

`hardware.interfaces` says what a device promises; `hardware.board.open_board` gives a set of them. Device libraries are
imported below `hardware.pi` and `hardware.fakes` only, and only when a device is used.
"""
