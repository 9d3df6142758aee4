"""What lies on a disk, told apart: one recogniser a kind. Each looks at names, sizes and small descriptions alone;
nothing found is run, unpickled or imported.
"""
