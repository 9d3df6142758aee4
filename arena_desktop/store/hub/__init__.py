"""Models from a hub: the one room of the program that opens a connection, and only when somebody asked for a download.

``wire`` is the module that does it; everything else here works on what it brings.
"""
