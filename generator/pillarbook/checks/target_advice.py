"""What somebody may have meant by a target that matches no minion."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pillarbook.compile.matchers.subdict_match import subdict_match
from pillarbook.inventory.asked_grains import find_grain
from pillarbook.inventory.minions import Minion
from pillarbook.patterns.similar import find_similar

NO_ID = re.compile(r"[()|^$+\\=@{}]")
"""Characters that are in no minion id, but in regular expressions and matchers."""
LETTERS = "GPIJLNSER"
"""The letters of the matchers in compound targets."""
PAIRS = {"G": "grain", "P": "grain_pcre", "I": "pillar", "J": "pillar_pcre"}
"""Matchers that compare a key with a value, by their letters."""
_WORD = re.compile(r"([A-Za-z])(.?)@(.+)", re.DOTALL)
_REGEX = re.compile(r"[(|^$+\\]|\.\*|\[[^\]]+\]")
_OPERATOR = re.compile(r"\s(?:and|or|not)\s|\Anot\s")
_Write = Callable[[str], str]


class TargetAdvice:
    """Finds remedies for targets.

    ``hide`` replaces the secrets in a target.
    """

    def __init__(
        self, fleet: Sequence[Minion], nodegroups: Mapping[str, Any], hide: Callable[[str], str]
    ) -> None:
        self._fleet = fleet
        self._nodegroups = nodegroups
        self._hide = hide
        self._values: dict[tuple[str, ...], set[str]] = {}

    def find_mistake(self, target: str, matcher: str) -> str | None:
        """Return the remedy for a target that can match nobody as it is written, or None."""
        if matcher == "compound":
            return next(filter(None, map(self._correct_word, _words_of(target))), None)
        if matcher != "nodegroup" and _OPERATOR.search(target):
            return "for `and`, `or` and `not`, write `- match: compound`"
        if matcher == "list" and "," not in target and " " in target.strip():
            return f"separate the ids with commas: `{self._hide(','.join(target.split()))}`"
        if matcher == "grain" and _is_regex(target):
            return "for a regular expression, write `- match: grain_pcre`"
        return self._correct_pair(target, matcher, str) if matcher in PAIRS.values() else None

    def find_similar(self, target: str, matcher: str) -> str | None:
        """Return the remedy for a target about a grain similar to one of a minion, or None."""
        if matcher == "grain":
            return self._find_grain(target, str)
        if matcher != "compound":
            return None
        similar = (self._find_grain(pair, _as_word) for pair in _grains_in(target))
        return next(filter(None, similar), None)

    def find_misspelt(self, target: str, matcher: str) -> tuple[str, str] | None:
        """Return a word of a compound target that is true of no minion, and the remedy, or None.

        Only a word about a grain that is similar to one of a minion is found. The target may match:
        ``not G@roles:wbe`` does.
        """
        for pair in _grains_in(target) if matcher == "compound" else ():
            similar = self._find_grain(pair, _as_word)
            if similar and not any(subdict_match(one.grains, pair) for one in self._fleet):
                return _as_word(self._hide(pair)), similar
        return None

    def find_nodegroup(self, name: str) -> str | None:
        """Return the nodegroup that is similar to one that the master file does not have."""
        return find_similar(name, self._nodegroups)

    def _correct_word(self, word: str) -> str | None:
        """Return the remedy for a word of a compound target."""
        if word.startswith("("):
            return "write parentheses with spaces around them: `( G@os:Debian and web* )`"
        found = _WORD.fullmatch(word)
        if found is None:
            is_regex = NO_ID.search(word) and _REGEX.search(word)
            return f"for a regular expression, write `E@{self._hide(word)}`" if is_regex else None
        letter, delimiter, text = found.groups()
        if letter not in LETTERS and letter.upper() in LETTERS:
            capital = self._hide(f"{letter.upper()}{delimiter}@{text}")
            return f"the letter of a matcher is a capital one: `{capital}`"
        if letter not in PAIRS or delimiter:
            return None
        if letter == "G" and _is_regex(text):
            return f"for a regular expression, write `P@{self._hide(text)}`"
        return self._correct_pair(text, PAIRS[letter], lambda pair: f"{letter}@{pair}")

    def _correct_pair(self, text: str, matcher: str, write: _Write) -> str | None:
        """Return the remedy for a key that has no value behind a colon."""
        if ":" in text:
            return None
        kind = matcher.removesuffix("_pcre")
        key, sign, value = text.partition("=")
        if sign:
            pair = write(self._hide(f"{key}:{value}"))
            return f"separate {kind} and value with a colon: `{pair}`"
        return f"write a {kind} with a value: `{write(f'{self._hide(text)}:VALUE')}`"

    def _find_grain(self, text: str, write: _Write) -> str | None:
        *path, value = text.split(":")
        if not path:
            return None
        names = self._texts_at(())
        if path[0] in names:
            values = self._texts_at(tuple(path))
            value = "" if value in values else find_similar(value, values) or ""
        else:
            path[0] = find_similar(path[0], names) or ""
        if "" in (path[0], value):
            return None
        return f"did you mean `{write(self._hide(':'.join((*path, value))))}`?"

    def _texts_at(self, path: tuple[str, ...]) -> set[str]:
        """Return all values of a grain in the fleet; the names of all grains for an empty path."""
        if path not in self._values:
            grains = (minion.grains for minion in self._fleet)
            read = _texts_of if path else _names_of
            self._values[path] = {one for data in grains for one in read(data, path)}
        return self._values[path]


def _words_of(target: str) -> Iterator[str]:
    return (word for word in target.split() if word not in ("and", "or", "not", "(", ")"))


def _grains_in(target: str) -> Iterator[str]:
    """Yield each grain with its value in a compound target."""
    words = map(_WORD.fullmatch, _words_of(target))
    return (word[3] for word in words if word and word[1] == "G" and not word[2])


def _as_word(pair: str) -> str:
    return f"G@{pair}"


def _is_regex(pair: str) -> bool:
    """Say whether the value behind a key looks like a regular expression."""
    key, _, value = pair.rpartition(":")
    return bool(key) and _REGEX.search(value) is not None


def _names_of(grains: Mapping[str, Any], _path: tuple[str, ...]) -> Iterator[str]:
    return map(str, grains)


def _texts_of(grains: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts of a grain: its value, or the members of a list."""
    value = find_grain(grains, path)
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str | int | float):
            yield str(one)
