"""Changes that each minion has by a line of its own: one edit of ``hosts/web1.sls`` and others."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from pillarbook.compare.atoms import Atom
from pillarbook.compare.fold import fold_path
from pillarbook.compare.strict import Fingerprints
from pillarbook.redact import Redacted
from pillarbook.report.own_keys import FEWEST_KEYS, ByValues, are_own, join_values
from pillarbook.report.usual_values import find_names, find_shape, names_of


def join_own_lines(groups: Iterable[ByValues], prints: Fingerprints) -> list[ByValues]:
    """Return the atoms by place, where places are one that do the same to a minion each.

    They change a key of the same name, or with the minion's name in it, to the same effect.
    """
    found = [*groups]
    by_path: dict[Hashable, list[int]] = defaultdict(list)
    for number, by_values in enumerate(found):
        atom = _find_own(by_values)
        if atom is not None:
            by_path[_find_path(atom)].append(number)
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for path, numbers in by_path.items():
        for number in numbers if len(numbers) >= FEWEST_KEYS else ():
            ((atom,),) = found[number].values()
            alike[path, _find_effect(atom, prints)].append(number)
    joined = {
        numbers[0]: numbers
        for numbers in alike.values()
        if len(numbers) >= FEWEST_KEYS and are_own([found[number] for number in numbers])
    }
    taken = {number for numbers in joined.values() for number in numbers}
    return [
        join_values([found[one] for one in joined[number]]) if number in joined else by_values
        for number, by_values in enumerate(found)
        if number in joined or number not in taken
    ]


def _find_own(by_values: ByValues) -> Atom | None:
    """Return the only atom of a place if it is of one minion, for a known cause."""
    atoms: Sequence[Atom] = [atom for some in by_values.values() for atom in some]
    is_own = len(atoms) == 1 and len(atoms[0].minions) == 1 and atoms[0].because
    return atoms[0] if is_own and atoms[0].change.kind != "moved" else None


def _find_path(atom: Atom) -> Hashable:
    names = find_names(*names_of(atom.minions))
    path = fold_path(atom.change)
    return atom.change.kind, tuple(
        ("named", names.sub("\0", key)) if isinstance(key, str) else (type(key), key)
        for key in path
    )


def _find_effect(atom: Atom, prints: Fingerprints) -> Hashable:
    """Return what an atom does; nobody sees what it does to a secret, and any loss is a loss."""
    change = atom.change
    if change.kind == "removed" and len(change.path) - 1 not in change.positions:
        return change.kind
    if isinstance(change.before, Redacted) and isinstance(change.after, Redacted):
        return Redacted
    return find_shape(change, names_of(atom.minions), prints)
