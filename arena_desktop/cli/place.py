"""A file or folder that is named on the command line."""

import argparse
from pathlib import Path


def place(name: str) -> Path:
    """The path of this name, which must not be empty: an unset variable of a shell isn't the current folder."""
    if not name:
        raise argparse.ArgumentTypeError("the name of a file or folder is needed")
    return Path(name)
