"""Finds errors that only follow from another error.

A missing file fails in each SLS that imports it. An environment without roots has no SLS. The keys
of a failing pillar SLS are missing, so the states that read them fail too; and then their IDs are
missing for other states' requisites.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pillarbook.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from pillarbook.model import Position

UNSEEN = ("sls", "file")
"""Missing things with unknown content, which may have set any key or ID."""
TOP = "the top file "
"""How messages about a top file begin: if it fails, all of its targets are missing."""
UNAVAILABLE = ("unavailable-ext-pillar", "sealed-sls", "git-crypt")
"""The rules for an external pillar without an answer and for encrypted files, which may have set
any key, too."""
WITHOUT_SLS = ("unknown-environment", "top-shape")
"""The rules for an environment without roots, where all SLS of a target are missing, and for a text
of which each character is taken for one."""
WITHOUT_TOP = "missing-top"
"""The rule for a pillar without a top file, which no missing folder can have."""
NO_FOLDER = ("missing-root", "option-type")
"""The rules for a missing folder (a warning if an environment has no other one), and for folders
that are not a list."""
MISSPELT_ROOTS = "write `pillar_roots`"
"""The remedy for a misspelt `pillar_roots`, without which there is no folder and no top file."""
SHAPES = ("sls-shape", "state-shape")
"""The rules for shapes that Salt does not accept."""
# Limits the time of a check: thousands of errors may each affect thousands of minions.
MAX_ASKED = 20
"""The most minions of an error whose other errors are read."""


def name_causes(
    diagnostics: Sequence[Diagnostic], mentions: Callable[[str, str], bool]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics; each that follows from another one names it.

    ``mentions`` says whether a file, named as in positions, contains a word.
    """
    if not any(one.missing or one.code in SHAPES for one in diagnostics):
        return tuple(diagnostics)
    found = _Errors(diagnostics, mentions)
    causes = {at: cause for at in found.errors if (cause := found.cause_of(at)) is not None}
    causes |= _causes_of_missing_tops(diagnostics)
    roots = [_root(at, causes) for at in range(len(diagnostics))]
    # The cause of a states error is an error: else a run with only follow-on errors would pass.
    costly = {root for at, root in enumerate(roots) if at != root}
    shown = [_raise(one) if at in costly else one for at, one in enumerate(diagnostics)]
    return tuple(
        one if root == at else replace(one, caused_by=shown[root])
        for at, (one, root) in enumerate(zip(shown, roots, strict=True))
    )


def _causes_of_missing_tops(diagnostics: Sequence[Diagnostic]) -> dict[int, int]:
    """Return a missing folder for each missing top file whose environments have no folder."""
    empty: dict[str, int] = {}
    for at, one in enumerate(diagnostics):
        path = one.path or ("",)
        of_roots = one.code in NO_FOLDER and path[0] == "pillar_roots"
        if of_roots and one.severity is Severity.WARNING:
            empty.setdefault(str(path[-1]), at)
    misspelt = [
        at
        for at, one in enumerate(diagnostics)
        if one.code == "option-type" and one.help == MISSPELT_ROOTS
    ]
    causes = {}
    for at, one in enumerate(diagnostics):
        if misspelt and one.code in (WITHOUT_TOP, "missing-root") and not one.path:
            causes[at] = misspelt[0]
            continue
        environments = one.missing[1].split(", ") if one.missing and one.code == WITHOUT_TOP else ()
        if environments and empty.keys() >= set(environments):
            causes[at] = empty[environments[0]]
    return causes


def _raise(one: Diagnostic) -> Diagnostic:
    is_warning = one.code in UNAVAILABLE and one.severity is Severity.WARNING
    return replace(one, severity=Severity.ERROR) if is_warning else one


class _Errors:
    """The errors among some diagnostics, by their indices."""

    def __init__(
        self, diagnostics: Sequence[Diagnostic], mentions: Callable[[str, str], bool]
    ) -> None:
        self._all = diagnostics
        self._mentions = mentions
        self.errors = [at for at, one in enumerate(diagnostics) if one.severity is Severity.ERROR]
        # By the missing file: the error with most minions is the cause of all other imports of that
        # file, because one row should name the one thing to fix (docs/decisions/0026).
        self._of_file: dict[tuple[str, str], int] = {}
        self._without_sls = {
            (diagnostics[at].position, diagnostics[at].of_states): at
            for at in self.errors
            if diagnostics[at].code in WITHOUT_SLS
        }
        # A state with a wrong shape gives one error when it is read, and one with all states.
        self._shapes: dict[Position | None, int] = {}
        self._of_minion: dict[str, list[int]] = {}
        unavailable = [at for at, one in enumerate(diagnostics) if one.code in UNAVAILABLE]
        for at in dict.fromkeys((*self.errors, *unavailable)):
            for minion in diagnostics[at].minions:
                self._of_minion.setdefault(minion, []).append(at)
        for at in self.errors:
            if diagnostics[at].code in SHAPES:
                self._shapes.setdefault(diagnostics[at].position, at)
            missing = diagnostics[at].missing
            if missing is not None and missing[0] == "file":
                first = self._of_file.setdefault(missing, at)
                if len(diagnostics[at].minions) > len(diagnostics[first].minions):
                    self._of_file[missing] = at

    def cause_of(self, at: int) -> int | None:
        """Return the likeliest cause of an error; None if it has none.

        Each of its minions has the cause, or another error that may be the cause.
        """
        missing = self._all[at].missing
        if missing is None:
            return self._shape_before(at)
        if missing[0] == "file":  # one of many imports of it is the cause of the others
            first = self._of_file[missing]
            return None if first == at else first
        if missing[0] == "sls":
            return self._without_sls.get((self._all[at].position, self._all[at].of_states))
        minions = set(self._all[at].minions)
        found = list(self._failing_files(at, *missing))
        left = minions.difference(*(self._all[one].minions for one in found))
        if left or not found:
            return None
        word = _word_of(missing)
        return max(
            found,
            key=lambda one: (
                word in self._all[one].message,  # the key `db` is rather in the SLS `secrets.db`
                len(minions.intersection(self._all[one].minions)),
            ),
        )

    def _shape_before(self, at: int) -> int | None:
        """Return another error about the shape of the same line, for the same minions."""
        one = self._all[at]
        first = self._shapes.get(one.position) if one.code in SHAPES and one.position else None
        if first is None or first == at or set(one.minions) - set(self._all[first].minions):
            return None
        return first

    def _failing_files(self, at: int, kind: str, name: str) -> Iterator[int]:
        """Yield the errors of files that would have set the missing key, the likeliest first."""
        if kind not in ("key", "id") or not self._all[at].of_states:
            return
        word = _word_of((kind, name))
        asked = self._all[at].minions[:MAX_ASKED]
        near = [
            one
            for one in dict.fromkeys(one for name in asked for one in self._of_minion[name])
            if one != at and self._all[one].of_states == (kind == "id")
        ]
        for one in near:
            position = self._all[one].position
            if position is not None and self._mentions(position.file, word):
                yield one
        yield from (one for one in near if self._may_set_any_key(one))

    def _may_set_any_key(self, at: int) -> bool:
        one = self._all[at]
        is_unseen = (one.missing or ("",))[0] in UNSEEN
        return one.code in UNAVAILABLE or is_unseen or one.message.startswith(TOP)


def _word_of(missing: tuple[str, str]) -> str:
    """Return the word that a file which would have set the key, or declared the ID, contains."""
    kind, name = missing
    return name.partition(":")[0] if kind == "key" else name


def _root(at: int, causes: Mapping[int, int]) -> int:
    """Return the first cause of an error; errors that follow from each other have none."""
    seen = {at}
    while at in causes:
        at = causes[at]
        if at in seen:
            return min(seen)
        seen.add(at)
    return at
