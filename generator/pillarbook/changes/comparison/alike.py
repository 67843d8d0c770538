"""Compares two sides: the inputs that minions' reads do not record, and the data of trees."""

from collections.abc import Hashable

from pillarbook.compare.strict import canonical
from pillarbook.compile.project import Project
from pillarbook.compile.reads import fingerprint
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.model import Leaf, ListNode, MapNode, Node


def are_alike(first: Project, second: Project, *, is_trial: bool = False) -> bool:
    """Say whether two sides differ in nothing but files and minions.

    Code of the tree may read anything, so sides with such code count as different, as do sides
    without a memo. In a trial it reads the same as before, unless it opens a changed file itself.
    """
    has_code = first.modules.python or second.modules.python
    if not (first.memo and second.memo) or (has_code and not is_trial):
        return False
    return _options(first.options) == _options(second.options) and all(
        [
            first.functions == second.functions,
            first.renderers.keys() == second.renderers.keys(),
            first.ext_pillars.known == second.ext_pillars.known,
            _modules(first) == _modules(second),
            _trees(first) == _trees(second),
            first.limits == second.limits,
            first.clock == second.clock,
            type(first.decryptor) is type(second.decryptor),
            _has_same_mine(first, second),
        ]
    )


def are_declared_alike(one: Minion, other: Minion) -> bool:
    """Say whether both sides declare a minion alike.

    Its line counts only if values come from it.
    """
    if one is other:
        return True
    if (one.pillar or one.opts) and one.position != other.position:
        return False
    return _declared(one) == _declared(other)


def _declared(minion: Minion) -> Hashable:
    return fingerprint(
        [
            *(minion.grains, minion.pillarenv, minion.saltenv, minion.pillar, minion.pillar_enc),
            *(minion.opts, minion.mine),
            list(minion.secrets),
            [[list(path), line] for path, line in minion.pillar_lines.items()],
        ]
    )


def _options(options: MasterOptions) -> Hashable:
    """Return the master's options in comparable form; with positions if values come from them."""
    values = options.values
    gives_values = bool(values.get("ext_pillar") or values.get("pillar_opts"))
    return (
        fingerprint(values),
        str(options.file),
        fingerprint({there: str(here) for there, here in options.paths.items()}),
        tuple(options.places.items()) if gives_values else (),
        tuple(options.positions.items()) if gives_values else (),
    )


def _modules(project: Project) -> Hashable:
    return tuple((file.found.full, file.found.digest) for file in project.modules.files)


def _trees(project: Project) -> Hashable:
    return tuple((there, tree.full) for there, tree in project.mapped.items())


def _has_same_mine(first: Project, second: Project) -> bool:
    """Say whether the mine gives the same answers, since any minion's templates may read it."""
    if not any(minion.mine for fleet in (first.fleet, second.fleet) for minion in fleet):
        return True
    if first.fleet is second.fleet:
        return True
    pairs = zip(first.fleet, second.fleet, strict=False)
    return len(first.fleet) == len(second.fleet) and all(
        one.id == other.id and are_declared_alike(one, other) for one, other in pairs
    )


def is_same_data(one: Node, other: Node) -> bool:
    """Say whether two trees have the same data, including key order and types.

    Not recursive, so that no depth is too deep; nodes that both trees share are skipped.
    """
    rest: list[tuple[Node, Node]] = [(one, other)]
    while rest:
        left, right = rest.pop()
        if left is right:
            continue
        pairs = _inside(left, right)
        if pairs is None:
            return False
        rest += pairs
    return True


def _inside(left: Node, right: Node) -> list[tuple[Node, Node]] | None:
    """Return the members of two nodes in pairs; None if the two containers differ themselves."""
    if isinstance(left, MapNode) and isinstance(right, MapNode):
        keys = [list(map(canonical, node.items)) for node in (left, right)]
        pairs = zip(left.items.values(), right.items.values(), strict=False)
        return list(pairs) if keys[0] == keys[1] else None
    if isinstance(left, ListNode) and isinstance(right, ListNode):
        members = zip(left.items, right.items, strict=False)
        return list(members) if len(left.items) == len(right.items) else None
    if isinstance(left, Leaf) and isinstance(right, Leaf):
        return [] if canonical(left.value) == canonical(right.value) else None
    return None
