"""The child process that speaks. Nothing here imports the rest of the program; Python ≥ 3.9, standard library and numpy
only.

It is started by file path (``child.py``) under any interpreter that a roster names, where it calls itself
``arena_worker``; inside the program (types, tests, a frozen build) it is ``arena_desktop.engines.worker``. Modules here
therefore import each other relatively.
"""
