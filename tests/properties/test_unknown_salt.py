"""The law of unknown values, with the answers of the real Salt."""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from benchmarks.real_salt import find_salt
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from tests.properties.test_unknown import MINIONS, asking, compile_unknown
from tests.properties.unknown_templates import deciding_trees
from tests.properties.unknown_trees import (
    ANSWERS,
    DECISIONS,
    NAMES,
    VALUES,
    AskingTree,
    asking_trees,
    disagreement,
)
from tests.support.fleets import write_files, write_fleet
from tests.wild.trees import ORACLE

from pillarbook.model import from_tagged, grow

MODULE = "def {function}(*args, **kwargs):\n    return __grains__['answers']['{name}']\n"


@pytest.mark.salt_oracle
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(tree=asking_trees() | deciding_trees(), data=st.data())
def test_unmarked_values_are_those_of_salt(tree: AskingTree, data: st.DataObject) -> None:
    marked = {minion: compile_unknown(tree, minion) for minion in MINIONS}
    first = next(iter(marked.values()))
    if first.errors or first.raises is not None or not first.has_unknown:
        event("nothing unknown")
        return
    drawn = st.fixed_dictionaries(dict.fromkeys(NAMES, ANSWERS))
    salts = ask_salt(tree, {minion: data.draw(drawn) for minion in MINIONS})
    for minion, tagged in salts.items():
        pillar = from_tagged(tagged)  # whose keys may be other than text
        if "_errors" in pillar or "$raises" in pillar:
            event("does not render")
            continue
        event("compared")
        real = grow(pillar, lambda *_: None)  # type: ignore[arg-type]
        assert disagreement(marked[minion].tree, real) is None


FIXED: tuple[Mapping[str, Any], ...] = (
    dict.fromkeys(NAMES, "x"),
    {name: {"user": "x", "s": 1} for name in NAMES},
    dict(zip(NAMES, ({"user": "x"}, "a b", 7), strict=True)),
    dict(zip(NAMES, ({"user": 7}, "", "y"), strict=True)),
)
OTHERS: tuple[Mapping[str, Any], ...] = (
    *(dict(zip(NAMES, ({"user": "x", "pw": pw}, "k", 7), strict=True)) for pw in ("x", "y")),
    *(dict(zip(NAMES, ({"user": 7, "pw": 7}, number, "y"), strict=True)) for number in (0, 2)),
)
"""For forms that render with none of the answers above."""


@pytest.mark.salt_oracle
@pytest.mark.parametrize("form", [*VALUES, *DECISIONS])
def test_each_form_is_as_salt_renders_it(form: str) -> None:
    tree = asking(form)
    assert compare(tree, FIXED) or compare(tree, OTHERS)


def compare(tree: AskingTree, answers: tuple[Mapping[str, Any], ...]) -> int:
    """Compare with what Salt gives for some answers; return for how many it renders."""
    compared = 0
    for minion, tagged in ask_salt(tree, dict(zip(MINIONS, answers, strict=True))).items():
        pillar = from_tagged(tagged)
        if "_errors" not in pillar:
            compared += 1
            real = grow(pillar, lambda *_: None)  # type: ignore[arg-type]
            assert disagreement(compile_unknown(tree, minion).tree, real) is None
    return compared


def ask_salt(tree: AskingTree, answers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return Salt's pillar of each minion, each with its answers."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        minions = {name: {"grains": {"id": name, "answers": own}} for name, own in answers.items()}
        write_fleet(folder, tree.files, minions, {**tree.master, "module_dirs": [f"{scratch}/ext"]})
        for name in NAMES:
            module, _, function = name.partition(".")
            code = MODULE.format(function=function, name=name)
            write_files(folder, {f"ext/modules/{module}.py": code})
        words = [str(one) for one in (find_salt(), ORACLE, folder, "--pillars")]
        done = subprocess.run(words, capture_output=True, check=True)
    pillars: dict[str, Any] = json.loads(done.stdout)
    return pillars
