"""Which lines of files set values that are secret there, by the keys and values of the file alone.

If a text overrides a mapping, the origins of the mapping's values are listed under the path of the
text, which does not show that they are secret. In its file each value is under its own key.
"""

from collections.abc import Hashable, Iterable

from pillarbook.compile.memo import RepeatCache
from pillarbook.model import Leaf, Node, Origin, distinct_origins, share_overridden
from pillarbook.patterns.plain_words import is_small
from pillarbook.redact.judged_paths import JudgedPath, judged_members
from pillarbook.redact.open_nodes import Places
from pillarbook.redact.redaction_rules import Rules

ENCRYPTED = "in a file that git encrypts"


class SecretLines:
    """Notes the secret lines of files; a line that is secret for one minion is so for all."""

    def __init__(self, rules: Rules | None) -> None:
        self._rules = rules
        self.reasons: dict[tuple[Hashable, ...], str] = {}
        """Reasons by ``Origin.spot``."""
        self._lines: set[tuple[Hashable, ...]] = set()
        self._files: set[Hashable] = set()
        self._keeps_encrypted = (lambda _: False) if rules is None else rules.is_encrypted
        self._harmless: set[Places] = set()
        self._indexed = RepeatCache[tuple[Node, JudgedPath], bool]()

    def index(self, trees: Iterable[Node | None]) -> bool:
        """Note which origins in the trees of single files are secret; say whether one is new."""
        before = len(self.reasons)
        if self._rules is None:
            return False
        for tree in trees:
            if tree is not None:
                self._index(tree, self._rules.at(()), (), self._rules)
        return len(self.reasons) > before

    def _index(self, node: Node, at: JudgedPath, before: tuple[Origin, ...], rules: Rules) -> None:
        if not isinstance(node, Leaf):
            before += node.overrode
        if isinstance(node, Leaf) or not node.items:
            mark = node.secret if isinstance(node, Leaf) else None
            for origin in distinct_origins(before + node.origins):
                reason = rules.judge(at, origin.value, mark)
                if reason is not None:
                    self.note(origin.spot, reason)
            return
        # Renders that differ in a few values share all other containers.
        if not before:
            spot = node, at
            if rules.open_nodes.find(node, at) is not None or self._indexed.get(spot):
                return
            self._indexed[spot] = True
        overridden = share_overridden(node, before)
        for key, below, item in judged_members(node, at, rules):
            self._index(item, below, overridden(key), rules)

    def note(self, spot: tuple[Hashable, ...], reason: str) -> None:
        """Note why the value at a position in a file is secret.

        The alphabetically first reason is kept, so the result does not depend on the order.
        """
        known = self.reasons.get(spot)
        if known is None or reason < known:
            self.reasons[spot] = reason
            self._lines.add(spot[:2])
            if spot[0] not in self._files:
                self._files.add(spot[0])
                self._harmless.clear()

    def find_reason(self, origin: Origin, at: JudgedPath) -> str | None:
        """Return why an origin is secret by its file, or by its own path there; else None.

        ``at`` is the path of the value in the pillar.
        """
        if self._keeps_encrypted(origin.file) and not at.facts.is_allowed:
            value = origin.value
            if isinstance(value, str | bytes | int) and not (is_small(value) or value in ("", b"")):
                return ENCRYPTED
        if (origin.file, origin.line) not in self._lines:
            return None  # most of them; `spot` is slow to make
        return self.reasons.get(origin.spot)

    def any_in(self, places: Places) -> bool:
        """Say whether one of some files has a secret line."""
        if places in self._harmless:
            return False
        if any(file in self._files or self._keeps_encrypted(file) for file, _, _ in places):
            return True
        self._harmless.add(places)
        return False
