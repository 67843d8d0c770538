"""Decides which parts of a file's text may be shown if no compile has judged them.

The values that minions get are judged by their paths. Comments, branches that no minion takes and
literals of a template are not. Only harmless parts of these are shown: values with a secret name
are always hidden, and so is every unusual word.
"""

import ast
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from pillarbook.compile.renderers.jinja.literals import Literal
from pillarbook.model import KeyPath
from pillarbook.patterns.key_names import is_key, is_login, is_pin
from pillarbook.patterns.logins import is_login_pair
from pillarbook.patterns.ordinary_words import is_ordinary
from pillarbook.patterns.public_values import is_public_key
from pillarbook.patterns.word_sets import word_set
from pillarbook.redact.redaction_rules import BY_VALUES, Rules
from pillarbook.sources.source_entries import Entry

Span = tuple[int, int]
"""Start and end in a text."""
TRIVIAL = word_set("true false yes no on off null none ~ {} [] *")
"""Values that are harmless for any key."""
LONGEST_REMARK = 2_000
"""Characters of a line in a comment that is read; one with a longer line is hidden."""
LONGEST_NUMBER = 40
"""Digits; a longer number is not judged as a number."""
_PAIR = re.compile(
    r"(?P<name>[A-Za-z_][\w.-]{0,80})[\"']?\]?(?:\s*(?::=|=>|==|[:=])|\s(?:is|was|are|were)\s)\s*"
    r"(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"',{}\[\]()%]+)"
)
_OPTION = re.compile(
    r"(?<![\w-])--?(?P<name>[A-Za-z][\w.-]{0,80})[\"']?(?:\s*,\s*|[ \t]+)"
    r"(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"',{}\[\]()%-][^\s\"',{}\[\]()%]*)"
)
"""An option and its value, also as members of a list: ``[--password, x]``."""
_WORD = re.compile(r"\S+")
_GIVES = re.compile(r"[:=>]\s*|\b(?:is|was)\s+")
"""The text before a value in a comment."""
_PRINTED = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.'\"])\d+(?![\w.'\"])")
_COMMUNITY = re.compile(r"communit(?:y|ies)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HiddenPart:
    """A part of a text that is hidden."""

    start: int
    end: int
    secret: str = ""
    """A text that is also hidden in every other place; empty for none."""


class SourceJudge:
    """Finds the parts to hide in the text of files."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def allows(self, path: KeyPath) -> bool:
        """Say whether ``allow`` matches a path."""
        return self._rules.allows(path)

    def may_name(self, path: KeyPath) -> bool:
        """Say whether a key in a path may name a secret."""
        return any(isinstance(key, str) and self._names(key) for key in path)

    def _names(self, key: str) -> bool:
        if self._rules.names_secret(key) is not None or _COMMUNITY.search(key):
            return True
        return is_key(key) or is_login(key) or is_pin(key)

    def entries(self, found: Iterable[Entry]) -> Iterator[HiddenPart]:
        """Yield the parts to hide in entries."""
        entries = list(found)
        beside = self._names_beside(entries)
        before: Entry | None = None
        for one in entries:
            last = one.path[-1] if one.path else None
            if isinstance(last, int) and before is not None and before.path[:-1] == one.path[:-1]:
                name = self._rules.names_beside([before.text, one.text]).get(1)
            else:
                name = beside.get(one.group, {}).get(last)
            yield from self._entry(one, name)
            before = one

    def _names_beside(self, entries: Iterable[Entry]) -> dict[int, Mapping[Hashable, str]]:
        """Return the secret names in mappings such as ``{name: token, value: x}``, by group."""
        groups: dict[int, dict[str, str]] = {}
        for one in entries:
            if one.path and isinstance(one.path[-1], str):
                groups.setdefault(one.group, {})[one.path[-1]] = one.text
        return {group: self._rules.names_beside(items) for group, items in groups.items()}

    def _entry(self, entry: Entry, beside: str | None) -> Iterator[HiddenPart]:
        path = entry.path if beside is None else (*entry.path, beside)
        if self._rules.secret_keys(entry.path) and entry.key[0] < entry.key[1]:
            yield HiddenPart(*entry.key, str(entry.path[-1]))
        hidden = self._hide(path, entry.text, (entry.start, entry.end))
        if hidden is not None:
            yield hidden

    def _hide(self, path: KeyPath, text: str, span: Span) -> HiddenPart | None:
        """Return the part to hide if a text may be secret with some names."""
        bare = _PRINTED.sub("", text).strip()
        if not bare or bare.lower() in TRIVIAL or self._rules.allows(path):
            return None
        is_key_of_include = len(path) == 4 and path[0] == "include" and path[3] == "key"
        if is_key_of_include and all(map(is_ordinary, bare.split(":"))):
            return None
        if self._is_secret(path, bare):
            return HiddenPart(*span, bare)
        if is_public_key(bare):
            return None
        is_odd = "\n" not in bare and not all(map(is_ordinary, bare.split()))
        is_named = self.may_name(path) or is_login_pair(bare)
        if is_odd or is_named:
            # What is only unusual is hidden here: other places judge it for themselves, and the
            # pillar may show it.
            return HiddenPart(*span, bare if is_odd and is_named else "")
        return None

    def _is_secret(self, path: KeyPath, bare: str) -> bool:
        """Say whether the rules call a text secret with some names."""
        if self._rules.find_reason(path, bare) is not None:
            return True
        is_number = bare.isdigit() and bare.isascii() and len(bare) <= LONGEST_NUMBER
        return is_number and self._rules.find_reason(path, int(bare)) is not None

    def pairs(self, text: str, spans: Iterable[Span], above: KeyPath = ()) -> Iterator[HiddenPart]:
        """Yield the values of names in a text: ``name=value``, ``'name': 'x'``, ``--name x``."""
        for start, end in spans:
            pairs, options = (one.finditer(text, start, end) for one in (_PAIR, _OPTION))
            for found in chain(pairs, options):
                value = found["value"].strip("\"'")
                path = above if above[-1:] == (found["name"],) else (*above, found["name"])
                hidden = self._hide(path, value, found.span("value"))
                if hidden is not None:
                    yield hidden

    def words(self, text: str, span: Span, *, in_prose: bool = False) -> Iterator[HiddenPart]:
        """Yield the unusual words in a part of a text."""
        for found in _WORD.finditer(text, *span):
            word = found[0]
            is_pair = in_prose and is_login_pair(word)
            is_secret = is_pair or self._rules.has_form(word)
            if is_secret or not is_ordinary(word, in_prose=True):
                yield HiddenPart(*found.span(), word if is_secret else "")

    def forms(self, text: str, span: Span) -> Iterator[HiddenPart]:
        """Yield the words of a line that are secret by their form, also in judged lines."""
        for found in _WORD.finditer(text, *span):
            if self._rules.has_form(found[0]):
                yield HiddenPart(*found.span())

    def is_line_secret(self, line: str, *, is_judged: bool) -> bool:
        """Say whether a line contains a secret by its form or by the user's patterns.

        If the value was judged by its path (``is_judged``), only patterns count.
        """
        reason = self._rules.find_reason((), line)
        return (
            reason == BY_VALUES if is_judged else reason is not None or self._rules.has_form(line)
        )

    def comment(self, text: str, span: Span, bare: str) -> Iterator[HiddenPart]:
        """Yield the parts of a comment to hide: everything after the name of a secret.

        ``bare`` is the comment without its signs.
        """
        values = (
            line[found.end() :] for line in bare.split("\n") for found in _GIVES.finditer(line)
        )
        # First the lengths: of a long line, each rest behind a name would be searched.
        is_long = any(len(line) > LONGEST_REMARK for line in bare.split("\n"))
        if is_long or self._rules.has_form(bare) or any(map(self._rules.has_form, values)):
            yield HiddenPart(*span)
            return
        names = [(one[0], one.start()) for one in _NAME.finditer(text, *span)]
        for (name, at), (before, _) in zip(names, [("", 0), *names], strict=False):
            pair = f"{before}_{name}" if before else name
            if self._tells(name) or self._tells(pair):
                begin = text.rfind("\n", span[0], at) + 1 or span[0]
                yield HiddenPart(begin, span[1])
                return
        yield from self.words(text, span, in_prose=True)

    def _tells(self, name: str) -> bool:
        return self._rules.names_secret(name) is not None or is_pin(name)

    def tag(
        self, text: str, span: Span, secrets: Iterable[Literal], *, is_named: bool
    ) -> Iterator[HiddenPart]:
        """Yield the literals to hide in a tag of a template.

        ``secrets`` are literals of the template; ``is_named`` says whether its output may be secret
        by its key.
        """
        values = {str(one.value) for one in secrets}
        for found in _STRING.finditer(text, *span):
            value = _read_string(found[0])
            is_odd = not all(map(is_ordinary, value.split())) and not is_public_key(value)
            if (
                is_named
                or value in values
                or is_odd
                or self._rules.find_reason((), value) is not None
            ):
                yield HiddenPart(*found.span(), value)
        for found in _NUMBER.finditer(text, *span):
            if is_named or found[0] in values or not is_ordinary(found[0]):
                yield HiddenPart(*found.span())

    def literals(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Return the literals of a template that may be secret by their names."""
        return tuple(
            one
            for one in literals
            if one.path and self._hide(one.path, str(one.value), (0, 0)) is not None
        )


def _read_string(literal: str) -> str:
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError):
        return literal[1:-1]
