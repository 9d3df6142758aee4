"""``votes contributors``."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from arena_desktop.cli.boards import add_policy
from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, print_json
from arena_desktop.cli.votes.trusting import known_keys
from arena_desktop.services import contributor_words as words
from arena_desktop.services.board import Board
from arena_desktop.services.contributors import Contributor, contributors, with_sources
from arena_desktop.services.file_board import FilesOfVotes
from arena_desktop.services.trust import KeyState, key_states
from arena_desktop.store.policy_file import load_policy


def add_parser(commands: Any) -> None:
    """Add ``votes contributors``."""
    command = commands.add_parser("contributors", help="show what each contributor's votes look like")
    command.add_argument("files", nargs="*", type=place, metavar="FILE", help="files of votes (default: the log)")
    command.add_argument("--arena", default="", metavar="A", help="(default: every arena with votes)")
    add_policy(command)
    add_json(command, _contributors)


def _contributors(args: argparse.Namespace, app: App) -> int:
    policy = None if args.policy is None else load_policy(args.policy)
    source = FilesOfVotes(args.files) if args.files else app.log
    if not args.files and policy is None:
        policy = app.policy
    board = Board(app.roster, source, silent=app.silent, policy=policy)
    keys = key_states(source.records(), known_keys(app, args.policy))
    arenas = [args.arena] if args.arena else list(app.roster.arenas)
    found = [(board.votes(arena), with_sources(contributors(board.votes(arena)), source.records())) for arena in arenas]
    shown = [(votes.arena.id, len(votes.table), cards) for votes, cards in found if cards or args.arena]
    suspects = [card for _, _, cards in shown for card in cards if card.checks]
    exclusions = list(dict.fromkeys(filter(None, map(words.exclusion, suspects))))
    text = words.policy_text(exclusions)
    if args.json:
        print_json(
            {
                "schema": 1,
                "log_hash": board.log_hash,
                **board.policy_json,
                "arenas": [
                    {
                        "arena": arena,
                        "votes": votes,
                        "contributors": [words.card_json(card, keys.get(card.station or "")) for card in cards],
                    }
                    for arena, votes, cards in shown
                ],
                "exclude_with": text,
            }
        )
    else:
        for arena, votes, cards in shown:
            _print(arena, votes, cards, keys)
        if not shown:
            say("Nobody has voted here yet.")
        if text:
            say("To leave the suspects out, write into policy.yaml in the data directory:")
            say()
            for line in text.split("\n"):
                say(line)
    for note in board.notes(args.arena):
        say(note, file=sys.stderr)
    return 0


def _print(arena: str, votes: int, cards: tuple[Contributor, ...], keys: Mapping[str, KeyState]) -> None:
    say(f"{arena}, {votes:,} votes. {words.sentence(cards)}")
    say()
    for card in cards:
        say(words.who(card))
        for sentence in words.findings(card):
            say(f"  suspect: {sentence}")
        for label, value in words.figures(card, keys.get(card.station or "")):
            say(f"  {label}: {value}")
    say()
