"""Every form of text that the rules know holds a canary, and targets name some: none gets out."""

import random
import re
from pathlib import Path

import pytest
from tests.hostile.canaries.canary import Canary, Draw
from tests.hostile.canaries.garden import APP, OTHER, Garden, in_yaml
from tests.hostile.canaries.harvest import TOKEN_KEY
from tests.hostile.canaries.outputs import read_site, run_all, streams
from tests.hostile.canaries.search import Search
from tests.redact.texts import COMMANDS, SET

pytestmark = [pytest.mark.slow, pytest.mark.minutes(3)]
MADE_UP = re.compile(r"SH2wintermoth4=|wintermoth418|wintermoth|winter moth|summermoth|g4rden")
"""The secrets in the texts, which are drawn anew here."""
TARGETS = {
    "pillar": ("db-{n}:password:{text}", [{"match": "pillar"}]),
    "pillar, exact": ("db-{n}:password:{text}", [{"match": "pillar_exact"}]),
    "compound": ("G@os:ctl-os and I@db-{n}:api_key:{text}", []),
    "delimiter": ("I/@db-{n}/api_key/{text} or {other}", []),
    "grain": ("api_token:{text}", [{"match": "grain"}]),
    "list": ("{other},{text}", [{"match": "list"}]),
}
"""Targets with a secret; in a list of ids it is one by its form alone."""
# `explain` of the other minion is not among them: without keys it looks for what the files of its own
# minion hold, as the guide's page on security says.
COMMANDS_RUN = [["build"], ["compile"], ["check"], ["explain", APP]]


def draw_texts() -> dict[str, Canary]:
    """Return a canary for each text, with what is drawn in it."""
    draw = Draw(random.Random(1))  # noqa: S311 (repeatable is what it has to be)
    canaries = {}
    for number, (form, text) in enumerate((*SET.items(), *COMMANDS.items())):
        runs: list[str] = []

        def replace(_: re.Match[str], runs: list[str] = runs) -> str:
            runs.append(draw.run())
            return runs[-1]

        made = MADE_UP.sub(replace, text)
        canaries[f"{form} {number}"] = Canary(f"f{number:03}", form, made, tuple(runs))
    return canaries


def plant_texts(canaries: dict[str, Canary]) -> Garden:
    """Return a tree with all of them under harmless keys, and what is secret in them elsewhere."""
    garden = Garden(
        master={"pillar_roots": {"base": ["pillar/base"]}},
        minions={one: {"grains": {"os": "ctl-os"}} for one in (APP, OTHER)},
    )
    texts, words = [], []
    for canary in canaries.values():
        text, name = in_yaml(canary.value), canary.name
        texts.append(f"{name}: {{note: {text}, list: [ctl-one, {text}], host: ctl-{name}}}\n")
        texts.append(f"# {text}\n{{# {text} #}}\n")
        alone = "".join(f"  - {in_yaml(run)}\n  - is {run}\n" for run in canary.runs)
        words.append(f"w-{name}:\n  - ctl\n{alone}")
    garden.give(APP, "texts", "".join(texts))
    garden.give(OTHER, "words", "".join(words))
    return garden


def plant_targets(garden: Garden) -> list[Canary]:
    draw, made = Draw(random.Random(2)), []  # noqa: S311 (repeatable is what it has to be)
    for number, (kind, (target, match)) in enumerate(TARGETS.items()):
        run = draw.run()
        text = f"ghp_{draw.run(36)}" if kind == "list" else run
        made.append(Canary(f"t{number}", kind, text, (run,) if kind != "list" else ()))
        garden.give(APP, f"targets.t{number}", f"t{number}: ctl-target\nw{number}: is {text}\n")
        names = [f"targets.t{number}"]
        garden.top[target.format(n=number, text=text, other=OTHER)] = [*match, *names]  # type: ignore[list-item]
    return made


def test_no_text_and_no_target_gives_its_secret_away(tmp_path: Path) -> None:
    canaries = draw_texts()
    assert len(canaries) == len(SET) + len(COMMANDS)
    garden = plant_texts(canaries)
    named = plant_targets(garden)
    garden.write(tmp_path, decrypt=False)
    ended = run_all(tmp_path, COMMANDS_RUN, TOKEN_KEY)
    assert {words: one.code for words, one in ended.items() if one.code not in (0, 2)} == {}
    given = {**streams(ended), **read_site(tmp_path / "site")}
    assert b"ctl-f000" in given["compile (output)"]
    alone = [
        Canary(one.name, one.kind, run, (run,)) for one in canaries.values() for run in one.runs
    ]
    assert len(alone) > 70
    found = Search([*alone, *named]).find(given)
    assert {(one.canary, one.where) for one in found} == set()
