"""The rule ``plain-secret``: possible secrets in plain text in the tree.

It checks rendered files before they are merged: there each value has its own key, also if it is
overridden later. A value that is not in the file's own text was read from elsewhere during the
render. Messages name keys, never values.
"""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from itertools import chain
from typing import Any, TypeAlias

from pillarbook.checks.finding import Findings, PartFinding
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.sls.includes import put_under
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import KeyPath, Leaf, MapNode, Node, Position, format_path
from pillarbook.patterns.ciphertexts import is_sealed
from pillarbook.patterns.token_patterns import find_in_source
from pillarbook.redact import Rules
from pillarbook.redact.declared_secrets import DECLARED
from pillarbook.redact.named_leaves import named_leaves
from pillarbook.roots.tree_interface import FoundFile

SecretCandidate: TypeAlias = tuple[KeyPath, KeyPath, Leaf]
"""The path of a leaf, the keys for the rules, and the leaf."""
MAX_KEPT = 20_000
"""The most containers that are cached; then the cache is cleared."""
REMEDY = "encrypt it with gpg; if it is not a secret, add its key to `redact: allow` in mkdocs.yml"
SHORTEST_RUN = 6
RUN = re.compile(r"\w+")
_PLACEHOLDER = re.compile(
    r"(?:(?:dummy|fake|insecure|not_|placeholder|redacted|replace_|sample|todo|your[_-])[a-z _-]*"
    r"|foo(?:bar)?|some(?:other)?pass(?:word)?|(?:dead|beef|cafe|babe)+|<[a-z _-]*>)",
    re.IGNORECASE,
)
"""A value whose author says that it is no secret."""


class PlainSecrets:
    """Finds secrets in rendered files."""

    def __init__(self, rules: Rules, findings: Findings) -> None:
        self._rules = rules
        self._findings = findings
        self._hides = _HidingKeys(rules)
        # By node: candidates depend on the leaves below and on the rules, which never change.
        # Cleared together with the results of the rules for them.
        self._candidates: dict[Node, tuple[SecretCandidate, ...]] = {}
        self._judged: dict[SecretCandidate, PartFinding | None] = {}
        self.judged_texts: set[str] = set()
        """The checked values, reported or allowed, so that they are not reported again."""
        self.is_encrypted = rules.is_encrypted
        """Says of a file whether it is plain text only where it is unlocked."""

    def find_in_render(
        self,
        result: RenderResult,
        read: Callable[[RenderResult], Iterable[str]],
        above: KeyPath = (),
    ) -> Iterator[PartFinding]:
        """Yield the plain-text secrets of a rendered file.

        ``read`` is called only if necessary. ``above`` are the keys that an include puts the file's
        data under.
        """
        if result.tree is not None:
            yield from self._find(put_under(result.tree, above), lambda _: read(result))

    def find_beside(
        self, tree: MapNode, read: Callable[[Leaf], Iterable[str]]
    ) -> Iterator[PartFinding]:
        """Yield the plain-text secrets of data that comes from elsewhere."""
        yield from self._find(tree, read)

    def find_declared(
        self, node: Node, path: KeyPath, read: Callable[[Leaf], Iterable[str]]
    ) -> Iterator[PartFinding]:
        """Yield values that the inventory declares secret, and that no other rule finds."""
        for below, asked, leaf, _ in named_leaves(node, self._rules, path):
            if not isinstance(leaf, Leaf) or leaf.secret != DECLARED:
                continue
            if self._rules.find_reason(asked, leaf.value) is None:
                found = self._describe(below, leaf, DECLARED, read)
                if found is not None:
                    yield found

    def _find(self, tree: Node, read: Callable[[Leaf], Iterable[str]]) -> Iterator[PartFinding]:
        if len(self._candidates) > MAX_KEPT:
            self._candidates.clear()
            self._judged.clear()
        known = self._candidates.get(tree)
        for candidate in self._gather(tree) if known is None else known:
            if candidate not in self._judged:
                self._judged[candidate] = self._judge(*candidate, read)
            found = self._judged[candidate]
            if found is not None:
                yield found

    def _judge(
        self, path: KeyPath, asked: KeyPath, leaf: Leaf, read: Callable[[Leaf], Iterable[str]]
    ) -> PartFinding | None:
        if isinstance(leaf.value, str):
            self.judged_texts.add(leaf.value)
        reason = None if leaf.secret else self._rules.find_reason(asked, leaf.value)
        if reason is None or is_sealed(reason):
            return None
        return self._describe(path, leaf, reason, read)

    def _describe(
        self, path: KeyPath, leaf: Leaf, reason: str, read: Callable[[Leaf], Iterable[str]]
    ) -> PartFinding | None:
        if _says_that_it_is_none(leaf.value) or not any(
            _holds(text, leaf.value) for text in read(leaf)
        ):
            return None
        origin = leaf.origins[-1]
        if self.is_encrypted(origin.file):
            return None
        diagnostic = new_diagnostic(
            "plain-secret",
            f"possible plain-text secret: '{format_path(path)}' ({reason})",
            origin.position,
            path=path,
            remedy=REMEDY,
        )
        return self._findings.new(diagnostic)

    def _gather(self, node: Node) -> tuple[SecretCandidate, ...]:
        """Return the leaves that may be secret, with their paths below the node."""
        if isinstance(node, Leaf):
            return (((), (), node),) if self._rules.may_be_secret(node.value) else ()
        found: list[SecretCandidate] = []
        known, hides = self._candidates.get, self._hides
        is_map = isinstance(node, MapNode)
        names = self._rules.names_beside(node.items)
        for key, item in node.items.items() if isinstance(node, MapNode) else enumerate(node.items):
            own: KeyPath = (key, names[key]) if key in names else (key,)
            if any(map(hides.__getitem__, own if is_map else own[1:])):
                below = named_leaves(item, self._rules, (key,), own)
                found += [
                    (path, asked, leaf) for path, asked, leaf, _ in below if isinstance(leaf, Leaf)
                ]
            elif item.__class__ is Leaf:
                if self._rules.may_be_secret(item.value):
                    found.append(((key,), own, item))
            else:
                inner = known(item)
                for path, asked, leaf in self._gather(item) if inner is None else inner:
                    found.append(((key, *path), (*own, *asked), leaf))
        made = self._candidates[node] = tuple(found)
        return made


class _HidingKeys(dict[Hashable, bool]):
    """Whether a key may make a value below it secret; each key is checked once."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, key: Hashable) -> bool:
        says = self[key] = self._rules.may_hide_below(key)
        return says


def _says_that_it_is_none(value: Any) -> bool:
    """Say whether a value reads as a placeholder: ``not_in_salt_yet``, ``fakekey``.

    `password` and `changeme` are findings: somebody may have kept them.
    """
    return isinstance(value, str) and _PLACEHOLDER.fullmatch(value.strip()) is not None


def _holds(text: str, value: Any) -> bool:
    """Say whether a file's text contains a value, if quotes and escapes allow to find it."""
    words = str(value)
    if "\n" in words:
        words = max((line.strip() for line in words.splitlines()), key=len)
    if len(words) < SHORTEST_RUN:  # part of a longer word, such as the key, it is another text
        return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
    if words in text:
        return True
    runs = RUN.findall(words) if "'" in words or '"' in words or "\\" in words else []
    longest = max(runs, key=len, default="")
    return len(longest) >= SHORTEST_RUN and longest in text


class PlainLiterals:
    """Checks each file of a render, once."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], list[tuple[str, Position, str]]] = {}
        """Reason, position and text of each literal, by a file's name and digest."""

    def take(self, found: FoundFile) -> None:
        """Add a file; a second call adds nothing."""
        key = (found.full, found.digest)
        if key in self.found:
            return
        literals = self.found[key] = []
        source = found.text
        for reason, offset, text in find_in_source(source):
            line = source.count("\n", 0, offset) + 1
            literals.append((reason, Position(found.shown, line), text))

    def find(self, judged: Collection[str]) -> Iterator[Diagnostic]:
        """Yield the literals that were not checked with their keys."""
        known = "\0".join(judged)
        places: dict[tuple[str, Position], None] = {}
        for reason, position, text in chain.from_iterable(self.found.values()):
            if text not in known:
                places[reason, position] = None
        for reason, position in places:
            yield new_diagnostic(
                "plain-secret",
                f"the source of this file has a plain-text secret ({reason})",
                position,
                remedy="remove it and change the secret: the old one stays in the repository's"
                " history",
            )
