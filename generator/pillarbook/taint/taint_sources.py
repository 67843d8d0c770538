"""The secrets that a minion's compile could read, by name, and which of them a value is made of."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue
from pillarbook.inventory.declared_functions import DeclaredFunction
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, Node, format_path
from pillarbook.redact.placeholders import (
    Choice,
    Secret,
    SecretPlaceholders,
    identify,
    is_ciphertext,
)
from pillarbook.redact.secret_search import SecretSearch
from pillarbook.taint.gather_sources import SourceGathering, TaintSource
from pillarbook.taint.opened_secrets import find_opened
from pillarbook.taint.taint_readers import (
    MINE,
    SECRET_MODULES,
    TaintReaders,
    included_secrets,
)
from pillarbook.taint.tree_differences import (
    DifferenceKind,
    TreeDifference,
    TreeDifferences,
    place_of,
)
from pillarbook.taint.written_secrets import Written

MAX_NAMED = 3
"""Roots that are named; what is made of more is made of ``others``, too."""
MAX_SEARCHES = 64
"""Searches for the secrets of minions that are kept; minions that are alike have one."""
# Halving finds one secret of 65,536 in so many steps; if several are at work, all that are left are
# named (docs/decisions/0015).
MAX_TRIALS = 16
"""Compiles that are spent on finding out which of several secrets a minion's values are made of."""


Trial = Callable[[Choice], TreeDifferences]
"""Compiles with some secrets replaced, and says what differs."""


@dataclass(frozen=True, slots=True)
class TaintSources:
    """What one value is derived from."""

    roots: tuple[TaintSource, ...]
    """The secrets, in a fixed order."""
    certain: bool
    """Whether it is each of them; else it is one or more of them."""

    @property
    def names(self) -> str:
        """The names of the secrets: ``a``, ``a and b``, ``a, b, c and others``."""
        names = list(dict.fromkeys(root.name for root in self.roots))
        if len(names) > MAX_NAMED:
            return f"{', '.join(names[:MAX_NAMED])} {self._joint} others"
        return (
            f" {self._joint} ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
        )

    @property
    def _joint(self) -> str:
        return "and" if self.certain else "or"

    @property
    def sealed(self) -> bool:
        """Whether all of them are ciphertext."""
        return all(root.sealed for root in self.roots)

    @property
    def is_text(self) -> bool:
        """Whether all of them are plain text of the tree."""
        return all(root.is_text is True for root in self.roots)

    @property
    def _bare_names(self) -> str:
        return self.names.replace("`", "")

    @property
    def words(self) -> str:
        """Why a value that is derived from them is secret."""
        if not self.sealed:
            return f"derived from {self._bare_names}"
        which = "which is" if len(self.roots) == 1 else "which are"
        return f"depends on the ciphertext of {self._bare_names}, {which} sealed"


def find_roots(  # noqa: PLR0913, PLR0917 (wherever secrets may come from)
    compiled: CompiledPillar,
    minion: Minion,
    project: Project,
    taint_readers: TaintReaders,
    trial: CompiledPillar,
    placeholders: SecretPlaceholders,
    opened: Mapping[KeyPath, Secret],
    written: Written,
    computed: TreeDifferences,
) -> tuple[TaintSource, ...]:
    """Return the secrets that the readers of a minion's compile may have been shown.

    Args:
        compiled: The compile.
        minion: The minion.
        project: What it was compiled with.
        taint_readers: Says what is secret.
        trial: A compile of it with placeholders, which may have recorded reads.
        placeholders: The placeholders of that compile.
        opened: The secrets that are in the compiled tree as they were decrypted.
        written: Literals of templates that hold a secret, with its text and path.
        computed: What is made of other secrets, and secret by its name as well.

    Returns:
        Those first that the recorded reads ask for.
    """
    made = {(one.path, identify(one.node.value)) for one in computed if isinstance(one.node, Leaf)}
    gathering = SourceGathering(project.decryptor.sealed, trial, made)
    for path, leaf in taint_readers.secrets_below(compiled.tree):
        if path in opened or is_ciphertext(leaf.value):
            gathering.add_leaf(path, leaf, opened)
    for tree, other in zip_longest(trees_read(compiled), trees_read(trial)):
        known = find_opened(tree, other, placeholders) if tree and other else {}
        for path, leaf in taint_readers.secrets_below(tree) if tree else ():
            gathering.add_leaf(path, leaf, known)
    gathering.add_held(written, _held(compiled, trial))
    for path, value in taint_readers.secret_data(minion.grains):
        gathering.add(value, f"the grain `{format_path(path)}`", grain=path)
    for name, value in _told(compiled, project, taint_readers):
        gathering.add(value, name)
    return gathering.finish(others=shows_decrypted(compiled))


def trees_read(compiled: CompiledPillar) -> Iterable[Node]:
    """Return the trees that readers could read, and what they read of their own."""
    readers = compiled.readers
    if not readers.external and readers.shown is None:
        return ()
    own = compiled.beside if readers.external else ()
    return filter(None, (readers.shown, *readers.external, *own))


def _told(
    compiled: CompiledPillar, project: Project, taint_readers: TaintReaders
) -> Iterable[tuple[str, Any]]:
    """Yield the secrets that functions may have answered, each with a name."""
    asked = compiled.readers.functions.union(*(one.functions for one in compiled.renders))
    for name in sorted(asked & project.functions.keys()):
        for value in secret_answers(name, project.functions[name], taint_readers):
            yield f"the answer of `{name}`", value
    for result in compiled.renders:
        for path, leaf in included_secrets(result, taint_readers):
            last = format_path(path[path.index("defaults") + 1 :] if "defaults" in path else path)
            yield f"the default `{last}` of an include", leaf.value
    for other in project.fleet if asked & MINE else ():
        for path, value in taint_readers.secret_data(other.mine):
            yield f"the mine's `{format_path(path)}`", value


def _held(compiled: CompiledPillar, trial: CompiledPillar) -> Iterable[NamedValue]:
    """Yield the secrets that templates hold.

    Of what they computed, it is what was no placeholder in a compile with placeholders; the rest
    was made of other secrets.
    """
    yield from (one for one in compiled.named if not (one.is_computed or one.is_text))
    yield from (one for one in trial.named if one.is_computed)


def shows_decrypted(compiled: CompiledPillar) -> bool:
    """Say whether templates saw what was decrypted while a file rendered."""
    return compiled.readers.decrypted or any(result.decrypted for result in compiled.renders)


def secret_answers(
    name: str, declared: DeclaredFunction, taint_readers: TaintReaders
) -> Iterable[Any]:
    """Yield the secrets among the answers that are declared of a function."""
    for answer in _answers(declared):
        if name.partition(".")[0] in SECRET_MODULES:
            yield from _scalars(answer)
        else:
            yield from (value for _, value in taint_readers.secret_data(answer, (name,)))


def _answers(declared: DeclaredFunction) -> Iterable[Any]:
    for answers in [declared.for_all, *(given for _, given in declared.by_id or ())]:
        yield from answers.answers
        yield from (call.answer for call in answers.calls)


def _scalars(data: Any) -> Iterable[Any]:
    if isinstance(data, Mapping):
        for item in data.values():
            yield from _scalars(item)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _scalars(item)
    elif data not in (None, ""):
        yield data


def attribute(
    found: Sequence[TreeDifference], roots: Sequence[TaintSource], trial: Trial
) -> dict[TreeDifference, TaintSources]:
    """Return which secrets each difference comes from.

    A value that holds the text of one secret is made of that; it is left out if that secret is
    looked for anyway. Else secrets are replaced in halves, and halves of halves, to see what
    differs then.
    """
    made: dict[TreeDifference, TaintSources] = {}
    unknown, several = [], []
    for one in found:
        held = _held_in(one, roots)
        if any(root.is_looked_for for root in held):
            continue  # the redaction finds it
        if not held:
            unknown.append(one)
        elif len(held) == 1:
            made[one] = TaintSources(held, certain=True)
        else:
            several.append((one, held))
    made.update(_tell_apart(several, roots, trial))
    if unknown:
        by_place = _Search(roots, trial).run(unknown)
        made.update((one, by_place[place_of(one)]) for one in unknown)
    return made


def _tell_apart(
    found: Sequence[tuple[TreeDifference, tuple[TaintSource, ...]]],
    roots: Sequence[TaintSource],
    trial: Trial,
) -> Iterable[tuple[TreeDifference, TaintSources]]:
    """Yield which secrets values are made of that hold the texts of several.

    One of them may be a guess that somebody added. To name it because its text is right would tell
    him so, and compiles show which of them a value is made of.
    """
    if not found:
        return
    every = tuple(root for root in roots if any(root in held for _, held in found))
    search = _Search(every, trial, known=roots).run(one for one, _ in found)
    for one, held in found:
        made = search[place_of(one)]
        named = tuple(root for root in made.roots if root in held)
        yield one, TaintSources(named or held, certain=made.certain and bool(named))


def _held_in(found: TreeDifference, roots: Sequence[TaintSource]) -> tuple[TaintSource, ...]:
    """Return the secrets whose texts are in a value."""
    origin = found.origin
    value = found.node.value if isinstance(found.node, Leaf) else None
    if found.kind is DifferenceKind.OVERRIDDEN and origin is not None:
        value = origin.value
    if found.kind is DifferenceKind.BEYOND or not isinstance(value, str):
        return ()
    roots = [root for root in roots if root.path != found.path]  # it is not made of itself
    held = tuple(root for root in roots if root.text is not None and root.text in value)
    if held or len(roots) == 1:
        return held
    search = _search_for(tuple(root.text for root in roots))
    places = {hit.secret_id for hit in search.find(value.encode("utf-8", "surrogatepass"))}
    texts = {roots[number].text for number in places}
    return tuple(root for root in roots if root.text in texts)


# Kept by the clear texts themselves, so alike minions share an automaton. It is small because each
# entry holds secrets in all their forms.
@lru_cache(maxsize=MAX_SEARCHES)
def _search_for(texts: tuple[str | None, ...]) -> SecretSearch:
    """Return what finds some texts in every form."""
    return SecretSearch.of((number, text) for number, text in enumerate(texts) if text is not None)


class _Search:
    """Halves the secrets until each difference has its own."""

    def __init__(
        self, roots: Sequence[TaintSource], trial: Trial, known: Sequence[TaintSource] = ()
    ) -> None:
        everything = known or roots
        self._known = frozenset(root.secret for root in everything if root.secret is not None)
        self._roots = roots
        self._trial = trial
        self._left = MAX_TRIALS
        self._made: dict[Hashable, TaintSources] = {}

    def run(self, found: Iterable[TreeDifference]) -> dict[Hashable, TaintSources]:
        """Return the secrets of each place."""
        self._split(self._roots, dict.fromkeys(map(place_of, found)))
        return self._made

    def _split(self, roots: Sequence[TaintSource], places: dict[Hashable, None]) -> None:
        if not places:
            return
        if len(roots) == 1 or self._left <= 0:
            self._give(roots, places)
            return
        asked = sum(root.asked for root in roots)
        # Recorded reads are a hint where to begin, never a proof: without the memo there are none,
        # and the result has to be the same.
        is_by_reads = 0 < asked < len(roots)
        middle = asked if is_by_reads else (len(roots) + 1) // 2
        halves = roots[:middle], roots[middle:]
        found = [self._find_with(halves[0]), set()]
        if not is_by_reads or not places.keys() <= found[0]:
            found[1] = self._find_with(halves[1])
        for half, there in zip(halves, found, strict=True):
            self._split(half, {place: None for place in places if place in there})
        # What differs with neither half alone is made of secrets of both.
        only_together = places.keys() - found[0] - found[1]
        self._give(roots, [place for place in places if place in only_together])

    def _find_with(self, roots: Sequence[TaintSource]) -> set[Hashable]:
        self._left -= 1
        return set(map(place_of, self._trial(self._choice(roots))))

    def _give(self, roots: Sequence[TaintSource], places: Iterable[Hashable]) -> None:
        """Note that places come from some secrets, besides those that they are known to be from."""
        for place in places:
            before = self._made.get(place)
            given = (*(before.roots if before else ()), *roots)
            certain = len(roots) == 1 and (before is None or before.certain)
            in_order = tuple(root for root in self._roots if root in given)
            self._made[place] = TaintSources(in_order, certain=certain)

    def _choice(self, roots: Sequence[TaintSource]) -> Choice:
        chosen = frozenset(root.secret for root in roots if root.secret is not None)
        return Choice(chosen, self._known, others=any(root.secret is None for root in roots))
