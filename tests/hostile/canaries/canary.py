"""Canaries: made-up secrets of all kinds, drawn anew from a seed, that must turn up nowhere."""

import base64
import json
import random
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

LETTERS = string.ascii_letters + string.digits
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"


@dataclass(frozen=True, slots=True)
class Canary:
    """A secret to be planted."""

    name: str
    """What files and keys of its plants are called; tells nothing."""
    kind: str
    """What kind of secret it is."""
    value: str | int | bytes
    """The secret."""
    runs: tuple[str, ...]
    """Pieces of it that nothing else has by chance: eight characters of one give it away."""

    def __repr__(self) -> str:
        """Return the name and kind: a failing test shows no more."""
        return f"{self.name}({self.kind})"

    @property
    def text(self) -> str:
        """The value as text; of bytes, their base64."""
        if isinstance(self.value, bytes):
            return base64.b64encode(self.value).decode()
        return str(self.value)

    @property
    def is_line(self) -> bool:
        """Whether it is text on one line."""
        return isinstance(self.value, str) and "\n" not in self.value

    @property
    def is_name(self) -> bool:
        """Whether it may be the name of a file or variable."""
        return isinstance(self.value, str) and self.value.isalnum() and self.value[0].isalpha()


class Draw:
    """Draws pieces of secrets.

    Args:
        random_: Where they come from; equal for equal seeds.
    """

    def __init__(self, random_: random.Random) -> None:
        self._random = random_

    def run(self, length: int = 14) -> str:
        """Return letters and digits, of each some, that begin with a letter."""
        while True:
            found = "".join(self._random.choices(LETTERS, k=length))
            small, large = found.upper() != found, found.lower() != found
            if found[0].isalpha() and small and large and not found.isalpha():
                return found

    def digits(self, length: int) -> str:
        """Return a number of many digits."""
        first = self._random.sample("123456789", k=6)
        return "".join((*first, *self._random.choices(string.digits, k=length - 6)))

    def raw(self, length: int) -> bytes:
        """Return bytes that are no text."""
        return b"\xff\xfe" + self._random.randbytes(length - 2)

    def words(self, count: int) -> list[str]:
        """Return words of no language."""
        signs = (CONSONANTS, VOWELS) * 3
        return ["".join(map(self._random.choice, signs)) for _ in range(count)]


def _runs(text: str, *runs: str) -> tuple[str, tuple[str, ...]]:
    return text, runs


def _alone(text: str) -> tuple[str, tuple[str, ...]]:
    return text, (text,)


def _pem(draw: Draw, label: str) -> tuple[str, tuple[str, ...]]:
    body = base64.b64encode(draw.raw(160)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    return "\n".join((f"-----BEGIN {label}-----", *lines, f"-----END {label}-----\n")), tuple(lines)


def _json(draw: Draw) -> tuple[str, tuple[str, ...]]:
    run = draw.run()
    return _runs(json.dumps({"user": "svc", "pass": run, "port": 5432}), run)


def _yaml(draw: Draw) -> tuple[str, tuple[str, ...]]:
    one, two = draw.run(), draw.run()
    return _runs(f"user: svc\npass: {one}\nmore:\n  - {two}\n", one, two)


def _odd(draw: Draw, between: str) -> tuple[str, tuple[str, ...]]:
    one, two = draw.run(12), draw.run(12)
    return _runs(one + between + two, one, two)


def _around(draw: Draw, before: str, after: str = "", length: int = 20) -> Any:
    run = draw.run(length)
    return _runs(before + run + after, run)


def _phrase(draw: Draw) -> tuple[str, tuple[str, ...]]:
    words = draw.words(6)
    return " ".join(words), tuple(" ".join(pair) for pair in pairwise(words))


def _jwt(draw: Draw) -> tuple[str, tuple[str, ...]]:
    one, two = draw.run(40), draw.run(43)
    return _runs(f"eyJhbGciOiJIUzI1NiJ9.eyJ{one}.{two}", one, two)


def _bytes(draw: Draw) -> tuple[bytes, tuple[str, ...]]:
    raw = draw.raw(24)
    return raw, (base64.b64encode(raw).decode(), raw.hex())


KINDS: Mapping[str, Callable[[Draw], tuple[Any, tuple[str, ...]]]] = {
    "short": lambda draw: _alone(draw.run(8)),
    "long": lambda draw: _alone(draw.run(40)),
    "medium": lambda draw: _alone(draw.run(16)),
    "quoted": lambda draw: _odd(draw, " \"'<>&\\%$ "),
    "markup": lambda draw: _odd(draw, "</script>&amp;`$(x)`"),
    "spaces": lambda draw: _odd(draw, " # : - "),
    "unicode": lambda draw: _odd(draw, "päß日本🔑"),
    "escapes": lambda draw: _odd(draw, "\\n%41\\u0041+/=~"),
    "tabs": lambda draw: _odd(draw, "\t|;*"),
    "ends with a line feed": lambda draw: _around(draw, "", "\n"),
    "private key": lambda draw: _pem(draw, "RSA PRIVATE KEY"),
    "pkcs8": lambda draw: _pem(draw, "PRIVATE KEY"),
    "pkcs7": lambda draw: _pem(draw, "PKCS7"),
    "pkcs12": lambda draw: _alone(base64.b64encode(draw.raw(96)).decode()),
    "json": _json,
    "yaml": _yaml,
    "url": lambda draw: _around(draw, "postgresql://svc:", "@ctl-db.example.com:5432/app"),
    "number": lambda draw: (int(number := draw.digits(9)), (number,)),
    "long number": lambda draw: (int(number := draw.digits(16)), (number,)),
    "bytes": _bytes,
    "base64-looking": lambda draw: _alone(base64.b64encode(draw.raw(33)).decode()),
    "github token": lambda draw: _around(draw, "ghp_", length=36),
    "gitlab token": lambda draw: _around(draw, "glpat-"),
    "slack token": lambda draw: _around(draw, "xoxb-123456789012-123456789012-", length=24),
    "aws key": lambda draw: _runs(f"AKIA{(run := draw.run(16).upper())}", run),
    "stripe key": lambda draw: _around(draw, "sk_live_", length=24),
    "jwt": _jwt,
    "hash": lambda draw: _around(draw, "$6$ctlsalt$", length=43),
    "licence": lambda draw: _around(draw, "lic-"),
    "phrase": _phrase,
    "statement": lambda draw: _around(draw, "alter user svc identified by '", "';"),
    "markup of a setting": lambda draw: _around(draw, "<a><password>", "</password></a>"),
    "command": lambda draw: _around(draw, "sshpass -p ", " ssh web1 uptime"),
    "variable": lambda draw: _around(draw, "RSYNC_PASSWORD=", " rsync -a /srv b1::srv"),
    "code": lambda draw: _around(draw, "define('DB_PASSWORD', '", "');"),
    "directive": lambda draw: _around(draw, "user ann insecure-password "),
    "login line": lambda draw: _around(draw, "db1.example.com:5432:shop:ann:"),
    "dynatrace token": lambda draw: _around(draw, "dt0c01.A1B2C3D4A1B2C3D4A1B2C3D4.", length=64),
}
"""Each kind draws a value, and the pieces of it that nothing else has."""


def draw_canary(name: str, kind: str, seed: int) -> Canary:
    """Return the canary of a name, equal for equal seeds."""
    value, runs = KINDS[kind](Draw(random.Random(f"{seed} {name}")))  # noqa: S311 (repeatable)
    return Canary(name, kind, value, runs)
