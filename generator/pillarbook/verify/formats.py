"""A verification written out: JSON for programs, text for people.

The JSON (``pillarbook.verify/1``):

    {"schema": "pillarbook.verify/1",
     "dump": NAME,
     "result": "equal" | "different" | "not compared",
     "compared": N, "equal": N,
     "not_compared": {REASON: N values, ...},
     "not_answered": {ID: REASON, ...},
     "not_in_dump": [ID, ...], "not_in_inventory": [ID, ...], "lost": N answers printed as {},
     "trials": N, "unfinished": N minions,
     "minions": {ID: {"outcome": OUTCOME, "raises": REASON | null,
                      "differences": [{"path": [...], "kind": "only here" | "only in the dump" |
                                       "different", "here": V, "dump": V, "file", "line"}],
                      "why": [N, ...]}},
     "why": [{"id": N, "cause": CODE, "certainty": "proven" | "likely" | "possible",
              "message": TEXT, "changes": [{"what": "grain" | "pillarenv" | "saltenv" | "pillar",
                                            "path": [...], "declared": V, "value": V}],
              "at": "FILE:LINE" | null, "minions": [ID, ...]}]}

Only minions that differ are among ``minions``. ``here`` and ``dump`` are there where that side has
something; ``declared`` and ``value`` where something is, or would be, declared; ``"other": true``
stands for ``value`` where any other text would do. V is tagged JSON, or ``{"redacted": reason,
"token": token}``. Proven causes of one minion are alternatives.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pillarbook.diagnostics.formats.wording import clean
from pillarbook.model import format_path, to_tagged
from pillarbook.model.phrases import count, list_some
from pillarbook.redact import Redacted
from pillarbook.redact import to_json as data_to_json
from pillarbook.verify.dump_differences import MASKED, SEALED, UNANSWERED
from pillarbook.verify.inventory_changes import ABSENT, OTHER
from pillarbook.verify.verification import (
    DifferingMinion,
    ShownCause,
    ShownChange,
    ShownDifference,
    Verification,
)

SCHEMA = "pillarbook.verify/1"
MAX_NAMED = 5
"""Minions that a line of text names before it counts the others."""
MAX_LISTED = 30
"""Differences of a group of minions that the text lists before it counts the others."""
WIDEST = 120
"""Characters of a value in the text."""
REMEDIES = {
    SEALED: "to compare them, use `decrypt: true` in mkdocs.yml with --trust",
    UNANSWERED: "`pillarbook answers list` lists the missing answers",
    MASKED: "make the dump with `salt '*' pillar.items unmask=True --out=json`",
}
CERTAINTIES = {"proven": "why", "likely": "likely why", "possible": "maybe"}

GetToken = Callable[[int], str]
"""Returns the token of a secret by its number: ``SecretStore.token``."""


def to_json(found: Verification, token: GetToken) -> dict[str, Any]:
    """Return a verification in the documented JSON form."""
    numbers: dict[ShownCause, int] = {}
    minions: dict[ShownCause, list[str]] = {}
    for minion, one in found.differing.items():
        for cause in one.causes:
            numbers.setdefault(cause, len(numbers) + 1)
            minions.setdefault(cause, []).append(minion)
    return {
        "schema": SCHEMA,
        "dump": found.dump,
        "result": found.result,
        "compared": found.compared,
        "equal": found.equal,
        "not_compared": dict(found.not_compared),
        "not_answered": found.silent,
        "not_in_dump": list(found.not_in_dump),
        "not_in_inventory": list(found.not_in_inventory),
        "lost": found.lost,
        "trials": found.trials,
        "unfinished": found.unfinished,
        "minions": {
            minion: {
                "outcome": one.outcome,
                "raises": one.raises,
                "differences": [_difference(each, token) for each in one.differences],
                "why": [numbers[cause] for cause in one.causes],
            }
            for minion, one in found.differing.items()
        },
        "why": [
            {
                "id": number,
                "cause": cause.code,
                "certainty": cause.certainty,
                "message": describe_cause(cause, token),
                "changes": [_change(each, token) for each in cause.changes],
                "at": cause.at,
                "minions": minions[cause],
            }
            for cause, number in numbers.items()
        ],
    }


def _difference(one: ShownDifference, token: GetToken) -> dict[str, Any]:
    made: dict[str, Any] = {"path": [to_tagged(key) for key in one.path], "kind": one.kind}
    if one.kind != "only in the dump":
        made["here"] = data_to_json(one.here, token)
    if one.kind != "only here":
        made["dump"] = data_to_json(one.dump, token)
    return {**made, "file": one.file, "line": one.line}


def _change(one: ShownChange, token: GetToken) -> dict[str, Any]:
    made: dict[str, Any] = {"what": one.what, "path": [to_tagged(key) for key in one.path]}
    if one.what != "pillar":
        if one.declared is not ABSENT:
            made["declared"] = data_to_json(one.declared, token)
        if one.value is OTHER:
            made["other"] = True
        elif one.value is not ABSENT:
            made["value"] = data_to_json(one.value, token)
    return made


def to_text(found: Verification, token: GetToken) -> Iterator[str]:
    """Yield the lines of a report: a part for each group of minions with one reason, and a sum."""
    groups: dict[tuple[ShownCause, ...], dict[str, DifferingMinion]] = {}
    for minion, one in found.differing.items():
        groups.setdefault(one.causes, {})[minion] = one
    for causes, minions in groups.items():
        yield from map(clean, _group(causes, minions, token))
        yield ""
    yield from map(clean, _sum(found))


def _group(
    causes: Sequence[ShownCause], minions: dict[str, DifferingMinion], token: GetToken
) -> Iterator[str]:
    verb = "differs" if len(minions) == 1 else "differ"
    yield f"{list_some(list(minions), MAX_NAMED, str)} {verb}"
    for at, cause in enumerate(causes):
        is_other = at > 0 and cause.certainty == "proven"
        word = "or" if is_other else CERTAINTIES[cause.certainty]
        place = f" ({cause.at})" if cause.at else ""
        yield f"  {word}: {describe_cause(cause, token)}{place}"
    on: dict[ShownDifference, list[str]] = {}
    for minion, one in minions.items():
        if one.raises is not None:
            yield f"  there is no pillar here: {one.raises}"
        for difference in one.differences:
            on.setdefault(difference, []).append(minion)
    for difference, names in list(on.items())[:MAX_LISTED]:
        only = f", on {list_some(names, MAX_NAMED, str)}" if len(names) < len(minions) else ""
        yield f"  {format_path(difference.path)}  {difference.kind}{only}"
        yield from _sides(difference, token)
    if len(on) > MAX_LISTED:
        yield f"  and {len(on) - MAX_LISTED:,} more; --format json has all of them"


def _sides(one: ShownDifference, token: GetToken) -> Iterator[str]:
    if one.kind != "only in the dump":
        place = "" if one.file is None else f"  {one.file}" + (f":{one.line}" if one.line else "")
        yield f"      here: {_value(one.here, token)}{place}"
    if one.kind != "only here":
        yield f"      dump: {_value(one.dump, token)}"


def describe_cause(cause: ShownCause, token: GetToken) -> str:
    """Return a cause as a sentence."""
    if not cause.changes:
        return cause.words
    changes = " and ".join(_describe_change(change, token) for change in cause.changes)
    what = "it would be equal" if cause.certainty == "proven" else "less would differ"
    return f"{what} {changes}"


def _describe_change(change: ShownChange, token: GetToken) -> str:
    if change.what == "pillar":
        return "without the `pillar` that the inventory declares"
    name = f"the grain '{format_path(change.path)}'" if change.what == "grain" else change.what
    declared = (
        "not declared"
        if change.declared is ABSENT
        else f"declared: {_value(change.declared, token)}"
    )
    if change.value is ABSENT:
        return f"if {name} were not declared ({declared})"
    if change.value is OTHER:
        return f"if {name} were another one ({declared})"
    return f"if {name} were {_value(change.value, token)} ({declared})"


def _sum(found: Verification) -> Iterator[str]:
    for reason, number in sorted(found.not_compared.items()):
        remedy = f"; {REMEDIES[reason]}" if reason in REMEDIES else ""
        yield f"{count(number, 'value')} not compared: {reason}{remedy}"
    for reason in sorted(set(found.silent.values())):
        names = [minion for minion, one in found.silent.items() if one == reason]
        yield f"not answered: {list_some(names, MAX_NAMED, str)}: {reason}"
    if found.lost:
        yield (
            f"{count(found.lost, 'answer')} lost: Salt prints {{}} if JSON cannot represent a "
            "pillar (a key that is a date; with --out-indent=pretty, keys of several types)"
        )
    if found.not_in_dump:
        yield f"not in the dump: {list_some(found.not_in_dump, MAX_NAMED, str)}"
    if found.not_in_inventory:
        yield f"not in the inventory: {list_some(found.not_in_inventory, MAX_NAMED, str)}"
    if found.unfinished:
        yield f"not all reasons were tested on {count(found.unfinished, 'minion')}"
    yield (
        f"{found.dump}: {count(found.compared, 'minion')} compared: {found.equal} equal, "
        f"{len(found.differing)} different"
    )


def _value(data: Any, token: GetToken) -> str:
    if data is None:
        return "null"
    if isinstance(data, Redacted):
        return f"<redacted: {data.reason}, {token(data.secret_id)}>"
    text = json.dumps(data_to_json(data, token), ensure_ascii=False)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
