"""File formats of votes, one file each."""
