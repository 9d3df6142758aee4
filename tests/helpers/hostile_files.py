"""Files of votes that are damaged, forged, or made to do harm: mutations of valid ones, by seed, and bombs."""

import gzip
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import zstandard

from arena_desktop.domain.canonical import canonical
from tests.helpers.vote_logs import foreign_record

STATION = "5c0cbb54-6d3c-4f43-9a4e-000000000001"
_NUMBERS = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0", b"1E400", b"9" * 400, b"-" + b"9" * 5000, b"0x10", b"1.", b"01",
    b"18446744073709551616", b"9007199254740993", b"1e-400", b"true", b"null", b"[]", b'{"a":1}', b'""', b'"1"',
)  # fmt: skip
_TEXTS = (
    b'"\\ud800"', b'"\\u0000"', b'"../../../../etc/passwd"', b'"C:\\\\Windows\\\\System32"', b'"=cmd|\' /C calc\'!A0"',
    b'"\\u202eabc"', b'"' + b"x" * 5000 + b'"', b'"\xff\xfe"', b'"%s%n{0}{}"', b'"\'; DROP TABLE records; --"', b"{}",
    b"[[[[[[[[]]]]]]]]", b'"a" "b"', b"7", b'"\xf0\x9f\x98\x80"', b'"~/.ssh/id_rsa"', b'"/dev/zero"',
)  # fmt: skip
_RUBBISH = (
    b"\0", b'"', b"\n", b"\r", b"{", b"[", b"\xef\xbb\xbf", b"\xff" * 9, b"\\", b",", b"\x1f\x8b", b"\n\n\n", b"\xc0",
)  # fmt: skip
_ODD: tuple[Any, ...] = (
    "../../etc/passwd", "\0", "x" * 100_000, [[]], {}, 0, -1, 1.5, None, True, "\u202e", "=1+1", "\ud7ff", 2**53 - 1,
)  # fmt: skip
_KEYS = (
    "at", "arena", "vote", "model_a", "model_b", "listener", "seq", "station_id", "private", "private_hash", "type",
    "conditions", "prompt", "prev_hash", "sig", "study", "listening", "retracts", "public_key", "source",
)  # fmt: skip
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*"')
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")

_ROW = b'english;x/one;x/two;a;"so ""it"" is;\n"\r\n'
_MARKS = b"e,x/one,x/two,1,0,0\n"


def valid_files() -> dict[str, bytes]:
    """A valid file of every form, small."""
    ours = _ours()
    plain = [
        {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": vote, "at": n}
        for n, vote in enumerate(("a", "b", "tie", "both_bad"))
    ]
    battles = [
        {"arena": "english", "model_a": "x/one", "model_b": "x/two", "winner": winner, "judge": "j", "tstamp": 1.7e9}
        for winner in ("model_a", "model_b", "tie", "tie (bothbad)")
    ]
    chosen = [
        {"id": n, "user_id": n, "text": "Hi, you.", "model_chosen": "x/one", "model_rejected": "x/two", "arena": "tts"}
        for n in range(4)
    ]
    lines = b"".join(canonical(one) + b"\n" for one in plain)
    return {
        "ours": ours,
        "ours.gz": gzip.compress(ours, mtime=0),
        "ours.zst": zstandard.compress(ours),
        "original": lines,
        "original array": json.dumps(plain, indent=1).encode(),
        "lmarena": b"".join(canonical(one) + b"\n" for one in battles),
        "lmarena array.gz": gzip.compress(json.dumps(battles).encode(), mtime=0),
        "tts arena": b"".join(canonical(one) + b"\n" for one in chosen),
        "tts arena table": b"id\tusername\tchosen\trejected\ttimestamp\tarena\n" + b"".join(
            b"%d\tu%d\tx/one\tx/two\t2024-02-27 10:00:0%d\tenglish\n" % (n, n, n) for n in range(5)
        ),
        "table": b"\xef\xbb\xbfarena;model_a;model_b;vote;text\r\n" + _ROW * 5,
        "one of three": b"arena,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n" + _MARKS * 5,
    }  # fmt: skip


def _ours() -> bytes:
    records: list[dict[str, Any]] = []
    last = ""
    for seq in range(1, 9):
        changes: dict[str, Any] = {
            "id": f"01900000-0000-7000-8000-00000000000{seq}",
            "seq": seq,
            "at": f"2026-03-01T10:00:0{seq}.000000Z",
            "prev_hash": last,
        }
        if seq == 8:
            changes |= {"type": "retraction", "retracts": records[0]["id"], "reason": "mistake"}
        records.append(foreign_record(**changes))
        last = records[-1]["hash"]
    stations = {STATION: {"first_seq": 1, "last_hash": last, "last_seq": 8, "missing": []}}
    header = {"filter": None, "format": "arena-votes/1", "records": 8, "rules": "elo-1", "stations": stations}
    return b"".join(canonical(one) + b"\n" for one in (header, *records))


def mutations(number: int) -> Iterator[tuple[str, bytes]]:
    """So many damaged or forged files, each with what was done to it; the same ones every time."""
    files = valid_files()
    names = sorted(files)
    for seed in range(number):
        chance = random.Random(seed)
        name = names[seed % len(names)]
        data, done = files[name], []
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            change = chance.choice(_CHANGES)
            packed = data[:2] == b"\x1f\x8b" or data[:4] == b"\x28\xb5\x2f\xfd"
            inside = packed and chance.random() < 0.6
            data = _repacked(data, change, chance) if inside else change(data, chance)
            done.append(change.__name__.strip("_"))
        yield f"{seed}: {name}, {' + '.join(done)}", data


def _repacked(data: bytes, change: Callable[[bytes, random.Random], bytes], chance: random.Random) -> bytes:
    try:
        plain = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else zstandard.decompress(data)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError):
        return data
    return chance.choice((gzip.compress, zstandard.compress))(change(plain, chance))


def _flip_bits(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 50))):
        if changed:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _cut_out(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 2, 10, 200)) :]


def _put_in(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    rubbish = chance.choice(_RUBBISH)
    return data[:start] + rubbish * chance.choice((1, 1, 2, 1000)) + data[start:]


def _double(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = start + chance.choice((5, 100, 3000))
    return data[:end] + data[start:end] * chance.choice((1, 3)) + data[end:]


def _mix(data: bytes, chance: random.Random) -> bytes:
    other = chance.choice(sorted(valid_files().values()))
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other)) :]


def _other_line_order(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines[: chance.randrange(1, len(lines) + 1)] if lines else lines)


def _other_number(data: bytes, chance: random.Random) -> bytes:
    return _replaced(data, _NUMBER, chance.choice(_NUMBERS), chance)


def _other_text(data: bytes, chance: random.Random) -> bytes:
    return _replaced(data, _STRING, chance.choice(_TEXTS), chance)


def _replaced(data: bytes, pattern: re.Pattern[bytes], new: bytes, chance: random.Random) -> bytes:
    places = list(pattern.finditer(data))
    if not places:
        return data
    found = chance.choice(places)
    return data[: found.start()] + new + data[found.end() :]


def _key_twice(data: bytes, chance: random.Random) -> bytes:
    key = chance.choice((b"vote", b"id", b"hash", b"arena", b"type", b"winner", b"records", b"format"))
    return data.replace(b"{", b'{"' + key + b'":"a",', chance.choice((1, 2, 100)))


def _header_lie(data: bytes, chance: random.Random) -> bytes:
    lies: tuple[dict[str, Any], ...] = (
        {"records": 10**15}, {"records": -1}, {"records": "many"}, {"stations": []}, {"stations": {"x": None}},
        {"stations": {STATION: {"first_seq": 1, "last_hash": "", "last_seq": 2**53 - 1, "missing": [[1, 2**53 - 1]]}}},
        {"format": "arena-votes/2"}, {"format": 1}, {"rules": {}}, {"filter": "x" * 9999},
        {"format": "arena-votes/../x"},
    )  # fmt: skip
    header = {"filter": None, "format": "arena-votes/1", "records": 8, "rules": "elo-1", "stations": None}
    rest = data.split(b"\n", 1)[-1] if b"arena-votes/1" in data[:400] else data
    return json.dumps({**header, **chance.choice(lies)}).encode() + b"\n" + rest


def _forge(data: bytes, chance: random.Random) -> bytes:
    """A record of ours with a right hash that holds what no record should."""
    more = {"type": chance.choice(("vote", "retraction", "key", "reveal", "?")), "id": _random_id(chance)}
    record = foreign_record(**{**more, chance.choice(_KEYS): chance.choice(_ODD)})
    return data + canonical(record) + b"\n"


def _random_id(chance: random.Random) -> str:
    digits = f"{chance.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _other_encoding(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("latin-1")
    return text.encode(chance.choice(("utf-16", "utf-16-le", "utf-32", "utf-8", "cp037")))


def _other_line_ends(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\r", b"\x0b", b"\xe2\x80\xa8")))


_CHANGES = (
    _flip_bits, _cut, _cut_out, _put_in, _double, _mix, _other_line_order, _other_number, _other_text, _other_number,
    _other_text, _key_twice, _header_lie, _forge, _forge, _other_encoding, _other_line_ends,
)  # fmt: skip


# --- bombs ---------------------------------------------------------------------------------------------------------

Writer = Callable[[Path, int], None]
_VOTE = b'{"arena":"english","model_a":{"repo_id":"x/one"},"model_b":{"repo_id":"x/two"},"vote":"a","n":%d}\n'
_TABLE = b"arena,model_a,model_b,vote\n"
_LINES = _VOTE % 1 + b"?\n"


def bombs() -> dict[str, Writer]:
    """What a file can be to take all memory or time: each writes one of about so many bytes (unpacked)."""
    return {
        "a deep nest": lambda path, size: _repeat(path, b"[", min(size, 1_000_000), b"", b""),
        "a deep nest in a record": lambda path, size: _repeat(path, b"[", min(size, 1_000_000), b'{"arena":', b""),
        "a deep nest of objects": lambda path, size: _repeat(path, b'{"a":', min(size, 1_000_000), b"", b""),
        "a line without end": lambda path, size: _sparse(path, size, _VOTE % 1),
        "a string without end": lambda path, size: _repeat(path, b"x", size, b'{"arena":"', b'"}\n'),
        "an element without end": lambda path, size: _repeat(path, b"1,", size // 2, b"[[", b"]]"),
        "a gzip bomb": lambda path, size: _packed(path, size, b"\0", gzip.open),
        "a gzip bomb of lines": lambda path, size: _packed(path, size, b"{}\n", gzip.open),
        "a gzip bomb of blanks": lambda path, size: _packed(path, size, b" \n", gzip.open),
        "a zstd bomb": lambda path, size: _packed(path, size, b"\0", zstandard.open),
        "a zstd bomb of brackets": lambda path, size: _packed(path, size, b"[", zstandard.open),
        "a zstd bomb of records": lambda path, size: _packed(path, min(size, 4_000_000), _VOTE % 1, zstandard.open),
        "a zstd window beyond memory": _wide_window,
        "a heading of countless columns": lambda path, size: _repeat(path, b"a,", min(size // 2, 4_000_000), b"", b""),
        "a row of countless cells": lambda path, size: _repeat(path, b",", min(size, 8_000_000), _TABLE, b"\n"),
        "a cell that never ends": lambda path, size: _repeat(path, b"x", size, _TABLE + b'english,"', b""),
        "a cell of countless lines": lambda path, size: _repeat(path, b"x\n", size // 2, _TABLE + b'english,"', b""),
        "a cell of countless marks": lambda path, size: _repeat(path, b'""', size // 2, _TABLE + b'english,"', b"\n"),
        "rows that are none": lambda path, size: _repeat(path, b"x,y\n", min(size, 40_000_000) // 4, _TABLE, b""),
        "keys without end": lambda path, size: _keys(path, min(size, 7_000_000)),
        "names without end": lambda path, size: _names(path, max(min(size, 150_000_000) // 7_000_000, 1)),
        "every other line broken": lambda path, size: _packed(path, min(size, 4_000_000), _LINES, gzip.open),
        "numbers without end": lambda path, size: _repeat(path, b"9", min(size, 7_000_000), b'{"arena":', b"}\n"),
    }  # fmt: skip


def _repeat(path: Path, what: bytes, times: int, before: bytes, after: bytes) -> None:
    block = what * 100_000
    with path.open("wb") as file:
        file.write(before)
        for _ in range(times // 100_000):
            file.write(block)
        file.write(what * (times % 100_000) + after)


def _sparse(path: Path, size: int, after: bytes) -> None:
    """A line of zeros that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(b"{")
        file.seek(size)
        file.write(b"\n" + after)


def _packed(path: Path, size: int, what: bytes, opener: Any) -> None:
    block = what * (1_000_000 // len(what))
    with opener(path, "wb") as file:
        for _ in range(max(size // len(block), 1)):
            file.write(block)


def _wide_window(path: Path, size: int) -> None:
    """A frame that says that unpacking it takes 2 GB: one raw block."""
    block = _VOTE % 1
    header = b"\x28\xb5\x2f\xfd\x00" + bytes([(31 - 10) << 3])
    path.write_bytes(header + (len(block) << 3 | 1).to_bytes(3, "little") + block)


def _keys(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.write(b"{" + b",".join(b'"%d":0' % number for number in range(size // 10)) + b"}\n")


def _names(path: Path, number: int) -> None:
    with gzip.open(path, "wb") as file:
        for one in range(number):
            name = b"%07d" % one * 1_000_000
            file.write(b'{"arena":"a","model_a":{"repo_id":"x"},"model_b":{"repo_id":"%s"},"vote":"a"}\n' % name)
