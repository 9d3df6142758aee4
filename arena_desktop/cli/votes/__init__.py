"""``votes``: export, import, merge, verify, sign, retract. One file a command."""

from typing import Any

from arena_desktop.cli.votes import (
    contributors,
    exporting,
    importing,
    keys,
    merging,
    recovering,
    retracting,
    syncing,
    verifying,
)

_COMMANDS = (exporting, importing, merging, verifying, contributors, recovering, keys, retracting, syncing)


def add_parser(subparsers: Any) -> None:
    """Add ``votes`` and its subcommands."""
    parser = subparsers.add_parser("votes", help="export, import, merge, verify or retract votes")
    commands = parser.add_subparsers(dest="votes_command", metavar="WHAT", required=True)
    for command in _COMMANDS:
        command.add_parser(commands)
