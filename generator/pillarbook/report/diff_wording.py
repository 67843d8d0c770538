"""Sentences about a comparison, for its text, its Markdown and its pages."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pillarbook.compare.alarms import NOT_COMPARED, find_secret_access
from pillarbook.compare.atoms import Atom, Cited
from pillarbook.compare.diff import Diff, Ignored
from pillarbook.compare.fold import ANY_KEY, OwnKey, find_place
from pillarbook.compare.secret_pairs import CHANGED, describe_secrets
from pillarbook.compare.subsequence import common_subsequence
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import clip, clip_lines, count, list_some
from pillarbook.report.few_values import tells_order
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.own_keys import FEWEST_KEYS, hide_names
from pillarbook.report.result_wording import (
    ACCESS,
    LOST,
    NEW_FAULTS,
    call_result,
    lead_to_base,
    list_news,
    word_base,
)
from pillarbook.report.told_changes import ToldGroup, describe_changes, told_path

MAX_LINES = 5
"""Lines that are named as causes of one change."""
FEWEST_LINES = 3
"""Lines that a text has at least for its change to be shown line by line."""
MAY_FOLLOW = (
    "if a minion fails only in one environment, keys that it lacks there may follow from its errors"
)
"""What is said of a comparison of environments, in which nothing can show what follows."""
MAX_TEXT_LINES = 2
"""Lines of a text that are shown as removed, and as new."""
MAX_LINE = 80
"""Characters of such a line."""
MAX_OUT_OF_REACH = 5
"""Files that are named because a side has them out of reach."""
WORST = ("newly failing", "empty")
"""Results of states that are named before everything else."""


def describe_notes(diff: Diff) -> list[str]:
    """Return the notes of a comparison, and what could not be compared."""
    failing = (
        {diff.results[word] for word in ("newly failing", "fixed")} if diff.environment else ()
    )
    may_follow = [MAY_FOLLOW] if any(failing) else []
    out_of_reach = describe_out_of_reach(diff)
    return [*diff.notes, *diff.bare, *diff.not_compared, *may_follow, *out_of_reach]


def describe_out_of_reach(diff: Diff) -> list[str]:
    """Return which files a side has out of reach, with the remedy."""
    found = [one for _, one in diff.diagnostics if one.code == NOT_COMPARED]
    told = [": ".join(filter(None, (one.message, one.help))) for one in found[:MAX_OUT_OF_REACH]]
    left = len(found) - MAX_OUT_OF_REACH
    if left > 0:
        told.append(f"{left:,} more {'is' if left == 1 else 'are'} not compared")
    return told


def describe_how_often(told: FoldedAtoms, write: Callable[[str], str]) -> str:
    """Return how often a change occurs, as the end of a phrase; empty for once."""
    many = f"{told.times:,} {'members moved' if tells_order(told) else 'times'}"
    often = [
        *([many] if told.times > 1 else []),
        *([describe_variants(told.variants, similar=told.similar)] if told.variants > 1 else []),
        *([f"renamed from {write(format_path(told.was))}"] if told.was is not None else []),
    ]
    return f" ({', '.join(often)})" if often else ""


def describe_variants(number: int, *, similar: bool) -> str:
    """Return of how many variants one is shown."""
    return f"one of {number:,} {'similar ' if similar else ''}variants"


def describe_causes(told: FoldedAtoms | Atom, write: Callable[[str], str]) -> str:
    """Return which lines are the cause of a change; empty if none is known."""
    if not told.because:
        return ""
    lines = list_some(told.because, MAX_LINES, lambda line: write_line(line, write))
    return f"because of {lines}{'' if told.proven else ' (not proven)'}"


def describe_idle(
    diff: Diff, write: Callable[[str], str], words: Callable[[str], str]
) -> list[str]:
    """Return the changed lines that have no effect, those with the same reason together."""
    found: dict[str, list[Cited]] = {}
    for one in diff.idle:
        found.setdefault(one.why, []).append(one.line)
    told = []
    for why, lines in found.items():
        shown = list_some(lines, MAX_LINES, lambda line: write_line(line, write))
        told.append(f"{shown}{f' ({words(why)})' if why else ''}")
    return told


def describe_lines(before: Any, after: Any, write: Callable[[str], str]) -> str:
    """Return how a text of several lines changed, line by line; empty for anything else."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return ""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) < FEWEST_LINES:
        return ""
    pairs = common_subsequence(old, new)
    kept_old, kept_new = {one for one, _ in pairs}, {other for _, other in pairs}
    gone = [line for at, line in enumerate(old) if at not in kept_old]
    came = [line for at, line in enumerate(new) if at not in kept_new]
    if not gone and not came:
        return "line breaks at the end changed"
    removed, added = clip_lines(gone[:MAX_TEXT_LINES], came[:MAX_TEXT_LINES], MAX_LINE)
    shown = [*(f"-{write(line)}" for line in removed), *(f"+{write(line)}" for line in added)]
    left = len(gone) + len(came) - len(shown)
    more = f" and {count(left, 'more line')}" if left else ""
    return f"text of {len(new):,} lines: {' '.join(shown)}{more}"


def show_path(told: FoldedAtoms) -> str:
    """Return the path of a change as text, with the side of a position that both sides have."""
    path = format_path(told_path(told)) or "(top level)"
    return f"{path} ({word_base(told.environment)})" if told.in_base else path


def write_line(line: Cited, write: Callable[[str], str]) -> str:
    """Return a line of a change; of a line that is gone it says so."""
    return write(f"{line.file}:{line.line}") + (" (before)" if line.side == "base" else "")


def describe_places(told: FoldedAtoms, write: Callable[[str], str]) -> str:
    """Return the file and line that set a change's values, unless the file is named as cause."""
    words = {"+": "set in", "-": lead_to_base(told.environment)}
    return ", ".join(f"{words[sign]} {write(place)}" for sign, place in show_places(told).items())


def show_places(told: FoldedAtoms) -> dict[str, str]:
    """Return the same file and line of the new value by ``+``, and of the old one by ``-``."""
    change = told.change
    before, after = map(find_place, (change.before_origin, change.after_origin))
    files = {line.file for line in told.because}
    places = {"+": after, "-": None if before == after else before}
    return {
        sign: file if line is None else f"{file}:{line}"
        for sign, (file, line) in ((sign, one) for sign, one in places.items() if one is not None)
        if file not in files
    }


def head_line(diff: Diff, groups: Sequence[ToldGroup], write: Callable[[str], str] = str) -> str:
    """Return the news of a comparison: what fails now, then how much changes.

    What is gone because of a failure is no change of its own, and what fails as before is no news.

    Args:
        diff: The comparison.
        groups: Its changes, as readers see them.
        write: Writes the name of an environment.
    """
    total = count(len(diff.minions), "minion")
    if diff.bare:
        return f"Pillar: nothing to compare on {total}"
    news = _describe_news(diff, write)
    noun = call_result("change", diff, write)
    numbers = list(_describe_numbers(diff, groups, total))
    if numbers and not news and all(one.change.kind == "reordered" for one in _told_in(groups)):
        news.append("no value differs" if diff.environment else "no value changes")
    news += numbers
    known = " known" if diff.maybe_changed or diff.may_hide_changes else ""
    if not diff.shown and news:
        news.append(f"no other{known} {noun} on {total}")
    elif not diff.shown:
        failing = diff.results["still failing"]
        verb = "fails" if failing == 1 else "fail"
        how = "in both" if diff.environment else "as before"
        as_before = f", of which {failing:,} {verb} {how}" if failing else ""
        news.append(f"no{known} {noun} on {total}{as_before}")
    pillar, states = f"Pillar: {'; '.join(news)}", _describe_states(diff, write)
    if diff.lost_a_target or any(diff.results[word] for word in WORST):
        return ". ".join(filter(None, (pillar, states)))
    return ". ".join(filter(None, (states, pillar)))


def describe_results(diff: Diff, write: Callable[[str], str] = str) -> Iterator[str]:
    """Yield how many minions have each result.

    It says how many of those that still fail changed, and how many changed in nothing but order.

    Args:
        diff: The comparison.
        write: Writes the name of an environment.
    """
    ordered = {atom.id for atom in diff.shown if atom.change.kind == "reordered"}
    for word, number in diff.results.items():
        own = [diff.minions[name] for name in diff.changed if diff.minions[name].word == word]
        also = ""
        if word == "still failing" and own:
            also = f" ({len(own):,} {call_result('changed', diff, write)})"
        elif word == "changed" and ordered:
            values = {atom.id for atom in diff.shown} - ordered
            some = sum(values.isdisjoint(one.atoms) for one in own)
            also = f" ({some:,} only in the order of keys)" if some else ""
        yield f"{number:,} {call_result(word, diff, write)}{also}"


def _describe_numbers(diff: Diff, groups: Sequence[ToldGroup], total: str) -> Iterator[str]:
    """Yield how many changes there are, of secrets, other values, orders and acknowledged ones."""
    found: dict[str, list[FoldedAtoms]] = {}
    for one in _told_in(groups):
        found.setdefault(_kind_of(one), []).append(one)
    many = {"mapping in another order": "mappings in another order"}
    where = True
    for noun in ("changed secret", "change", "mapping in another order", "acknowledged change"):
        some = found.get(noun, [])
        minions = {minion for one in some for minion in one.minions}
        if some:
            number = count(len(some), call_result(noun, diff, str), many.get(noun))
            yield f"{number} on {len(minions):,} of {total}" if where else number
            where = noun == "changed secret"  # who has the other changes is another question


def _told_in(groups: Sequence[ToldGroup]) -> list[FoldedAtoms]:
    return [one for group in groups for one in group.told]


def _kind_of(told: FoldedAtoms) -> str:
    if told.acknowledged == "base":
        return "acknowledged change"
    if changes_secret(told):
        return "changed secret"
    return "mapping in another order" if told.change.kind == "reordered" else "change"


def changes_secret(told: FoldedAtoms) -> bool:
    """Say whether a change gives a secret another value."""
    return describe_secrets(told.change) == CHANGED


def _describe_news(diff: Diff, write: Callable[[str], str]) -> list[str]:
    """Return how many minions fail, come, go or compile again, the worst first."""
    told = []
    for word, (one, many) in list_news(diff, write).items():
        number = len(diff.lost_a_target) if word == LOST else diff.results[word]
        if word == NEW_FAULTS:
            number = sum(bool(result.new_faults) for result in diff.minions.values())
        if number:
            told.append(count(number, one, many))
    readers = len(find_secret_access(diff))
    if readers:
        told.append(f"{count(readers, 'minion')} {call_result(ACCESS, diff, write)}")
    return told


def _describe_states(diff: Diff, write: Callable[[str], str]) -> str:
    """Return on how many minions no state runs any more though their pillar has no new error.

    If no pillar changes, it also says on how many minions states change.
    """
    words = Counter(
        result.word
        for name, result in diff.state_results.items()
        if diff.minions[name].word not in WORST
    )
    words[NEW_FAULTS] = sum(
        not diff.follow_on.issuperset(result.new_faults) for result in diff.state_results.values()
    )
    more = "more minion" if any(diff.results[word] for word in WORST) else "minion"
    told = [
        f"with new errors on {count(words[word], 'minion')} that failed before"
        if word == NEW_FAULTS and not diff.environment
        else f"{call_result(word, diff, write)} on "
        + count(words[word], more if word in WORST else "minion")
        for word in (*WORST, NEW_FAULTS, "fixed")
        if words[word]
    ]
    changed = [name for name in diff.only_states if diff.state_results[name].word == "changed"]
    if changed and not diff.shown:
        called = call_result("changed", diff, write)
        told.append(f"{called} on {count(len(changed), 'minion')}")
    return f"States {', '.join(told)}" if told else ""


MAX_SECRETS = 5
"""Keys of secrets that are named of a group of minions."""


def describe_secret_access(diff: Diff, write: Callable[[str], str]) -> dict[tuple[str, ...], str]:
    """Return which secrets minions can newly read, by those that can read the same ones.

    Secrets are the same if their keys differ only in the name of each minion that can read them.
    """
    found = {} if diff.bare else find_secret_access(diff)
    alike: dict[tuple[KeyPath, ...], list[str]] = {}
    for minion, paths in found.items():
        alike.setdefault(tuple(hide_names(path, (minion,)) for path in paths), []).append(minion)
    groups: dict[tuple[KeyPath, ...], list[str]] = {}
    for own, minions in alike.items():
        for minion in minions:
            key = own if len(minions) >= FEWEST_KEYS else found[minion]
            groups.setdefault(key, []).append(minion)
    return {
        tuple(minions): list_some([format_path(path) for path in paths], MAX_SECRETS, write)
        + (f" (of {write(str(ANY_KEY))}, each only its own)" if _has_own(paths) else "")
        for paths, minions in groups.items()
    }


def _has_own(paths: Sequence[KeyPath]) -> bool:
    return any(isinstance(key, OwnKey) for path in paths for key in path)


MAX_PATTERNS = 5
"""Patterns of keys that are named of a rule."""
MAX_KEY = 80
"""Characters of such a pattern."""


def describe_ignored(diff: Diff, write: Callable[[str], str]) -> list[str]:
    """Return what each rule of the configuration leaves out: a line for each that does."""
    return [
        f"ignored by rule {one.rule}{_describe_keys(one, write)}: "
        f"{count(_count_changes(diff, one.rule), 'change')} on {count(one.minions, 'minion')}"
        for one in diff.ignored
        if one.atoms
    ]


def _describe_keys(ignored: Ignored, write: Callable[[str], str]) -> str:
    keys = [write(clip(key, MAX_KEY)) for key in ignored.keys[:MAX_PATTERNS]]
    more = ["…"] if len(ignored.keys) > MAX_PATTERNS else []
    return f" ({', '.join([*keys, *more])})" if keys else ""


def _count_changes(diff: Diff, rule: int) -> int:
    """Return how many changes a reader would take the atoms for that a rule ignores."""
    own = [atom for atom in diff.atoms if atom.ignored == rule]
    return sum(len(group.told) for group in describe_changes(diff, own))
