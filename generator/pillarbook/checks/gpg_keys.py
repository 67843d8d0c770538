"""The rules ``key-missing``, ``key-expired`` and ``key-revoked``: the keys of encrypted values.

They need the keyring, so there are no findings without an available keyring. The recipients of a
message are not encrypted; its content is not read.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from pillarbook.checks.finding import Findings, PartFinding
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.ciphertext import holds_message
from pillarbook.compile.renderers.gpg import REASON, find_messages
from pillarbook.compile.renderers.gpg_keyring import Key, Keyring, name_keys
from pillarbook.compile.renderers.pgp_recipients import ANYBODY, word_recipients
from pillarbook.compile.renderers.render_context import MetMessage
from pillarbook.diagnostics import new_diagnostic
from pillarbook.model import KeyPath, Leaf, MapNode, Node, Position, format_path, leaves

MAX_KEPT = 20_000
"""The most containers that are cached; then the cache is cleared."""
REMEDIES = {
    "key-missing": "put the secret key into the master's gpg_keydir, or encrypt the value to one"
    " that is in it",
    "key-expired": "extend the key's expiry date, or encrypt the value again to a current key",
    "key-revoked": "change the value, because others may know it, and encrypt it to a current key",
}


@dataclass(eq=False)
class KeyRules:
    """Checks the keys that values are encrypted to.

    ``read_keyring`` returns None without available keys; ``clock`` returns seconds since 1970.
    """

    _read_keyring: Callable[[], Keyring | None]
    _clock: Callable[[], float]
    _findings: Findings
    # By node, whose leaves never change: whether there is a message below. Nearly no node has
    # one, and trees share most of their nodes.
    _holds: dict[Node, bool] = field(default_factory=dict)
    _said: dict[tuple[str, Position, str], PartFinding] = field(default_factory=dict)

    # Read at the first message only, because it starts gpg.
    @cached_property
    def _keyring(self) -> Keyring | None:
        return self._read_keyring()

    # One time for the whole run, so that no key expires between two minions.
    @cached_property
    def _now(self) -> float:
        return self._clock()

    def find_in_render(self, result: RenderResult) -> Iterator[PartFinding]:
        """Yield the findings about the messages of a rendered file."""
        if result.messages:
            yield from self._judge_all(_with_paths(result))
        if result.tree is not None:
            yield from self.find_beside(result.tree)

    def find_beside(self, tree: Node) -> Iterator[PartFinding]:
        """Yield the findings about the messages in data that are not decrypted."""
        if len(self._holds) > MAX_KEPT:
            self._holds.clear()
        if self._holds_message(tree) and self._keyring is not None:
            yield from self._judge_all(find_messages(tree))

    def _holds_message(self, node: Node) -> bool:
        """Say whether there is a message at or below a node."""
        if isinstance(node, Leaf):
            return holds_message(node.value)
        known = self._holds.get(node)
        if known is None:
            below = node.items.values() if isinstance(node, MapNode) else node.items
            known = self._holds[node] = any(map(self._holds_message, below))
        return known

    def _judge_all(self, messages: Iterable[MetMessage]) -> Iterator[PartFinding]:
        keyring = self._keyring
        if keyring is None:
            return
        for message in messages:
            yield from self._judge(message, keyring)

    def _judge(self, message: MetMessage, keyring: Keyring) -> Iterator[PartFinding]:
        ids = message.recipients.keys
        known = {one: keyring[one] for one in ids if one in keyring}
        opens = any(key.is_secret for key in known.values())
        if ids and not opens and ANYBODY not in ids and not message.recipients.passphrase:
            named = name_keys(word_recipients(message.recipients), keyring)
            holds = f"is encrypted to {named}, and the keyring has no secret key for it"
            yield self._describe("key-missing", message, " ".join(ids), holds)
        for one, key in known.items():
            result = _describe_fate(key, self._now)
            if result is not None:
                code, words = result
                holds = f"is encrypted to {name_keys(f'0x{one}', keyring)}, a key that {words}"
                yield self._describe(code, message, one, holds)

    def _describe(self, code: str, message: MetMessage, keys: str, holds: str) -> PartFinding:
        """Return the finding of a position and a key, always the same object."""
        position = Position(*message.place)
        known = self._said.get((code, position, keys))
        if known is None:
            what = "a PGP message" if message.path is None else f"'{format_path(message.path)}'"
            diagnostic = new_diagnostic(
                code, f"{what} {holds}", position, path=message.path, remedy=REMEDIES[code]
            )
            known = self._said[code, position, keys] = self._findings.new(diagnostic)
        return known


def _describe_fate(key: Key, now: float) -> tuple[str, str] | None:
    """Return the rule that a key breaks, and the status of the key."""
    if key.revoked:
        return "key-revoked", "was revoked"
    if key.expires is not None and key.expires <= now:
        return "key-expired", f"expired on {datetime.fromtimestamp(key.expires, UTC):%Y-%m-%d}"
    return None


def _with_paths(result: RenderResult) -> Iterator[MetMessage]:
    """Yield the messages of a file; one in its text gets the path of its value."""
    paths: dict[tuple[str, int | None], list[KeyPath]] = {}
    if result.tree is not None and any(message.path is None for message in result.messages):
        for path, leaf, origins in leaves(result.tree):
            if isinstance(leaf, Leaf) and (leaf.secret or "").startswith(REASON) and origins:
                place = origins[-1].file, origins[-1].line
                paths.setdefault(place, []).append(path)
    for message in result.messages:
        file, line = message.place
        above = (file, line - 1) if line else message.place  # the value begins at the line of `|`
        found = paths.get(message.place) or paths.get(above, [])
        if message.path is None and len(found) == 1:
            yield MetMessage(message.place, found[0], message.recipients)
        else:
            yield message
