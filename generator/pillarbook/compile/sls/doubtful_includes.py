"""Includes that Salt refuses for their ``defaults``, or most likely does not use as meant.

Salt passes ``defaults`` as keyword arguments.

Source: Salt ``salt/pillar/__init__.py`` (``render_pstate``) and ``salt/template.py``
(``compile_template``).
"""

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
FUNCTION = "compile_template()"
OWN_KEYWORD = "_pillar_rend"
"""The keyword argument that Salt adds to the defaults."""
OWN_ARGUMENTS = frozenset(
    {"template", "renderers", "default", "blacklist", "whitelist", "saltenv", "sls"}
)
"""The arguments that Salt passes by position."""

DROPPED = frozenset({"env", "input_data"})
"""Names that renderers do not get: an old name of ``saltenv``, and an argument of Salt."""


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


def refuse_defaults(defaults: Any) -> str | None:
    """Return why Salt cannot pass the defaults; None if it can.

    The text is Python's, for the first error that Python finds. Salt checks neither file nor
    renderer before, so any SLS is lost, even an empty one.
    """
    if not isinstance(defaults, Mapping):
        kind = type(defaults).__name__
        return f"salt.template.{FUNCTION} argument after ** must be a mapping, not {kind}"
    if OWN_KEYWORD in defaults:
        multiple = "got multiple values for keyword argument"
        return f"salt.template.{FUNCTION} {multiple} '{OWN_KEYWORD}'"
    if not all(isinstance(name, str) for name in defaults):
        return "keywords must be strings"
    taken = next((name for name in defaults if name in OWN_ARGUMENTS), None)
    return None if taken is None else f"{FUNCTION} got multiple values for argument '{taken}'"


def visible_defaults(defaults: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the defaults that an SLS can read."""
    if DROPPED.isdisjoint(defaults):
        return defaults
    return {name: value for name, value in defaults.items() if name not in DROPPED}
