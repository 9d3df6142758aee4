"""How fast the program is, as ratios within one run against the plain way to do the same."""
