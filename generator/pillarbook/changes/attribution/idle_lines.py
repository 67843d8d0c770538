"""Changed lines without an effect, and why; those of which nobody knows are told apart."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pillarbook.changes.attribution.changed_files import declared_files
from pillarbook.changes.attribution.find_causes import ChangeCause, Hunks
from pillarbook.changes.attribution.hunk_trials import (
    AffectedMinion,
    HunkTrials,
    TooManyTrialsError,
)
from pillarbook.changes.attribution.hunks import (
    ChangedFile,
    Hunk,
    describe_invisible,
    holds,
    line_of,
)
from pillarbook.changes.comparison import Sides
from pillarbook.compare.diff import Idle
from pillarbook.compare.outcomes import FAILING
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import format_path
from pillarbook.model.phrases import list_some
from pillarbook.model.unknown import Unknown
from pillarbook.roots.no_links import SITE_MARK

UNREAD = "no minion reads it"
NO_DIFFERENCE = "it changes no pillar"
HIDDEN = "its minions newly fail"
SAME = "minions read it, but their pillars stay the same"
IN_PART = {
    NO_DIFFERENCE: "it changes no compared pillar",
    SAME: "compared minions read it, but their pillars stay the same",
}
"""The notes if only some minions are compared."""
# For each hunk, all values of their pillars are searched.
MAX_ASKED = 30
"""The most minions whose pillars are searched for the reason why lines of the base have no
effect."""
MAX_SHOWN = 5
"""Lines that a note names before it counts the others."""
FEW_FILES = 8
"""Files that are tried one by one."""


def find_idle(
    trials: HunkTrials, hunks: Sequence[Hunk], causes: Mapping[int, ChangeCause]
) -> list[tuple[Hunk, bool]]:
    """Return the hunks that change nothing for any minion, and whether any minion reads them."""
    cited = {hunk for cause in causes.values() for hunk in cause.hunks}
    found: dict[Hunk, bool] = {}
    rest: dict[str, list[Hunk]] = {}
    try:
        whole = [one for one in hunks if one not in cited and (0, 0) in (one.base, one.head)]
        found |= dict.fromkeys(_find_unread(trials, whole), False)
        for hunk in hunks:
            if hunk in cited or hunk in found:
                continue
            if _is_idle(trials, frozenset((hunk,))):
                found[hunk] = bool(trials.without((hunk,)))
            else:
                rest.setdefault(hunk.shown, []).append(hunk)
        # `{% if %}` without its `{% endif %}` fails, so such hunks are idle only together.
        for some in rest.values():
            if len(some) > 1 and _is_idle(trials, frozenset(some)):
                found |= dict.fromkeys(some, bool(trials.without(some)))
    except TooManyTrialsError:
        pass
    return [(hunk, found[hunk]) for hunk in hunks if hunk in found]


def _find_unread(trials: HunkTrials, files: Sequence[Hunk]) -> Iterator[Hunk]:
    """Yield whole files that no minion reads, many in one trial: a commit may move a folder."""
    if len(files) <= FEW_FILES:
        return
    if not trials.touches_any(files):
        yield from files
        return
    half = len(files) // 2
    yield from _find_unread(trials, files[:half])
    yield from _find_unread(trials, files[half:])


def _is_idle(trials: HunkTrials, some: Hunks) -> bool:
    seen = trials.without(some)
    return some not in trials.other_fleets and not any(one.differs for one in seen.values())


def find_hidden(
    files: Sequence[ChangedFile],
    idle: Iterable[tuple[Hunk, bool]],
    affected: Sequence[AffectedMinion],
) -> list[Hunk]:
    """Return the hunks whose values may have become part of an unknown value.

    A mapping that is merged with an unknown value is unknown as a whole, so all lines of the file
    that sets it count, and all lines of the files that its template reads.
    """
    texts = {file.file: file for file in files}
    asked = [
        hunk for hunk, is_read in idle if is_read and not describe_invisible(hunk, texts[hunk.file])
    ]
    if not asked:
        return []
    hiding = frozenset(path for one in affected for path in _read_for_unknown(one))
    return [hunk for hunk in asked if any(hunk.file.as_posix().endswith(one) for one in hiding)]


def _read_for_unknown(minion: AffectedMinion) -> Iterator[str]:
    """Yield the ends of the paths of all files that values which are unknown depend on."""
    unknown = {
        origin.file
        for pillar in (minion.before, minion.after)
        for leaf in (pillar.leaves if pillar else ())
        if isinstance(leaf.value, Unknown)
        for origin in leaf.origins
    }
    for compiled in (minion.base, minion.head) if unknown else ():
        for render in compiled.renders if compiled else ():
            ends = [f"/{read.path}" for read in render.files]
            if any(f"/{file}".endswith(end) for file in unknown for end in ends):
                yield from ends


def describe_hidden(hidden: Sequence[Hunk]) -> Iterator[str]:
    """Yield the sentence about hunks whose values nobody knows."""
    if hidden:
        lines = (line_of(hunk) for hunk in hidden)
        shown = [f"{one.file}:{one.line}{' (before)' * (one.side == 'base')}" for one in lines]
        yield (
            "changed lines that may change unknown values, which are not compared:"
            f" {list_some(shown, MAX_SHOWN, str)}"
        )


def describe_idle(
    sides: Sides,
    files: Sequence[ChangedFile],
    idle: Iterable[tuple[Hunk, bool]],
    affected: Sequence[AffectedMinion],
) -> Iterator[Idle]:
    """Yield the hunks that change nothing, each with the reason."""
    texts = {file.file: file for file in files}
    came = {file.head for file in files if file.base is None}
    declared = {path.absolute() for path in declared_files(sides)}
    opened = sides.opened
    lost = {one for each in affected if _newly_fails(each) for one in _reads_of(each.base)}
    unsure = set(_not_compared(affected))
    for hunk, is_read in _leave_out_sites(idle):
        if opened.starts_programs or sides.states.deployed.has(hunk.shown):
            continue  # unknown: both sides may read it on disk, or its content is not compared
        file = texts[hunk.file]
        is_known = bool(describe_invisible(hunk, file)) or unsure.isdisjoint(_tails(file))
        is_hidden = not lost.isdisjoint(_as_read(file))
        if not is_known and not is_hidden:
            continue
        why = _describe_why(hunk, file, affected if is_read else ()) if is_known else HIDDEN
        if file.head is None and file.base in came:
            why = "the file has moved"
        elif hunk.file in declared and why in {UNREAD, SAME}:
            why = NO_DIFFERENCE
        elif is_hidden and why in {UNREAD, SAME}:
            why = HIDDEN
        elif line_of(hunk).side == "base" and why in {UNREAD, SAME}:
            why = _describe_why_before(hunk, file, affected)
        in_part = IN_PART.get(why, why.replace("no minion", "no compared minion"))
        yield Idle(line_of(hunk), in_part if sides.is_part else why)


def _leave_out_sites(idle: Iterable[tuple[Hunk, bool]]) -> Iterator[tuple[Hunk, bool]]:
    """Yield hunks without the files of a new report in the tree, unless a minion reads them."""
    found = list(idle)
    sites = {hunk.file.parent for hunk, _ in found if hunk.file.name == SITE_MARK}
    for hunk, is_read in found:
        if is_read or sites.isdisjoint(hunk.file.parents):
            yield hunk, is_read


def _describe_why(hunk: Hunk, file: ChangedFile, readers: Sequence[AffectedMinion]) -> str:
    """Return why a hunk changes nothing."""
    unseen = describe_invisible(hunk, file)
    if unseen:
        return unseen
    if not readers:
        return UNREAD
    for one in readers:
        for leaf in one.after.leaves:
            if any(holds(hunk, "head", origin) for origin in leaf.origins[:-1]):
                return f"`{format_path(leaf.path)}` is overridden in `{leaf.origins[-1].place}`"
    unmatched = _find_unmatched(hunk, readers)
    return f"the target `{unmatched}` matches no minion" if unmatched else SAME


def _find_unmatched(hunk: Hunk, readers: Sequence[AffectedMinion]) -> str:
    """Return the target that lines of a top file are of if no minion matches it, else nothing."""
    found: list[str] = []
    for one in readers:
        before = [
            target
            for target in one.after.targets
            if target.file == hunk.shown and target.line is not None and target.line <= hunk.head[1]
        ]
        own = [target for target in before if target.line in hunk.lines_on("head")] or before[-1:]
        if not own or any(target.matched for target in own):
            return ""
        found += (target.target for target in own)
    return found[0] if found else ""


def _describe_why_before(hunk: Hunk, file: ChangedFile, affected: Sequence[AffectedMinion]) -> str:
    """Return why lines that only the base has change nothing; empty if unknown."""
    is_read = False
    for one in affected[:MAX_ASKED]:
        for leaf in one.before.leaves if one.before else ():
            if not any(holds(hunk, "base", origin) for origin in leaf.origins):
                continue
            path = format_path(leaf.path)
            if not holds(hunk, "base", leaf.origins[-1]):
                return f"`{path}` was overridden in `{leaf.origins[-1].place}`"
            now = next((other for other in one.after.leaves if other.path == leaf.path), None)
            if now is not None and now.origins:
                return f"`{path}` comes from `{now.origins[-1].place}` now"
            is_read = True
        is_read = is_read or not set(_as_read(file)).isdisjoint(_reads_of(one.base))
    if is_read:
        return "minions read it in the base, but it causes no change"
    return UNREAD if len(affected) <= MAX_ASKED else ""


def _newly_fails(one: AffectedMinion) -> bool:
    """Say whether a minion has errors that it does not have in the base."""
    return (
        one.after.outcome in FAILING
        and one.before is not None
        and one.before.outcome not in FAILING
    )


def _reads_of(compiled: CompiledPillar | None) -> Iterator[tuple[str | None, str]]:
    """Yield the digests of the files that a minion read, each with its path below its root."""
    for render in compiled.renders if compiled else ():
        yield from ((read.digest, read.path) for read in render.files)


def _as_read(file: ChangedFile) -> Iterator[tuple[str | None, str]]:
    """Yield what a minion that read a file as it is in the base may have noted."""
    digest = hashlib.sha256(file.base or b"").hexdigest()
    return ((digest, tail) for tail in _tails(file))


def _tails(file: ChangedFile) -> Iterator[str]:
    """Yield the paths that a file may have below a root."""
    parts = file.file.parts
    return ("/".join(parts[at:]) for at in range(1, len(parts)))


def _not_compared(affected: Iterable[AffectedMinion]) -> Iterator[str]:
    """Yield the files that take part in a render that fails, or has unknown values."""
    for one in affected:
        for compiled in (one.base, one.head):
            for render in compiled.renders if compiled else ():
                if render.has_unknown or render.message is not None:
                    yield from (read.path for read in render.files)
