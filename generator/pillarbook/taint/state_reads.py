"""Which pillar keys the states of a minion read, from the recorded reads of their renders."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from pillarbook.compile.misses import Misses
from pillarbook.compile.project import FileRead
from pillarbook.compile.reads import MAPPING, MISSING, Answer, Question
from pillarbook.compile.render_result import RenderResult
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact.redacted_states import How, KeyRead, Missing, SlsReads
from pillarbook.taint.pillar_questions import asked_of_pillar, path_in_pillar

KINDS: Mapping[object, How] = {"whole": "all", "keys": "keys", "has": "presence"}
MAX_KEPT = 50_000
"""The most renders whose reads are cached; then the cache is emptied."""
ShowPath = Callable[[KeyPath], KeyPath]
ShowFile = Callable[[FileRead], str]


class StateReads:
    """Returns the reads of state SLS files; a render that minions share is processed once."""

    def __init__(self, show: ShowPath) -> None:
        self._show = show
        # With the name of the SLS, because one render may serve two names, and the environment.
        self._known = LimitedCache[tuple[str, str, RenderResult], SlsReads](MAX_KEPT)
        self._targets: dict[tuple[tuple[Question, Answer], ...], SlsReads] = {}

    def forget(self) -> None:
        """Empty the caches, because keys are shown differently now."""
        # The reads contain keys as they are shown, which changes if a name becomes secret.
        self._known.clear()
        self._targets.clear()

    def of_sls(
        self, states: CompiledStates, show: ShowFile = lambda file: file.path
    ) -> tuple[SlsReads, ...]:
        """Return the reads of each state SLS of a minion."""
        return tuple(self._of_render(*name, result, show) for name, result in states.sls.items())

    def of_targets(self, states: CompiledStates) -> SlsReads | None:
        """Return the pillar reads of the targets in the top file; None if there are none."""
        if not states.asked:
            return None
        key = tuple(states.asked.items())
        known = self._targets.get(key)
        if known is None:
            reads = tuple(map(self._shown, find_reads(states.asked, {})))
            file = next((one.file for one in states.targets), "")
            known = self._targets[key] = SlsReads("", "", file, recorded=True, reads=reads)
        return known if known.reads else None

    def _of_render(self, saltenv: str, sls: str, result: RenderResult, show: ShowFile) -> SlsReads:
        key = (saltenv, sls, result)
        known = self._known.get(key)
        if known is None:
            reads = tuple(map(self._shown, find_reads(result.questions, result.misses)))
            known = self._known[key] = SlsReads(
                saltenv, sls, show(result.files[0]), result.recorded, reads
            )
        return known

    def _shown(self, read: KeyRead) -> KeyRead:
        return KeyRead(self._show(read.path), read.how, read.missing)


def find_reads(questions: Mapping[Question, Answer], misses: Misses) -> Iterator[KeyRead]:
    """Yield the pillar reads among recorded questions, each path and kind once.

    ``misses`` are missing keys that were read, and whether each read had a default.
    """
    found: dict[KeyRead, None] = {}
    for question, answer in questions.items():
        asked = asked_of_pillar(question)
        if asked is not None and answer != MISSING:
            read = _read(asked[0], asked[1], answer)
            if read is not None:
                found[read] = None
    for (view, path), has_default in misses.items():
        below = path_in_pillar(view, path)
        if below:
            found[KeyRead(below, missing="default" if has_default else "bare")] = None
    absent = {one.path for one in found if one.missing is not None and one.how == "value"}
    yield from (one for one in found if one.how != "presence" or one.path not in absent)


def _read(what: object, path: KeyPath, answer: Answer) -> KeyRead | None:
    if what == "get":
        return KeyRead(path, "mapping" if answer == MAPPING else "value")
    if what == "has" and answer is False:
        missing: Missing = "default"  # the template expects that it may be missing
        return KeyRead(path, "presence", missing)
    kind = KINDS.get(what)
    return None if kind is None else KeyRead(path, kind)


def leaves_read(reads: Iterable[KeyRead], paths: Iterable[KeyPath]) -> Iterator[KeyPath]:
    """Yield the paths of leaves whose values were read, in the order of ``paths``."""
    covering = {one.path for one in reads if one.missing is None and one.how in ("value", "all")}
    for path in paths:
        if any(path[:length] in covering for length in range(len(path) + 1)):
            yield path
