"""What is said of includes that Salt accepts, but most likely does not use as meant."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.model import ListNode, MapNode, Position, plain

RULE = "sls-shape"
INCLUDE = "include"
EXCLUDE = "exclude"
SETTINGS = frozenset(("key", "defaults"))
"""The settings of an entry of an include."""


def _misspell(word: str) -> Iterator[str]:
    """Yield a word without one of its letters, with two of them swapped, and in other forms."""
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]
    for at, (one, other) in enumerate(pairwise(word)):
        yield f"{word[:at]}{other}{one}{word[at + 2 :]}"
    yield from (f"{word}s", f"{word}d", word.title(), word.upper())


KEYS = frozenset((*_misspell(INCLUDE), EXCLUDE))
"""The keys of an SLS that may be meant for Salt, and are values of the pillar."""


def find_doubtful(tree: MapNode, is_sls: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Yield what is said of keys of an SLS that look like an include.

    ``is_sls`` says whether there is an SLS of a name; a list without one is data.
    """
    for key in sorted(tree.items.keys() & KEYS):
        node = tree.items[key]
        names = plain(node) if isinstance(node, ListNode) else ()
        if not any(isinstance(name, str) and is_sls(name) for name in names):
            continue
        remedy = f"did you mean `{INCLUDE}`?"
        if key == EXCLUDE:
            remedy = "give the SLS only to minions that need it: in pillar, nothing is excluded"
        message = (
            f"`{key}` means nothing to Salt in pillar, so it is a key with a list of SLS names"
        )
        yield _warn(message, node.origins[-1].position, remedy)


def describe_settings(body: Mapping[Any, Any], place: Position) -> Iterator[Diagnostic]:
    """Yield what is said of the settings of an entry that Salt does not know."""
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (rare)

    for name in body:
        if name not in SETTINGS:
            near = find_similar(str(name), SETTINGS)
            remedy = f"did you mean `{near}`?" if near else "the settings are `key` and `defaults`"
            message = f"an entry of the include has the setting '{name}', which Salt ignores"
            yield _warn(message, place, remedy)


def _warn(message: str, place: Position, remedy: str) -> Diagnostic:
    return new_diagnostic(RULE, message, place, remedy=remedy, severity=Severity.WARNING)
