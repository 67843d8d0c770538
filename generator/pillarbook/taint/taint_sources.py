"""The secrets that a minion's compile could read, and which of them each value is derived from."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.project import Project
from pillarbook.compile.renderers.jinja.functions.declared_answers import choose_answers
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, Node, format_path
from pillarbook.redact.placeholders import (
    Choice,
    Secret,
    SecretPlaceholders,
    identify,
    is_ciphertext,
)
from pillarbook.taint.gather_sources import SourceGathering, TaintSource
from pillarbook.taint.opened_secrets import find_opened
from pillarbook.taint.placeholder_copies import PlaceholderCopies, TextSearches
from pillarbook.taint.secret_answers import secrets_among
from pillarbook.taint.taint_readers import MINE, TaintReaders, included_secrets
from pillarbook.taint.tree_differences import (
    DifferenceKind,
    TreeDifference,
    TreeDifferences,
    place_of,
)
from pillarbook.taint.written_secrets import Written

MAX_NAMED = 3
"""The most secrets that a reason names; for more, it says ``others``."""
# Halving finds one of 65,536 secrets in so many steps; if a value has several, all that are left
# are named (docs/decisions/0015).
MAX_TRIALS = 16
"""The most compiles that find out which secrets the values of one minion are derived from."""


Trial = Callable[[Choice], TreeDifferences]
"""Compiles with some secrets replaced, and returns the differences."""


@dataclass(frozen=True, slots=True)
class TaintSources:
    """The secrets that one value is derived from."""

    roots: tuple[TaintSource, ...]
    """The secrets, in a fixed order."""
    certain: bool
    """Whether the value depends on each of them; if not, on at least one."""

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
        """The reason why a derived value is secret."""
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
    """Return the secrets that readers in a minion's compile may have read.

    Those that the recorded reads include come first. ``trial`` is a compile with ``placeholders``,
    which may have recorded reads. ``opened`` are the decrypted secrets in the compiled tree.
    ``written`` are literals of templates that contain a secret, with its text and path.
    ``computed`` are values that are computed from other secrets, and secret by their key as well.
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
    for name, value in _told(compiled, minion, project, taint_readers):
        gathering.add(value, name)
    return gathering.finish(others=shows_decrypted(compiled))


def trees_read(compiled: CompiledPillar) -> Iterable[Node]:
    """Return the trees that readers could read, and the data that external pillars read."""
    readers = compiled.readers
    if not readers.external and readers.shown is None:
        return ()
    own = compiled.beside if readers.external else ()
    return filter(None, (readers.shown, *readers.external, *own))


def _told(
    compiled: CompiledPillar, minion: Minion, project: Project, taint_readers: TaintReaders
) -> Iterable[tuple[str, Any]]:
    """Yield the secrets that functions may have returned, and options, each with a name."""
    options = (project.options.values, minion.opts)
    for path, value in chain.from_iterable(map(taint_readers.secret_data, options)):
        yield f"the option `{format_path(path)}`", value
    asked = compiled.readers.functions.union(*(one.functions for one in compiled.renders))
    for name in sorted(asked & project.functions.keys()):
        given = choose_answers(
            project.functions[name], lambda glob: match_id("glob", glob, compiled.minion)
        )
        for value in secrets_among(name, given, taint_readers):
            yield f"the answer of `{name}`", value
    for result in compiled.renders:
        for path, leaf in included_secrets(result, taint_readers):
            last = format_path(path[path.index("defaults") + 1 :] if "defaults" in path else path)
            yield f"the default `{last}` of an include", leaf.value
    for other in project.fleet if asked & MINE else ():
        for path, value in taint_readers.secret_data(other.mine):
            yield f"the mine's `{format_path(path)}`", value


def _held(compiled: CompiledPillar, trial: CompiledPillar) -> Iterable[NamedValue]:
    """Yield the secrets in templates.

    Of computed values, only those that are no placeholder in the compile with placeholders count;
    the others are computed from other secrets.
    """
    yield from (one for one in compiled.named if not (one.is_computed or one.is_text))
    yield from (one for one in trial.named if one.is_computed)


def shows_decrypted(compiled: CompiledPillar) -> bool:
    """Say whether templates read values that were decrypted in the same render."""
    return compiled.readers.decrypted or any(result.decrypted for result in compiled.renders)


def attribute(
    found: Sequence[TreeDifference],
    roots: Sequence[TaintSource],
    trial: Trial,
    copies: PlaceholderCopies,
) -> dict[TreeDifference, TaintSources]:
    """Return the secrets that each difference is derived from.

    A value that contains the text of one secret is derived from that secret; it is left out if the
    search for copies finds it anyway. For other values, one half of the secrets is replaced, then
    one half of a half, and so on, to see which secrets cause the difference.
    """
    made: dict[TreeDifference, TaintSources] = {}
    unknown, several = [], []
    single: dict[TaintSource, list[TreeDifference]] = {}
    for one in found:
        held = _held_in(one, roots, copies.searches)
        if any(root.is_looked_for for root in held):
            continue  # the search for copies redacts it
        printed = () if len(held) == 1 else _printed_in(one, held, roots, copies)
        if printed:
            made[one] = TaintSources(printed, certain=True)
        elif not held:
            unknown.append(one)
        elif len(held) == 1:
            single.setdefault(held[0], []).append(one)
        else:
            several.append((one, held))
    for root, some in single.items():
        proven = _prove(root, some, roots, trial, copies)
        made.update((one, TaintSources((root,), certain=True)) for one in proven)
        unknown += [one for one in some if one not in made]
    made.update(_tell_apart(several, roots, trial))
    if unknown:
        by_place = _Search(roots, trial).run(unknown)
        made.update((one, by_place[place_of(one)]) for one in unknown)
    return made


def _prove(
    root: TaintSource,
    found: Sequence[TreeDifference],
    roots: Sequence[TaintSource],
    trial: Trial,
    copies: PlaceholderCopies,
) -> Sequence[TreeDifference]:
    """Return the values that are derived from the secret whose text they contain.

    If the secret is a guess that somebody has added, a value may contain its text and be derived
    from another secret. A reason that names the guess would show that it is right. So the value
    with placeholders must contain that of the secret, or else a compile decides.
    """
    if not any(one.is_text is not True and not one.sealed for one in roots if one != root):
        return found  # who can write to the tree knows the other secrets, too
    left = [one for one in found if not copies.holds(one, root)]
    there = _Search((root,), trial, known=roots).find_with((root,)) if left else ()
    return [one for one in found if one not in left or place_of(one) in there]


def _tell_apart(
    found: Sequence[tuple[TreeDifference, tuple[TaintSource, ...]]],
    roots: Sequence[TaintSource],
    trial: Trial,
) -> Iterable[tuple[TreeDifference, TaintSources]]:
    """Yield the secrets for values that contain the texts of several secrets.

    One of the secrets may be a guess that somebody has added. A reason that names it because of its
    text would show that the guess is right, so compiles decide which secret it is.
    """
    if not found:
        return
    every = tuple(root for root in roots if any(root in held for _, held in found))
    search = _Search(every, trial, known=roots).run(one for one, _ in found)
    for one, held in found:
        made = search[place_of(one)]
        named = tuple(root for root in made.roots if root in held)
        yield one, TaintSources(named or held, certain=made.certain and bool(named))


def _held_in(
    found: TreeDifference, roots: Sequence[TaintSource], searches: TextSearches
) -> tuple[TaintSource, ...]:
    """Return the secrets whose texts are in a value."""
    origin = found.origin
    value = found.node.value if isinstance(found.node, Leaf) else None
    if found.kind is DifferenceKind.OVERRIDDEN and origin is not None:
        value = origin.value
    if found.kind is DifferenceKind.BEYOND or not isinstance(value, str):
        return ()
    # a secret is not derived from itself
    roots = [root for root in roots if root.path != found.path]
    held = tuple(root for root in roots if root.text is not None and root.text in value)
    if held or len(roots) == 1:
        return held
    search = searches.search_for(tuple(root.text for root in roots))
    places = {hit.secret_id for hit in search.find(value.encode("utf-8", "surrogatepass"))}
    texts = {roots[number].text for number in places}
    return tuple(root for root in roots if root.text in texts)


def _printed_in(
    found: TreeDifference,
    held: tuple[TaintSource, ...],
    roots: Sequence[TaintSource],
    copies: PlaceholderCopies,
) -> tuple[TaintSource, ...]:
    """Return the secrets that a value contains; none if only compiles can tell.

    The text of a secret may be there by chance, so its placeholder must be in the other compile.
    """
    if held:
        return held if all(copies.holds(found, root) for root in held) else ()
    value = found.node.value if isinstance(found.node, Leaf) else None
    if not isinstance(value, str):
        return ()
    return tuple(
        root
        for root in roots
        if root.written and root.written in value and root.path != found.path
        if copies.holds(found, root)
    )


class _Search:
    """Halves the set of secrets until it is known which of them cause each difference."""

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
        """Return the secrets of each difference, by ``place_of``."""
        self._split(self._roots, dict.fromkeys(map(place_of, found)))
        return self._made

    def _split(self, roots: Sequence[TaintSource], places: dict[Hashable, None]) -> None:
        if not places:
            return
        if len(roots) == 1 or self._left <= 0:
            self._give(roots, places)
            return
        asked = sum(root.asked for root in roots)
        # Recorded reads only decide where to begin: a compile without the memo has none, and the
        # result must be the same.
        is_by_reads = 0 < asked < len(roots)
        middle = asked if is_by_reads else (len(roots) + 1) // 2
        halves = roots[:middle], roots[middle:]
        found = [self.find_with(halves[0]), set()]
        if not is_by_reads or not places.keys() <= found[0]:
            found[1] = self.find_with(halves[1])
        for half, there in zip(halves, found, strict=True):
            self._split(half, {place: None for place in places if place in there})
        # A place that differs with neither half alone is derived from secrets of both halves.
        only_together = places.keys() - found[0] - found[1]
        self._give(roots, [place for place in places if place in only_together])

    def find_with(self, roots: Sequence[TaintSource]) -> set[Hashable]:
        """Return the places that differ if only these secrets are replaced."""
        self._left -= 1
        return set(map(place_of, self._trial(self._choice(roots))))

    def _give(self, roots: Sequence[TaintSource], places: Iterable[Hashable]) -> None:
        """Note that the values at some places are derived from these secrets as well."""
        for place in places:
            before = self._made.get(place)
            given = (*(before.roots if before else ()), *roots)
            certain = len(roots) == 1 and (before is None or before.certain)
            in_order = tuple(root for root in self._roots if root in given)
            self._made[place] = TaintSources(in_order, certain=certain)

    def _choice(self, roots: Sequence[TaintSource]) -> Choice:
        chosen = frozenset(root.secret for root in roots if root.secret is not None)
        others = any(root.secret is None for root in roots)
        # Which others are known counts only if these are replaced. Without them, minions with other
        # secrets of their own share the compile.
        return Choice(chosen, self._known if others else frozenset(), others=others)
