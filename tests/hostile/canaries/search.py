"""A second search for secrets, which knows nothing of the first: every form written out, every byte looked at."""

import base64
import codecs
import hashlib
import html
import json
import re
import shlex
import urllib.parse
import xml.sax.saxutils
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import markupsafe
import yaml
from tests.hostile.canaries.canary import Canary

SEEN = 8
"""Bytes of a run that give it away."""
HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b")


@dataclass(frozen=True, slots=True)
class Found:
    """A canary that got out."""

    canary: str
    """Which, and of what kind."""
    form: str
    """How it was written."""
    where: str
    """The output."""
    around: str
    """What stands around it, and the canary itself, which is made up."""


def whole_forms(canary: Canary) -> Iterator[tuple[str, bytes]]:
    """Yield the forms of a whole canary, by their names."""
    raw = canary.value if isinstance(canary.value, bytes) else canary.text.encode()
    if not isinstance(canary.value, bytes):
        bare = canary.text.strip()
        for text in (canary.text, bare):
            yield from _quoted(text)
        lines = [line.strip() for line in bare.splitlines()]
        for line in lines if len(lines) > 1 else ():
            if len(line) >= 12 and not line.startswith("-----"):
                yield from _quoted(line)
    for one in (raw, raw.strip()):
        yield from _encoded(one)
        for salted in (one, one + b"\n"):
            yield from _hashed(salted)


def _quoted(text: str) -> Iterator[tuple[str, bytes]]:
    written = {
        "text": text,
        "json": json.dumps(text)[1:-1],
        "json, not ASCII": json.dumps(text, ensure_ascii=False)[1:-1],
        "json in json": json.dumps(json.dumps(text))[3:-3],
        "html": html.escape(text),
        "html by markupsafe": str(markupsafe.escape(text)),
        "html without quotes": html.escape(text, quote=False),
        "json in html": html.escape(json.dumps(text)[1:-1]),
        "xml": xml.sax.saxutils.escape(text, {'"': "&quot;", "'": "&apos;"}),
        "url": urllib.parse.quote(text),
        "url, all": urllib.parse.quote(text, safe=""),
        "url, plus": urllib.parse.quote_plus(text),
        "shell": shlex.quote(text),
        "repr": repr(text)[1:-1],
        "ascii": ascii(text)[1:-1],
        "bytes": repr(text.encode())[2:-1],
        "yaml, single": str(yaml.dump(text, default_style="'", width=10**6)).strip()[1:-1],
        "yaml, double": str(yaml.dump(text, default_style='"', width=10**6)).strip()[1:-1],
        "workflow": text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"),
        "markdown": re.sub(r"([\\`*_{}\[\]()#+.!|<>~-])", r"\\\1", text),
    }
    for name, form in written.items():
        yield name, form.encode()
    for name in ("url", "url, all", "url, plus"):
        yield f"{name}, small", re.sub(r"%..", lambda one: one[0].lower(), written[name]).encode()


def _encoded(raw: bytes) -> Iterator[tuple[str, bytes]]:
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + raw + b"\0" * (-(before + len(raw)) % 3))
        inner = coded[(0, 2, 3)[before] : len(coded) - (0 if (before + len(raw)) % 3 == 0 else 4)]
        yield f"base64, {before} before", inner
        yield f"base64 for URLs, {before} before", inner.replace(b"+", b"-").replace(b"/", b"_")
    yield "hex", raw.hex().encode()
    yield "HEX", raw.hex().upper().encode()
    lines = base64.encodebytes(raw).splitlines()
    yield from (("base64 in lines", line) for line in lines[:-1])


def _hashed(raw: bytes) -> Iterator[tuple[str, bytes]]:
    for name in HASHES:
        digest = hashlib.new(name, raw).digest()
        yield name, digest.hex().encode()
        yield name.upper(), digest.hex().upper().encode()
        yield f"{name} as base64", base64.b64encode(digest).rstrip(b"=")
        yield f"{name} for URLs", base64.urlsafe_b64encode(digest).rstrip(b"=")


def pieces(canary: Canary) -> Iterator[tuple[str, bytes]]:
    """Yield the pieces of a canary that give it away, as they are and turned in simple ways."""
    for run in canary.runs:
        turned = {
            "piece": run,
            "piece, upper": run.upper(),
            "piece, lower": run.lower(),
            "piece, swapped": run.swapcase(),
            "piece, reversed": run[::-1],
            "piece, rotated": run[2:] + run[:2],
            "piece, rot13": codecs.encode(run, "rot13"),
        }
        for name, text in turned.items():
            yield from ((name, text[at : at + SEEN].encode()) for at in _starts(text, SEEN))
        dotted = ".".join(run)
        yield from (("piece, dotted", dotted[at : at + 15].encode()) for at in _starts(dotted, 15))
        in_hex = run.encode().hex()
        yield from (("piece, hex", in_hex[at : at + 16].encode()) for at in _starts(in_hex, 16))
        for name, form in _encoded(run.encode()):
            if name.startswith("base64"):
                text = form.decode()
                yield from (
                    (f"piece, {name}", text[at : at + 12].encode()) for at in _starts(text, 12)
                )


def _starts(text: str, length: int) -> range:
    return range(max(0, len(text) - length + 1))


class Search:
    """Looks for canaries.

    Args:
        canaries: What to look for.
    """

    def __init__(self, canaries: Iterable[Canary]) -> None:
        self._forms: dict[bytes, list[tuple[bytes, str, str]]] = {}
        for canary in canaries:
            for name, form in (*whole_forms(canary), *pieces(canary)):
                if len(form) >= SEEN and b"\n" not in form:
                    known = self._forms.setdefault(form[:SEEN], [])
                    known.append((form, repr(canary), name))

    def find(self, outputs: Mapping[str, bytes]) -> list[Found]:
        """Return every canary in some outputs; once for each line."""
        lines: dict[bytes, str] = {}
        for name, data in outputs.items():
            for line in data.split(b"\n"):
                lines.setdefault(line, name)
        return [found for line, name in lines.items() for found in self._find(line, name)]

    def _find(self, line: bytes, name: str) -> Iterator[Found]:
        forms, told = self._forms, set()
        for at in range(len(line) - SEEN + 1):
            for form, canary, way in forms.get(line[at : at + SEEN], ()):
                if canary not in told and line.startswith(form, at):
                    told.add(canary)
                    around = line[max(0, at - 60) : at + len(form) + 30].decode(errors="replace")
                    yield Found(canary, way, name, around)
