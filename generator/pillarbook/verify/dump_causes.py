"""The reasons for which a minion's dump may differ, from the findings of the compile."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import KeyPath, Leaf, Node, all_origins, format_path
from pillarbook.verify.dump_differences import ERRORS, Comparison
from pillarbook.verify.inventory_changes import InventoryChange

MAX_NAMED = 8
"""The most grains and files that a possible reason names."""
Certainty: TypeAlias = Literal["proven", "likely", "possible"]
TELLING = frozenset(
    (
        "cannot-decrypt",
        "ext-pillar-error",
        "git-crypt",
        "limit-exceeded",
        "missing-grain",
        "outside-reach",
        "sealed-sls",
        "unavailable-ext-pillar",
        "undeclared-clock",
        "undeclared-function",
        "undecryptable",
        "unsupported-renderer",
    )
)
"""Diagnostics of something that a live master has and this compile lacks."""
OF_THE_TREE = frozenset(("missing-root", "needs-trust", "outside-reach", "unreadable-file"))
"""Diagnostics of no minion, which may be the reason for any minion."""


@dataclass(frozen=True, slots=True, eq=False)
class DumpCause:
    """One reason why a minion's dump differs."""

    code: str
    """The kind of reason: ``declaration`` for something in the inventory, the code of a diagnostic,
    ``function``, ``errors in the dump``, ``grains``, ``files``."""
    certainty: Certainty
    """``proven``: if fixed, nothing would differ; ``likely``: less would, or a diagnostic
    reports it; ``possible``: the differing values depend on it."""
    words: str = ""
    """The reason as a sentence without values; empty if ``changes`` has it."""
    changes: tuple[InventoryChange, ...] = ()
    """The necessary changes of the declarations."""
    at: str | None = None
    """The file and line of the cause."""

    @property
    def key(self) -> Hashable:
        """A key that equal causes of several minions share."""
        changes = tuple(change.key for change in self.changes)
        return self.code, self.certainty, self.words, changes, self.at


def causes_by_diagnostics(
    diagnostics: Sequence[Diagnostic], comparison: Comparison
) -> Iterable[DumpCause]:
    """Yield the causes that the diagnostics of a minion name."""
    errors_here = any(
        one.path == (ERRORS,) and one.kind == "only here" for one in comparison.differences
    )
    for one in diagnostics:
        is_error = one.severity is Severity.ERROR
        if is_error and comparison.has_same_errors:
            continue  # the master has it too
        if one.code in TELLING or (is_error and errors_here):
            yield cause_of(one, "likely")
    if any(
        one.path == (ERRORS,) and one.kind == "only in the dump" for one in comparison.differences
    ):
        yield DumpCause(
            "errors in the dump",
            "likely",
            "an SLS did not render on the master: the dump has `_errors`, and there are none here",
        )


def cause_of(diagnostic: Diagnostic, certainty: Certainty) -> DumpCause:
    """Return a diagnostic as a cause."""
    place = diagnostic.position
    return DumpCause(
        diagnostic.code, certainty, diagnostic.message, at=str(place) if place else None
    )


def possible_causes(
    grains: Sequence[KeyPath], comparison: Comparison, inventory: str
) -> Iterator[DumpCause]:
    """Yield possible causes if there is no evidence for one."""
    if grains:
        names = ", ".join(f"'{format_path(path)}'" for path in grains[:MAX_NAMED])
        which = f"the grain {names}" if len(grains) == 1 else f"one of the grains {names}"
        words = f"{which} may have another value on the master; the different values depend on it"
        yield DumpCause("grains", "possible", words)
    files = dict.fromkeys(
        file for one in comparison.differences if one.ours is not None for file in _files(one.ours)
    )
    if inventory in files:
        del files[inventory]
        words = f"{inventory} declares a `pillar` that sets different values; a master has none"
        yield DumpCause("pillar", "possible", words)
    elif not files:
        words = "no file here sets what only the dump has; the master may have more files"
        yield DumpCause("files", "possible", words)
    if files:
        named = ", ".join(list(files)[:MAX_NAMED])
        yield DumpCause("files", "possible", f"the master may have another version of {named}")


def _files(node: Node) -> Iterator[str]:
    """Yield the files that set a part of a pillar."""
    if isinstance(node, Leaf):
        yield from (origin.file for origin in node.origins[-1:])
        return
    yield from (origin.file for origin in all_origins(node))
