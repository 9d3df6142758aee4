"""``votes keys``."""

import argparse
from typing import Any

from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, print_json
from arena_desktop.cli.votes.trusting import known_keys
from arena_desktop.domain.signing import fingerprint
from arena_desktop.services.trust import Announced, announced_keys, unused_keys


def add_parser(commands: Any) -> None:
    """Add ``votes keys``."""
    command = commands.add_parser("keys", help="have this station sign its records, or list the keys in the log")
    command.add_argument(
        "what",
        nargs="?",
        choices=("list", "create"),
        default="list",
        help="create: this station signs each record from now on; list: its key and all that the log announces"
        " (default)",
    )
    add_json(command, _keys)


def _keys(args: argparse.Namespace, app: App) -> int:
    if args.what == "create":
        return _create(args, app)
    known = known_keys(app)
    own = known.get("")
    found = announced_keys(app.log, known)
    unused = unused_keys(app.log, known)
    if args.json:
        mine = None if own is None else {"public_key": own, "fingerprint": fingerprint(own)}
        print_json(
            {
                "schema": 1,
                "own": mine,
                "keys": [_as_json(key, own) for key in found],
                "unused": [
                    {"station_id": name, "public_key": key, "fingerprint": fingerprint(key)}
                    for name, key in unused.items()
                ],
            }
        )
        return 0
    if own is None:
        say("This station does not sign its records (votes keys create).")
    else:
        say(f"This station signs with the key {fingerprint(own)}")
        say(f"  ({own}).")
    for key in found:
        word = "this data directory's own" if key.public_key == own else "known" if key.known else "new"
        say(f"Station {key.station_id} from seq {key.since} on: {fingerprint(key.public_key)}, {word}")
        say(f"  ({key.public_key})")
    if not found:
        say("No station in the log announces a key.")
    for name, trusted in unused.items():
        say(f"Station {name}: you trust the key {fingerprint(trusted)}, but not one of its records here is signed.")
    return 0


def _create(args: argparse.Namespace, app: App) -> int:
    made = app.log.sign_from_now_on()
    signer = app.log.key.signer()
    assert signer is not None
    key = signer.public_key
    if args.json:
        print_json({"schema": 1, "created": made, "public_key": key, "fingerprint": fingerprint(key)})
        return 0
    say("From now on this station signs every record." if made else "This station signs its records already.")
    say(f"Its key is {fingerprint(key)}; whoever should know it puts this line under trusted_keys in a policy:")
    say(f"  {app.log.station_id()}: {key}")
    say(f"The private half stays in {app.log.key.path}: keep it to yourself, and in your backups.")
    return 0


def _as_json(key: Announced, own: str | None) -> dict[str, Any]:
    return {
        "station_id": key.station_id,
        "public_key": key.public_key,
        "fingerprint": fingerprint(key.public_key),
        "known": key.known,
        "own": key.public_key == own,
        "since": key.since,
    }
