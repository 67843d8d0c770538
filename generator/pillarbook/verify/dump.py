"""What the minions of a fleet got from their live master, as a dump has it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from pillarbook.inventory.json_objects import DumpError, JsonMember, JsonObjects
from pillarbook.verify.printed_values import MASK

LOCAL = "local"
"""The key that ``salt-call`` prints in place of the minion's id."""
NO_RETURN = "Minion did not return"
"""How Salt's words for a minion that did not answer begin."""
SSH_FAILURE = frozenset(("retcode", "stdout", "stderr", "parsed", "return", "_error", "pid"))
"""What ``salt-ssh`` gives in place of an answer where the command failed."""
REDACTED = frozenset(("redacted", "token"))
"""The keys of what ``pillarbook compile`` puts in place of a secret."""
TOKEN = re.compile(r"[0-9a-f]{16}")
COMMAND = "salt '*' pillar.items --out=json"


@dataclass(frozen=True, slots=True)
class DumpedMinion:
    """A minion's answer."""

    minion: str
    """The minion's id."""
    pillar: Mapping[str, Any] | None
    """Its pillar; None where it gave none."""
    silence: str | None
    """Why it gave none, in a few words; None where it did."""

    def __repr__(self) -> str:
        """Return whose it is, never a value."""
        return f"Given({self.minion!r})"


class Dump:
    """The answers of a dump, read as they are asked for.

    Args:
        stream: What ``salt '*' pillar.items --out=json`` printed, also with ``--static``, or
            ``salt-call pillar.items --out=json``.
        shown: How errors name it.
        declared: The ids of the inventory.
        local: Whose pillar a ``salt-call`` printed; None where that is not known.
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
            DumpError: It is no such dump, or does not say whose pillar it is.
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

    The reason beside the token is no secret, though it is under the secret's key.
    """
    if isinstance(data, list):
        return [_mask(item) for item in data]
    if not isinstance(data, dict):
        return data
    is_redacted = data.keys() == REDACTED and TOKEN.fullmatch(str(data["token"])) is not None
    return MASK if is_redacted else {key: _mask(item) for key, item in data.items()}


def _why_silent(value: Any) -> str:
    """Say why there is no pillar; Salt's words may hold anything, so only known ones are told."""
    if isinstance(value, str) and value.startswith(NO_RETURN):
        word = next((one for one in ("Not connected", "No response") if one in value), None)
        return "did not return" + (f" ({word.lower()})" if word else "")
    if isinstance(value, str):
        return "answered with a message instead of a pillar"
    return "gave no pillar"
