"""What a comment shows for the first time: the changes whose ids the earlier comment did not have.

Of the earlier comment, only ids and a commit in a fixed form are taken. All other text is from the
new comment, which was checked. The section is an addition: the comment below it still has every
change, so a forged list of ids can hide nothing there.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEADING = "<details><summary>Change ids</summary>"
"""Above the list of ids, as ``pillarbook diff --format markdown`` writes it."""
BEGIN = re.compile(r"(`{3,})diff")
ENTRY = re.compile(r"  - (?P<id>c-[a-z2-7]{16})  # (?P<what>.+)")
"""A change in that list."""
CUT = re.compile(r"! [\d,]+ more ids left out")
SECTION = re.compile(r"#### New since `(?P<commit>[0-9a-f]{7})`: .*")
SHOWN = re.compile(r"[+] .+ \((?P<id>c-[a-z2-7]{16})\)")
"""A change in the section."""
COMMIT = re.compile(r"^Commit (?P<commit>[0-9a-f]{40,64})$", re.MULTILINE)
SHORT = 7
"""Digits of a commit that people read."""
NOTHING = "no changed value or state"
"""What is said if no id is new; a failure has no id, and may be new all the same."""
TICKS = re.compile(r"`+")
ROOM = 200
"""Characters of the section beside its lines."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The changes of a comment."""

    entries: Mapping[str, str]
    """What each id is of."""
    is_cut: bool = False
    """Whether some did not fit."""


def commit_of(comment: str) -> str | None:
    """Return the commit that a comment is about; None if it does not say so."""
    found = COMMIT.findall(comment)
    return found[-1] if found else None


def show_new(text: str, head: str, earlier: str, most: int) -> str:
    """Return a comment with a section of what the earlier one did not have.

    A second run for the same commit repeats the section of the first one. Only the account of the
    new comment's author may have written the ``earlier`` one; ``most`` is how many characters the
    new one may have.
    """
    known, now = read_ids(earlier), read_ids(text)
    since = commit_of(earlier)
    if known is None or since is None:
        return text
    current = now.entries if now else {}
    if since == head:
        commit, shown = _read_section(earlier)
        new = [one for one in current if one in shown]
    else:
        commit, new = since[:SHORT], [one for one in current if one not in known.entries]
    if not commit:
        return text
    gone = 0 if since == head else sum(one not in current for one in known.entries)
    is_cut = now is not None and now.is_cut
    lines = [f"+ {current[one]} ({one})" for one in new]
    section = _write_section(commit, lines, (len(current), gone), most - len(text), is_cut=is_cut)
    first, _, rest = text.partition("\n\n")
    return "\n".join((first.rstrip("\n"), section, rest))


def read_ids(text: str) -> Ids | None:
    """Return the ids that a comment lists; None if it has no such list."""
    lines = _block_below(text.split("\n"), HEADING)
    if lines is None:
        return None
    found = {entry["id"]: entry["what"] for entry in map(ENTRY.fullmatch, lines) if entry}
    return Ids(found, any(map(CUT.fullmatch, lines)))


def _read_section(comment: str) -> tuple[str, frozenset[str]]:
    """Return the commit and the ids of the section in a comment; empty if it has none."""
    lines = comment.split("\n")
    heading = next((one for one in map(SECTION.fullmatch, lines) if one), None)
    if heading is None:
        return "", frozenset()
    shown = _block_below(lines, heading.group()) or []
    return heading["commit"], frozenset(one["id"] for one in map(SHOWN.fullmatch, shown) if one)


def _block_below(lines: Sequence[str], heading: str) -> Sequence[str] | None:
    """Return the block of code right below a line that is in no block; None if there is none."""
    fence: str | None = None
    for at, line in enumerate(lines):
        begins = BEGIN.fullmatch(line)
        if fence is None and begins:
            fence = begins[1]
        elif line == fence:
            fence = None
        elif fence is None and line == heading and len(lines) > at + 2:
            own = BEGIN.fullmatch(lines[at + 2])
            below = lines[at + 3 :]
            return below[: below.index(own[1])] if own and own[1] in below else None
    return None


def _write_section(
    commit: str, lines: Sequence[str], counts: tuple[int, int], room: int, *, is_cut: bool
) -> str:
    all_now, gone = counts
    told = f"{len(lines):,} of {all_now:,} changes" if lines else NOTHING
    if gone:
        told += f", {gone:,} no longer"
    heading = f"\n#### New since `{commit}`: {told}\n"
    room -= len(heading) + ROOM
    shown = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    left = len(lines) - len(shown)
    more = [f"! {left:,} more"] if left else []
    more += ["! ids of further changes did not fit; they may be new"] if is_cut else []
    if not shown and not more:
        return heading
    longest = max((len(run) for line in shown for run in TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{heading}\n{fence}diff", *shown, *more, fence)) + "\n"
