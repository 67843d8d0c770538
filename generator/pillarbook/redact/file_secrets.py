"""Secrets in the text of files that a minion reads, whether or not the minion gets them.

A file may hold the secrets of several minions: in branches of a template, or in a map of hosts. A
compile of the whole fleet would find them all; this module reads the text instead, which is
quicker. A line counts if it assigns a value to a name and the rules call the value secret.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from pillarbook.model import KeyPath
from pillarbook.model.scalar_texts import text_of
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_sources import in_place
from pillarbook.redact.secret_store import TEMPLATE, SecretStore

WrittenValue: TypeAlias = tuple[str, int | None, str]
"""A file, a line, and the text of a value that the line sets."""
MAX_TEXT = 2**20
"""The most characters of a file that are read; a larger file is data, not a template."""
_KEY = re.compile(r"([ \t]*(?:-[ \t]+)*)[\"']?([A-Za-z_][\w.@-]*)[\"']?[ \t]*:(?:[ \t]+(.*))?\Z")
"""A line of YAML: the indentation, the key, the value."""
_PAIR = re.compile(
    r"([A-Za-z_][\w.-]{0,80})[\"']?\s*(?::=|=>|[:=])\s*(\"[^\"]+\"|'[^']+'|[^\s\"',{}\[\]()%]+)"
)
"""A name and its value anywhere in a line: ``'password': 'x'``, ``set password = "x"``."""


def learn_from_files(
    files: Mapping[str, str], judged: Collection[WrittenValue], rules: Rules, store: SecretStore
) -> None:
    """Add the secrets of files to the store, except those that it has.

    ``judged`` are values of the minions that are shown; the rules have seen their whole paths.
    """
    known = {text_of(value) for value in store.clear_values()}
    for file, text in files.items():
        for line, secret, keys in secrets_in_file(text, rules):
            if (
                (file, line, secret) in judged
                or secret in known
                or not is_distinctive(secret, keys)
            ):
                continue
            path = (TEMPLATE, *keys)
            store.add(secret, path, source=in_place(file, path, secret))


def secrets_in_file(text: str, rules: Rules) -> Iterator[tuple[int, str, KeyPath]]:
    """Yield the number of each line with a secret, the secret, and the keys before it."""
    above: list[tuple[int, str]] = []
    for number, line in enumerate(text[:MAX_TEXT].splitlines(), 1):
        found = _KEY.match(line)
        if found is not None:
            indent = len(found[1])
            above = [one for one in above if one[0] < indent]
            above.append((indent, found[2]))
        keys = tuple(key for _, key in above)
        if found is not None and found[3]:
            value = _bare(found[3])
            if rules.find_reason(keys, value):
                yield number, value, keys
        for name, value in _PAIR.findall(line):
            path = (*keys, name) if keys[-1:] != (name,) else keys
            if rules.find_reason(path, _bare(value)):
                yield number, _bare(value), path


def _bare(value: str) -> str:
    """Return a scalar without quotes and without a comment after it."""
    text = re.sub(r"[ \t]#.*\Z", "", value).strip()
    return text[1:-1] if text[:1] in ("'", '"') and text[-1:] == text[:1] else text
