"""Pieces of pillar trees: texts in ``wild_tree/`` with places to fill in, and how they are read.

A piece is what one habit of pillar authors comes to: some files, and what names them. Lines that
begin with ``===`` part it:

    === file PATH             a file below the first root of ``base``; with a leading ``/``, below
                              the tree's folder
    === locked PATH           the same, as git-crypt leaves it
    === give SLS... [for TARGET] [by MATCH] [in ENV] [ignoring]
                              a target of a top file; of all minions where none is named
    === master                master options, as YAML
    === paths                 where absolute paths of the master lie, as YAML
    === configured            more options of the configuration, as YAML

In the texts ``$n`` is a name of this piece alone, ``$word`` and ``$number`` are drawn, ``$own`` and
``$foreign`` are PGP messages with and without a key, a line ``$pairs5`` becomes five settings, and
what a caller gives as a value goes by its name. ``@@CODE@@`` at the end of a line says that this
line is at fault, and which rule has to name it; it is no part of the text.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


TEXTS = Path(__file__).parent / "wild_tree"
FOLDERS = ("yaml", "jinja", "include", "top", "secret", "broken")
"""Folders of pieces that go with each other; those of the large tree are its own."""
LOCKED = b"\0GITCRYPT\0\x8f\x11\xc3\xd8\xa0\xfe\x07\x92"
"""What git-crypt leaves of a file, as far as it matters."""

_FILLED = re.compile(r"\$([a-z]+)")
_PAIRS = re.compile(r"( *)\$pairs(\d+)")
_ARMOR = re.compile(r"( *)\$(own|foreign)")
_FAULT = re.compile(r" *@@([a-z-]+)@@$")
_WORDS = split_words(
    "amber basil cedar delta ember fjord grove heron iris juniper karst lotus maple nectar onyx "
    "poplar quartz rowan sable tundra umber violet willow xenon yarrow zephyr"
)
_OPTIONS = split_words(
    "backlog batch_size cache_ttl checkpoint compression connect_timeout deadline depth fanout "
    "flush_interval grace heartbeat idle_timeout keepalive lease linger max_body max_clients "
    "max_retries min_spare nodelay page_size pool_size prefetch queue_length rate_limit reserve "
    "retry_delay ring_size sample_rate segment shards slow_log spill stripe sweep threads ttl "
    "verify watermark window"
)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a piece, filled in."""

    kind: str
    """The first word of its line: ``file``, ``give``, ..."""
    words: tuple[str, ...]
    """The other words."""
    text: str
    """What stands below the line."""
    faults: tuple[tuple[int, str], ...]
    """Line of the text and code of each fault; line 0 is the ``===`` line itself."""


def read_piece(name: str, rng: random.Random, values: Mapping[str, str]) -> Iterator[Part]:
    """Yield the parts of a piece.

    Its name is its path below ``wild_tree/``, without the suffix; ``values`` are what else stands
    for ``$name``.
    """
    written = (TEXTS / f"{name}.txt").read_text(encoding="utf-8")
    for part in re.split(r"^=== ?", written, flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        lines = [line for one in text.splitlines() for line in _fill_line(one, rng, values)]
        faults, (head, *lines) = _take_faults([*_fill_line(head, rng, values), *lines])
        kind, *words = head.split()
        yield Part(kind, tuple(words), "".join(f"{line}\n" for line in lines), tuple(faults))


def piece_names(folder: str) -> list[str]:
    """Return the names of the pieces in a folder of ``wild_tree/``."""
    return sorted(f"{folder}/{path.stem}" for path in (TEXTS / folder).glob("*.txt"))


def draw_pairs(rng: random.Random, count: int) -> list[str]:
    """Return lines ``option: value``, no option twice."""
    return [f"{option}: {_draw_scalar(rng)}" for option in rng.sample(_OPTIONS, count)]


def _fill_line(line: str, rng: random.Random, values: Mapping[str, str]) -> list[str]:
    if pairs := _PAIRS.fullmatch(line):
        return [pairs[1] + pair for pair in draw_pairs(rng, int(pairs[2]))]
    if armor := _ARMOR.fullmatch(line):
        return [(armor[1] + text).rstrip() for text in _draw_message(rng, armor[2]).splitlines()]

    def fill(match: re.Match[str]) -> str:
        if match[1] == "word":
            return rng.choice(_WORDS)
        if match[1] == "number":
            return str(rng.randint(1, 9000))
        return values.get(match[1], match[0])

    return [_FILLED.sub(fill, line)]


def _take_faults(lines: list[str]) -> tuple[list[tuple[int, str]], list[str]]:
    faults = []
    for number, line in enumerate(lines):
        if fault := _FAULT.search(line):
            faults.append((number, fault[1]))
            lines[number] = line[: fault.start()]
    return faults, lines


def _draw_message(rng: random.Random, kind: str) -> str:
    messages = (TEXTS / f"{kind}.asc").read_text().split("-----END PGP MESSAGE-----\n")[:-1]
    return rng.choice(messages) + "-----END PGP MESSAGE-----\n"


def _draw_scalar(rng: random.Random) -> str:
    return rng.choice(
        (
            str(rng.randint(1, 9000)),
            rng.choice(("true", "False", "yes", "no", "on", "off", "~")),
            f"{rng.choice(_WORDS)}-{rng.randint(1, 99)}",
            f"'{rng.randint(1, 90)}s'",
            f"{rng.randint(1, 99) / 10}",
            f"0{rng.randint(400, 777)}",
        )
    )
