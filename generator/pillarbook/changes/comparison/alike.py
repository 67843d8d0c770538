"""Whether two runs have in common what no minion's own reads tell of."""

from collections.abc import Hashable

from pillarbook.compile.project import Project
from pillarbook.compile.reads import fingerprint
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion


def are_alike(first: Project, second: Project) -> bool:
    """Say whether two runs differ in nothing but files and minions.

    Code of the tree may read what it likes, and so it may where there is no memo.
    """
    if not (first.memo and second.memo) or first.modules.python or second.modules.python:
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
    """Say whether a minion is declared alike, but for the line at which it begins.

    That line counts where values come from it.
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
    """Return what stands for a master's options; where they stand counts where values come so."""
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
    """Say whether the mine answers alike: any minion's templates may ask it."""
    if not any(minion.mine for fleet in (first.fleet, second.fleet) for minion in fleet):
        return True
    if first.fleet is second.fleet:
        return True
    pairs = zip(first.fleet, second.fleet, strict=False)
    return len(first.fleet) == len(second.fleet) and all(
        one.id == other.id and are_declared_alike(one, other) for one, other in pairs
    )
