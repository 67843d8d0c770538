"""The law of extreme values: none costs more than its own SLS, whatever is done with it.

Each drawn value stands in an SLS of its own, which one minion gets beside another SLS. All goes
through commands as people call them, in this process; what they do not expect they tell as an
internal error.
"""

import io
import json
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.properties.extremes import INVENTORIES, SLS_PLACES, TOPS, VALUES, put
from tests.support.fleets import write_files
from tests.support.repositories import commit_all, git

from pillarbook.cli.main import run
from pillarbook.model import from_tagged

Placed = list[tuple[str, str]]
PLACED = st.lists(st.tuples(st.sampled_from(SLS_PLACES), VALUES), min_size=8, max_size=8)
FILES = {
    "mkdocs.yml": "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\nplugins: [{pillarbook:"
    " {master: master, inventory: minions.yml, revisions: {base: HEAD}}}]\n",
    "master": "pillar_roots: {base: [pillar]}\n",
    "pages/index.md": "# Front\n",
    "pillar/ok.sls": "ok: 1\n",
}
READS = {
    "printed": "a: {{ grains.get('g') }} {{ opts.get('g') }} {{ pillar.get('g') }}\n",
    "json": "b: {{ grains['g'] | json }}\nc: {{ salt['mine.get']('*', 'g') }}\n",
    "compared": "d: {{ grains.get('g') == 1 }}\ne: {{ pillar.get('g') is mapping }}\n",
    "whole": "f: {{ grains.items() | list }}\n",
    "filtered": "g: {{ salt['grains.filter_by']({'1': {'a': 1}}, grain='g') }}\n",
}
READING_TOP = (
    f"base: {{'*': [ok, {', '.join(READS)}], 'g:1': [{{match: grain}}, ok],"
    " 'g:*': [{match: pillar}, ok], 'I@g:a or G@g:b': [{match: compound}, ok]}\n"
)


def call(*words: str) -> tuple[int, str, str]:
    """Run a command; return its exit code and what it prints."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        code = run(words)
    texts = []
    for stream in streams:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    assert "internal error" not in texts[1], words
    return code, texts[0], texts[1]


def write(folder: Path, files: dict[str, str]) -> None:
    write_files(folder, {**FILES, **files})


def write_placed(folder: Path, placed: Placed, shift: int = 0) -> None:
    """Write an SLS for each value; the minions get them in turn."""
    files, top = {}, {}
    for number, (place, value) in enumerate(placed):
        files[f"pillar/s{number}.sls"] = put(place, value, number)
        files[f"pillar/values{number}.yaml"] = f"k: {value}\n"
        top[f"m{number}"] = ["ok", f"s{(number + shift) % len(placed)}"]
    files["pillar/top.sls"] = json.dumps({"base": top})
    files["minions.yml"] = json.dumps({"minions": {minion: {} for minion in top}})
    write(folder, files)


def check_commands(minions: list[str]) -> None:
    """Have a tree checked, explained, compared and published; its base is committed."""
    call("check", "--format", "json")
    for minion in minions:
        call("explain", minion, "--format", "json")
        call("explain", minion)
    for form in ("text", "markdown", "json"):
        call("diff", "--format", form)
    call("compile", "--format", "result", "--output", "head.json")
    call("diff", "base.json", "head.json")
    code, _, said = call("build")
    # A secret may be what a page's script has, such as an odd character; then nothing is published.
    assert code in (0, 3) or "broke off" in said


def check_placed(placed: Placed) -> None:
    with tempfile.TemporaryDirectory() as name, chdir(name):
        folder = Path(name)
        write_placed(folder, placed, shift=1)
        git(folder, "init", "--quiet")
        commit_all(folder)
        call("compile", "--format", "result", "--output", "base.json")
        write_placed(folder, placed)
        _, printed, _ = call("compile")
        pillars = from_tagged(json.loads(printed))
        assert len(pillars) == len(placed)
        for pillar in pillars.values():
            # An include that Salt stops at costs its minion, in Salt as well.
            assert pillar.get("ok") == 1 or "$raises" in pillar
        check_commands(["m0", "m1"])


@settings(max_examples=1)
@given(PLACED)
def test_a_value_costs_no_more_than_its_sls(placed: Placed) -> None:
    check_placed(placed)


@pytest.mark.minutes(7)
@pytest.mark.slow
@settings(max_examples=300)
@given(PLACED)
def test_many_values_cost_no_more_than_their_sls(placed: Placed) -> None:
    check_placed(placed)


def check_declared(entry: str, top: str) -> None:
    """Compile with a value in the inventory or the top file; it may be refused in a sentence."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        folder = Path(name)
        reads = {f"pillar/{sls}.sls": text for sls, text in READS.items()}
        files = {**reads, "pillar/top.sls": READING_TOP}
        write(folder, {**files, "minions.yml": "minions: {a: {}, b: {}}\n"})
        git(folder, "init", "--quiet")
        commit_all(folder)
        call("compile", "--format", "result", "--output", "base.json")
        files["pillar/top.sls"] = top
        write(folder, {**files, "minions.yml": f"minions:\n  a: {entry}\n  b: {{}}\n"})
        code, printed, said = call("compile")
        if code == 1 and not printed:
            assert said.startswith("pillarbook: minions.yml:")
            return
        assert set(json.loads(printed)) == {"a", "b"}
        check_commands(["a", "b"])


ENTRIES = st.one_of(
    st.tuples(st.builds(put, st.sampled_from(INVENTORIES), VALUES), st.just(READING_TOP)),
    st.tuples(st.just("{}"), st.builds(put, st.sampled_from(TOPS), VALUES)),
)


@pytest.mark.slow
@settings(max_examples=1)
@given(ENTRIES)
@example(("{}", "base: {'*': [ok, \"\\0\"]}\n"))
def test_a_declared_value_is_taken_or_refused(drawn: tuple[str, str]) -> None:
    check_declared(*drawn)


@pytest.mark.minutes(6)
@pytest.mark.slow
@settings(max_examples=400)
@given(ENTRIES)
def test_many_declared_values_are_taken_or_refused(drawn: tuple[str, str]) -> None:
    check_declared(*drawn)


LONG = f"0x{'f' * 3600}"
FOUND = {
    "an integer of too many digits": f"k: {LONG}\n",
    "one as a key": f"? {LONG}\n: 1\n",
    "one in a set": f"k: !!set {{? {LONG} }}\n",
    "one in base 60": f"k: 1{':59' * 2500}\n",
    "one from TOML": f"#!toml\nk = {LONG}\n",
    "one as a secret": f"password: {LONG}\n",
    "one that a template puts into the pillar": (
        f"{{% load_yaml as v %}}\nk: {LONG}\n{{% endload %}}\n{{% do pillar.update(v) %}}\n"
    ),
    "one that a template asks for": (
        f"{{% load_yaml as v %}}\nk: {LONG}\n{{% endload %}}\nk: {{{{ grains.get(v.k) }}}}\n"
    ),
    "a number that is both a key and the secret below it": (
        "98765432101234567: {password: 98765432101234567}\n"
    ),
    "the longest as a secret that is read": f"password: {'9' * 4300}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_found_values_cost_no_more_than_their_sls(text: str) -> None:
    check_placed([(text, "1"), ("password: hunter2\n", "1")])
