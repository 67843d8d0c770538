"""Lists missing answers: the work of ``pillarbook answers list``."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from pillarbook.bootstrap.missing_answers import (
    EXT_PILLAR,
    TIME,
    AskingPlace,
    MissingAnswer,
    find_missing_answers,
)
from pillarbook.bootstrap.missing_parts import MAYBE
from pillarbook.cli.open_declared import PILLARS_ALONE, open_asked
from pillarbook.cli.output import open_output
from pillarbook.cli.read_declared import find_link_policy, split_declared
from pillarbook.cli.summary import show_progress
from pillarbook.cli.value_text import clean_line, show_place
from pillarbook.model.phrases import count
from pillarbook.model.unknown import COMPUTED_FUNCTION
from pillarbook.session import RunOptions

MAX_PLACES = 10
"""Lines that a question names as text before the others are counted."""


def list_answers(base: RunOptions, values: dict[str, Any]) -> int:
    """Compile the fleet, list the missing answers, and return the exit code."""
    declared, asked = split_declared(values)
    with open_asked(base, declared, asked, **PILLARS_ALONE) as session:
        minions = len(session.fleet.minions)
        with show_progress("compiling", minions) as step:
            answers = find_missing_answers(session, asked["jobs"], step)
        asked["timing"].mark("compiling")
    with open_output(asked["output"], base.known, find_link_policy(declared)) as out:
        if asked["form"] == "json":
            out.write(json.dumps(_to_json(answers, minions), ensure_ascii=False, indent=1) + "\n")
        else:
            out.writelines(f"{line}\n" for line in _to_text(answers))
        out.flush()  # before the hint, which goes to standard error
    if answers:
        hint = (
            "copy these lines to the pillarbook section of mkdocs.yml, with all functions under a"
            " single `functions:` key, and replace each `...` with the answer"
        )
        click.echo(f"pillarbook: {count(len(answers), 'missing answer')}; {hint}", err=True)
    return 0


def _to_json(answers: Sequence[MissingAnswer], minions: int) -> dict[str, Any]:
    return {
        "schema": "pillarbook.answers/1",
        "minions": minions,
        "answers": [
            {
                "kind": one.kind,
                "name": one.name,
                "minions": list(one.minions),
                "asked": one.asked,
                "values": one.values,
                "places": [
                    {
                        "file": place.position.file,
                        "line": place.position.line,
                        "minions": len(place.minions),
                        "reached": place.reached,
                    }
                    for place in one.places
                ],
                "declare": list(one.lines),
                "help": one.help or None,
            }
            for one in answers
        ],
    }


def _to_text(answers: Sequence[MissingAnswer]) -> Iterator[str]:
    if not answers:
        yield "no answers are missing"
    for one in answers:
        yield clean_line(f"{_name(one)}: {_count(one)}")
        for place in one.places[:MAX_PLACES]:
            yield f"  {show_place(f'{place.position}: {_describe(place)}')}"
        more = len(one.places) - MAX_PLACES
        if more > 0:
            yield f"  and {count(more, 'more line')}"
        yield from (f"    {clean_line(line)}" for line in one.lines)
        if one.help:
            yield f"    {'or ' if one.lines else ''}{clean_line(one.help)}"
        yield ""


def _name(one: MissingAnswer) -> str:
    if one.kind == TIME:
        return "the current time"
    if one.name is None:
        return COMPUTED_FUNCTION
    return f"the external pillar {one.name}" if one.kind == EXT_PILLAR else one.name


def _count(one: MissingAnswer) -> str:
    minions = count(len(one.minions), "minion")
    if not one.asked:
        return f"{minions}, not reached yet"
    values = f", {count(one.values, 'unknown value')}" if one.values else ""
    return f"{minions}, asked {'once' if one.asked == 1 else f'{one.asked:,} times'}{values}"


def _describe(place: AskingPlace) -> str:
    words = count(len(place.minions), "minion")
    return words if place.reached else f"{words}, {MAYBE}"
