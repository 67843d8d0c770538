"""The changes of a comparison by where they are acknowledged, and the list of their ids."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pillarbook.compare.atoms import AckSource
from pillarbook.model.phrases import clip, count
from pillarbook.report.diff_wording import show_path
from pillarbook.report.group_names import MinionWords
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.state_groups import StateGroup
from pillarbook.report.state_wording import describe_states
from pillarbook.report.told_changes import ToldGroup
from pillarbook.report.value_html import TokenOf

ACKNOWLEDGED: Mapping[AckSource, str] = MappingProxyType(
    {"itself": "by this change itself", "base": "in the base"}
)
"""Where changes are acknowledged, in words."""
MAX_LINE = 200
"""Characters of a line with an id."""


def select_told(groups: Sequence[ToldGroup], source: AckSource | None) -> tuple[ToldGroup, ...]:
    """Return the changes that are acknowledged there; those that are not, for None."""
    selected = (
        replace(group, told=tuple(one for one in group.told if one.acknowledged == source))
        for group in groups
    )
    return tuple(group for group in selected if group.told)


def put_acknowledged_last(groups: Sequence[ToldGroup]) -> list[ToldGroup]:
    """Return groups in which what nobody expects comes first, and groups without such changes last.

    Changes that only the change itself acknowledges are expected by nobody else.
    """
    ordered = [
        replace(group, told=tuple(sorted(group.told, key=lambda one: one.acknowledged == "base")))
        for group in groups
    ]
    return sorted(ordered, key=lambda group: group.told[0].acknowledged == "base")


def describe_acknowledged(source: AckSource | None) -> str:
    """Return where a change is acknowledged; empty for one that is not."""
    return "" if source is None else f"acknowledged {ACKNOWLEDGED[source]}"


def select_states(groups: Sequence[StateGroup], source: AckSource | None) -> list[StateGroup]:
    """Return the changes of states that are acknowledged there; those that are not, for None."""
    return [group for group in groups if group.states[0].acknowledged == source]


def count_changes(groups: Sequence[ToldGroup], states: Sequence[StateGroup]) -> str:
    """Return how many changes there are: ``3 changes``; empty for none."""
    number = sum(len(group.told) for group in groups)
    parts = [count(number, "change")] if number else []
    parts += [count(len(states), "change of states", "changes of states")] if states else []
    return " and ".join(parts)


def list_ids(
    groups: Sequence[ToldGroup], states: Sequence[StateGroup], words: MinionWords, token: TokenOf
) -> Iterator[str]:
    """Yield a line for each change with an id, as members of a list in YAML."""
    inline = InlineChange(token, str, str)
    for group in groups:
        for one in group.told:
            what = f"{show_path(one)} {inline.write(one.change)}"
            yield from _write(one.change_id, what, words, group.minions)
    for other in states:
        what = describe_states(other.states, str)
        yield from _write(other.states[0].change_id, what, words, other.minions)


def _write(
    change_id: str | None, what: str, words: MinionWords, minions: Sequence[str]
) -> Iterator[str]:
    if change_id is not None:
        told = clip(" ".join(what.split()), MAX_LINE)
        yield f"  - {change_id}  # {told}, on {words.describe(minions, str, str)}"
