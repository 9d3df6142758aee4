"""``votes``: export, import, verify, retract. One file a command."""

from typing import Any

from arena_desktop.cli.votes import exporting, importing, retracting, verifying

_COMMANDS = (exporting, importing, verifying, retracting)


def add_parser(subparsers: Any) -> None:
    """Add ``votes`` and its subcommands."""
    parser = subparsers.add_parser("votes", help="export, import, verify or retract votes")
    commands = parser.add_subparsers(dest="votes_command", metavar="WHAT", required=True)
    for command in _COMMANDS:
        command.add_parser(commands)
