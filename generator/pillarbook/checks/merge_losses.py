"""The rules about merging: ``lost-scalar`` and ``type-clash``.

Both read the origins of the merged tree. A node that minions share is checked once: its losses are
kept by their paths below the node, and the keys above are added later.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pillarbook.checks.finding import Findings, PartFinding, giver_of, is_other_value
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import (
    KeyPath,
    Leaf,
    ListIndex,
    ListNode,
    MapNode,
    Node,
    Origin,
    SecretOrigin,
    distinct_origins,
    format_path,
)
from pillarbook.model.unknown import Unknown

MAX_KEPT = 50_000
"""The most nodes that are cached; then the cache is cleared."""
SCALAR, MAPPING, LIST = "a scalar", "a mapping", "a list"


@dataclass(frozen=True, slots=True, eq=False)
class Loss:
    """A value that another value of the same key has replaced."""

    path: KeyPath
    """The path of the key, from the checked node."""
    lost: Origin
    """The replaced value."""
    kind: str
    """The kind of the replaced value."""
    stands: Origin
    """The value that replaces it."""
    stands_as: str
    """The kind of that value."""


class ValueRules:
    """Finds losses in merged trees."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        # By node: a loss follows from the origins below, which never change. The keys above are
        # added afterwards, so that a node in two places is checked once.
        self._of_node: dict[Node, tuple[Loss, ...]] = {}
        self._below: dict[tuple[Any, Loss], Loss] = {}
        self._of_top: dict[tuple[Any, Node], tuple[PartFinding, ...]] = {}
        self._worded: dict[Loss, PartFinding] = {}

    def find(self, key: Any, node: Node) -> tuple[PartFinding, ...]:
        """Return the findings at and below a top-level key."""
        if len(node.origins) < 2 and not _is_mixed(node):
            return ()
        known = self._of_top.get((key, node))
        if known is None:
            if len(self._of_top) + len(self._of_node) > MAX_KEPT:
                # All at once, because entries refer to each other.
                self._forget()
            losses = self._of_node.get(node)
            losses = self._look_at(node) if losses is None else losses
            found = [self._word(self._put_below(key, loss)) for loss in losses]
            known = self._of_top[key, node] = tuple(found)
        return known

    def _forget(self) -> None:
        self._of_node.clear()
        self._of_top.clear()
        self._below.clear()
        self._worded.clear()

    def _look_at(self, node: Node) -> tuple[Loss, ...]:
        """Return the losses at and below a node that is not cached."""
        if isinstance(node, Leaf):
            found = _losses_at_leaf(node) if len(node.origins) > 1 else []
        else:
            found = _losses_at_container(node) if node.overrode else []
            pairs = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
            known = self._of_node.get
            for key, item in pairs:
                if len(item.origins) < 2 and (item.__class__ is Leaf or not _is_mixed(item)):
                    continue  # most nodes
                losses = known(item)
                if losses is None:
                    losses = self._look_at(item)
                for loss in losses:
                    if node.__class__ is MapNode or not _is_of_opened(loss):
                        found.append(self._put_below(key, loss))
        made = self._of_node[node] = tuple(found)
        return made

    def _put_below(self, key: Any, loss: Loss) -> Loss:
        """Return a loss with a key before its path; one object for all that share it."""
        made = self._below.get((key, loss))
        if made is None:
            made = self._below[key, loss] = Loss(
                (key, *loss.path), loss.lost, loss.kind, loss.stands, loss.stands_as
            )
        return made

    def _word(self, loss: Loss) -> PartFinding:
        made = self._worded.get(loss)
        if made is None:
            if loss.kind == loss.stands_as:
                lost = loss.lost
                between = (str(lost.saltenv), str(lost.sls), str(loss.stands.sls))
                made = self._findings.new(_word_lost(loss), between)
            else:
                made = self._findings.new(_word_clash(loss))
            self._worded[loss] = made
        return made


def _is_of_opened(loss: Loss) -> bool:
    """Say whether a decrypted scalar is lost, or replaces another one.

    Equal members of two lists become one. So a finding about a decrypted member would be wrong,
    and would confirm a guess of whoever adds that guess.
    """
    is_scalar = loss.kind == loss.stands_as == SCALAR
    return is_scalar and any(isinstance(one, SecretOrigin) for one in (loss.lost, loss.stands))


def _is_mixed(node: Node) -> bool:
    """Say whether a node may contain values of several documents.

    A merge adds to the origins of each container that it changes. But the earlier value may have
    been no container, and a container under an alias changes in the other place.
    """
    return not isinstance(node, Leaf) and (node.shared or bool(node.overrode))


def _losses_at_leaf(leaf: Leaf) -> list[Loss]:
    origins = distinct_origins(leaf.origins)
    stands = origins[-1]
    found = []
    if _kind(stands) == SCALAR or stands.value is None:
        found = [
            Loss((), lost, SCALAR, stands, SCALAR)
            for lost in origins[:-1]
            if _kind(lost) == SCALAR and _is_lost(lost, stands)
        ]
    return [*found, *_clashes(origins)]


def _losses_at_container(node: MapNode | ListNode) -> list[Loss]:
    if not node.origins:
        return []
    before = distinct_origins(node.overrode)
    own: Any = {} if isinstance(node, MapNode) else []
    first = node.origins[0]
    stands = Origin(first.file, first.line, first.sls, first.saltenv, own)
    return list(_clashes((*before, stands)))


def _clashes(origins: tuple[Origin, ...]) -> Iterator[Loss]:
    """Yield values of another type than the last origin that is not null."""
    kinds = [(origin, kind) for origin in origins if (kind := _kind(origin)) is not None]
    if not kinds:
        return
    stands, stands_as = kinds[-1]
    said = set()
    for lost, kind in kinds[:-1]:
        who = (lost.file, lost.sls, lost.saltenv, kind)
        # An external pillar merges its own data by its own rules and options.
        is_own = lost.sls == stands.sls and stands.saltenv is None
        if kind != stands_as and who not in said and not is_own:
            said.add(who)
            yield Loss((), lost, kind, stands, stands_as)


def _kind(origin: Origin) -> str | None:
    """Return the kind of value of an origin, None for null and what is not known.

    A member has its container's kind.
    """
    if origin.below:
        return LIST if isinstance(origin.below[0], ListIndex) else MAPPING
    if isinstance(origin.value, dict):
        return MAPPING
    if isinstance(origin.value, list):
        return LIST
    return None if origin.value is None or isinstance(origin.value, Unknown) else SCALAR


def _is_lost(lost: Origin, stands: Origin) -> bool:
    """Say whether two SLS files of one environment give different scalars."""
    is_other_sls = lost.sls != stands.sls and bool(lost.sls) and bool(stands.sls)
    if not is_other_sls or lost.saltenv is None or lost.saltenv != stands.saltenv:
        return False
    return is_other_value(lost, stands)


def _word_lost(loss: Loss) -> Diagnostic:
    lost, stands = loss.lost, loss.stands
    path = format_path(loss.path)
    return new_diagnostic(
        "lost-scalar",
        f"SLS '{lost.sls}' sets '{path}', and SLS '{stands.sls}' replaces it"
        f" ({stands.position}), though neither includes the other",
        lost.position,
        path=loss.path,
        remedy="let one include the other, or set the key in one place",
        related=(stands.position,),
    )


def _word_clash(loss: Loss) -> Diagnostic:
    lost, stands = loss.lost, loss.stands
    return new_diagnostic(
        "type-clash",
        f"'{format_path(loss.path)}' is {loss.kind} in {giver_of(lost)}, and {loss.stands_as} in"
        f" {giver_of(stands)} ({stands.position}), which replaces it",
        lost.position,
        path=loss.path,
        remedy="give the key one type everywhere: Salt drops the whole earlier value",
        related=(stands.position,),
    )
