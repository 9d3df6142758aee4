"""``--map``, which several commands on files of votes offer."""

import argparse

from arena_desktop.cli.votes.common import text
from arena_desktop.domain.foreign import read_mapping


def add_map(command: argparse.ArgumentParser) -> None:
    """Offer ``--map``; see :func:`mapping_of`."""
    command.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="which column or key holds a field of a vote, or FIELD=:TEXT for all votes (may be repeated)",
    )


def mapping_of(args: argparse.Namespace) -> dict[str, str]:
    """What ``--map`` says, by field."""
    return read_mapping([text(option, "--map") or "" for option in args.map])
