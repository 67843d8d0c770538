"""What goes into no file that ``init`` writes: grains of machines and people, and secrets.

A target may name a secret (``G@token:...``), and so may what a template holds a grain against.
"""

import fnmatch
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pillarbook.bootstrap.target_requirements import GrainNeed, Need
from pillarbook.model import KeyPath
from pillarbook.redact import Rules, secrets_in_target

LEFT_OUT = (
    "*serial*",
    "*uuid*",
    "*machine_id*",
    "hwaddr*",
    "*mac_address*",
    "macaddress*",
    "*wwn*",
    "iscsi_iqn",
    "nvme_nqn",
    "ssh_host_*",
    "ansible_*",
    "username",
    "uid",
    "gid",
    "groupname",
    "pid",
    "path",
    "pythonpath",
    "systempath",
)
"""Names of grains, and of keys within them."""
MAX_LEVELS = 20
"""How deep a grain may nest."""
_MAC = re.compile(r"(?i)^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$")


class GrainChoice:
    """Chooses the grains to import.

    ``wanted`` names the grains to import; empty for all but private ones.
    """

    def __init__(self, wanted: Collection[str] = ()) -> None:
        self._wanted = frozenset(wanted)
        self._rules = Rules()
        self.left_out: dict[str, None] = {}
        """The grains that were left out for privacy."""

    def choose(self, grains: Mapping[str, Any]) -> dict[str, Any]:
        """Return the grains to import; secrets are never among them."""
        if self._wanted:
            chosen = {name: one for name, one in grains.items() if name in self._wanted}
            chosen = {name: one for name, one in chosen.items() if _is_shallow(one)}
            return {name: value for name, value in chosen.items() if not self._hides(name, value)}
        result: dict[str, Any] = {}
        for name, value in grains.items():
            if name == "id":
                continue
            is_private = _is_private(str(name)) or not _is_shallow(value)
            if is_private or self._hides(str(name), value):
                self.left_out[str(name)] = None
            else:
                result[name] = _without_private(value)
        return result

    def _hides(self, name: str, value: Any) -> bool:
        """Say whether a grain is a secret, or has one in it."""
        return any(
            self._rules.find_reason((name, *path), leaf) is not None
            for path, leaf in _leaves(value)
        )


def _is_private(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name.lower(), pattern) for pattern in LEFT_OUT)


def _without_private(value: Any) -> Any:
    """Return a value without private keys, and without MAC addresses, at any depth."""
    if isinstance(value, dict):
        kept = {name: one for name, one in value.items() if not _is_private(str(name))}
        return {name: _without_private(one) for name, one in kept.items() if not _is_mac(one)}
    if isinstance(value, list):
        return [_without_private(one) for one in value if not _is_mac(one)]
    return value


def _is_shallow(value: Any) -> bool:
    """Say whether a value nests no deeper than grains do."""
    level = [value]
    for _ in range(MAX_LEVELS):
        members = [one for one in level if isinstance(one, dict | list)]
        level = [
            item for one in members for item in (one.values() if isinstance(one, dict) else one)
        ]
    return not level


def _is_mac(value: Any) -> bool:
    return isinstance(value, str) and _MAC.match(value) is not None


def _leaves(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in pairs:
            yield from (((key, *path), leaf) for path, leaf in _leaves(one))
    else:
        yield (), value


def needs_secret(need: Need) -> bool:
    """Say whether a minion would have to be called after a secret, or have one for a grain."""
    names = (name for one in need.ids for name in (one.pattern, *one.exact))
    return any(map(is_secret_word, names)) or any(map(_is_secret_grain, need.grains))


def shows_secret(expression: str) -> bool:
    """Say whether a target of any kind has a secret in it."""
    has_secret_word = any(map(is_secret_word, (expression, *expression.split())))
    return has_secret_word or any(True for _ in secrets_in_target(expression, Rules()))


def is_secret_word(word: str) -> bool:
    """Say whether a word is a secret, or has one behind a dash or dot: ``web-ghp_...``."""
    starts = (0, *(found.end() for found in re.finditer(r"[-.]", word)))
    return any(_is_secret((), word[start:]) for start in starts)


def shown_values(grain: str, values: Sequence[str | int]) -> Sequence[str | int]:
    """Return the values that templates hold a grain against, unless they are secrets."""
    if Rules().names_secret(grain):
        return ()
    return [one for one in values if not _is_secret((grain,), one)]


def _is_secret_grain(need: GrainNeed) -> bool:
    return any(map(is_secret_word, need.path)) or _is_secret(need.path, need.value)


def _is_secret(path: KeyPath, value: str | int) -> bool:
    return Rules().find_reason(path, value) is not None
