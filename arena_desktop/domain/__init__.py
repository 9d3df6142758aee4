"""Frozen values and rules. No input or output, no clock, no chance: those are handed in."""
