"""Reads the dump of a live master: the pillars of its minions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from pillarbook.inventory.json_objects import DumpError, JsonMember, JsonObjects
from pillarbook.verify.printed_values import MASK

LOCAL = "local"
"""The key that ``salt-call`` prints instead of the minion's id."""
NO_RETURN = "Minion did not return"
"""The beginning of Salt's message for a minion that did not answer."""
SSH_FAILURE = frozenset(("retcode", "stdout", "stderr", "parsed", "return", "_error", "pid"))
"""The keys that ``salt-ssh`` returns instead of an answer if the command failed."""
REDACTED = frozenset(("redacted", "token"))
"""The keys that ``pillarbook compile`` writes instead of a secret."""
TOKEN = re.compile(r"[0-9a-f]{16}")
COMMAND = "salt '*' pillar.items --out=json"


@dataclass(frozen=True, slots=True)
class DumpedMinion:
    """A minion's answer."""

    minion: str
    """The minion's id."""
    pillar: Mapping[str, Any] | None
    """Its pillar; None if it returned none."""
    silence: str | None
    """The reason for no pillar, in a few words; None if there is one."""

    def __repr__(self) -> str:
        """Return the minion's id, never a value."""
        return f"Given({self.minion!r})"


class Dump:
    """The answers of a dump, read one by one on demand.

    The stream is the output of ``salt '*' pillar.items --out=json``, also with ``--static``, or of
    ``salt-call pillar.items --out=json``, whose minion is ``local`` if it is known.
    """

    def __init__(
        self, stream: BinaryIO, shown: str, declared: frozenset[str], local: str | None
    ) -> None:
        self._objects = JsonObjects(stream, shown)
        self._shown = shown
        self._declared = declared
        self._local = local

    @property
    def lost(self) -> int:
        """Answers that Salt printed as ``{}``, because JSON has no form for one of their keys."""
        return self._objects.empty

    def answers(self) -> Iterator[DumpedMinion]:
        """Yield each minion's answer, in the order of the dump.

        Raises:
            DumpError: It is not such a dump, or the minion of the pillar is not known.
        """
        for member in self._objects.members():
            yield _read(self._whose(member), member.value)
        if not self._objects.objects:
            words = "holds no JSON object" if self._objects.noise else "is empty"
            raise DumpError(self._shown, None, f"the dump {words}; make it with `{COMMAND}`")

    def _whose(self, member: JsonMember) -> str:
        if member.key != LOCAL or LOCAL in self._declared:
            return member.key
        if self._local is None:
            reason = "the dump is from `salt-call`: name its minion with --minion ID"
            raise DumpError(self._shown, member.line, reason)
        return self._local


def _read(minion: str, value: Any) -> DumpedMinion:
    if isinstance(value, dict):
        if value.get("retcode") and "stderr" in value and value.keys() <= SSH_FAILURE:
            return DumpedMinion(minion, None, "salt-ssh failed on it")
        try:
            return DumpedMinion(minion, {key: _mask(item) for key, item in value.items()}, None)
        except RecursionError:
            return DumpedMinion(minion, None, "nests too deep to be compared")
    return DumpedMinion(minion, None, _why_silent(value))


def _mask(data: Any) -> Any:
    """Return a part of a pillar with a mask where ``pillarbook compile`` redacted a secret.

    The reason beside the token is not secret, though it is under the secret's key.
    """
    if isinstance(data, list):
        return [_mask(item) for item in data]
    if not isinstance(data, dict):
        return data
    is_redacted = data.keys() == REDACTED and TOKEN.fullmatch(str(data["token"])) is not None
    return MASK if is_redacted else {key: _mask(item) for key, item in data.items()}


def _why_silent(value: Any) -> str:
    """Return the reason for no pillar; only known messages of Salt are shown, without values."""
    if isinstance(value, str) and value.startswith(NO_RETURN):
        word = next((one for one in ("Not connected", "No response") if one in value), None)
        return "did not return" + (f" ({word.lower()})" if word else "")
    if isinstance(value, str):
        return "answered with a message instead of a pillar"
    return "gave no pillar"
