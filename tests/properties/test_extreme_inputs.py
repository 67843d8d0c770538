"""Extreme values in what is not of the tree: configurations, external data, saved results, dumps.

Each is taken, or refused in a sentence; none is an internal error.
"""

import json
import tempfile
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.properties.extremes import JSON_VALUES, OPTIONS, SECTION, VALUES, put
from tests.properties.test_extremes import call, write

TREE = {
    "pillar/top.sls": "base: {'*': [ok, asks]}\n",
    "pillar/asks.sls": "asks: {{ salt['network.ip_addrs']() }}\nnow: {{ None | strftime('%Y') }}\n",
    "stack.cfg": "more.yml\n",
    "more.yml": "more: 1\n",
    "grains.json": '{"g": 1}',
}


def check_written(files: dict[str, str]) -> None:
    """Run commands over a tree with other files; what is refused is refused in a sentence."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        write(Path(name), {"minions.yml": "minions: {a: {}, b: {}}\n", **TREE, **files})
        for words in (("compile",), ("check",), ("explain", "a"), ("diff", "--environments")):
            code, _, said = call(*words, *(("base", "dev") if words[0] == "diff" else ()))
            assert code in (0, 1, 2, 3), words
            assert "Traceback" not in said


def section_with(options: str) -> dict[str, str]:
    return {"mkdocs.yml": SECTION.replace("OPTIONS", options)}


WRITTEN = st.one_of(
    st.builds(put, st.sampled_from(OPTIONS), VALUES).map(section_with),
    st.builds("more: {}\n".format, VALUES).map(
        lambda text: {"more.yml": text, "master": "ext_pillar: [{stack: stack.cfg}]\n"}
    ),
    st.builds("pillar_roots: {{base: [pillar]}}\next_pillar: {}\n".format, VALUES).map(
        lambda text: {"master": text}
    ),
    st.builds(
        "pillar_roots: {{base: [pillar]}}\nnodegroups: {{a: {0}}}\ng: {0}\n".format, VALUES
    ).map(lambda text: {"master": text}),
    JSON_VALUES.map(
        lambda text: {"grains.json": text, "minions.yml": "minions: {a: {grains: grains.json}}\n"}
    ),
    JSON_VALUES.map(lambda text: {"minions.yml": f'{{"minions": {{"a": {text}}}}}\n'}),
)


DEEP = '{"a": ' * 990 + "1" + "}" * 990
"""As deep as Python reads JSON, and deeper than what handles it goes."""


@settings(max_examples=4)
@given(WRITTEN)
@example({"grains.json": DEEP, "minions.yml": "minions: {a: {grains: grains.json}}\n"})
@example({"master": "pillar_roots: {base: [pillar]}\ng: !!map 2020-01-31\n"})
def test_what_is_declared_is_taken_or_refused(files: dict[str, str]) -> None:
    check_written(files)


@pytest.mark.slow
@settings(max_examples=600)
@given(WRITTEN)
def test_many_declarations_are_taken_or_refused(files: dict[str, str]) -> None:
    check_written(files)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a saved result of a small fleet."""
    folder = tmp_path_factory.mktemp("result")
    with chdir(folder):
        tree = {**TREE, "pillar/ok.sls": "ok: 1\npassword: hunter2hunter2\nlist: [1, {a: b}]\n"}
        write(folder, {"minions.yml": "minions: {a: {}, b: {}}\n", **tree})
        assert call("compile", "--format", "result", "--output", "one.json")[0] == 0
    return (folder / "one.json").read_text()


def replace_part(text: str, number: int, value: str) -> str:
    """Return a JSON text with another value for one of its parts."""
    data = json.loads(text)
    spots: list[tuple[dict[str, object] | list[object], str | int]] = []

    def gather(part: object) -> None:
        items = part.items() if isinstance(part, dict) else enumerate(part)  # type: ignore[arg-type]
        for key, item in list(items):
            spots.append((part, key))  # type: ignore[arg-type]
            if isinstance(item, dict | list):
                gather(item)

    gather(data)
    part, key = spots[number % len(spots)]
    part[key] = "@@"  # type: ignore[index]
    return json.dumps(data).replace('"@@"', value)


def check_result(result: str, number: int, value: str) -> None:
    with tempfile.TemporaryDirectory() as name, chdir(name):
        write(Path(name), {"minions.yml": "minions: {a: {}, b: {}}\n", **TREE})
        Path("one.json").write_text(result)
        Path("other.json").write_text(replace_part(result, number, value))
        for words in (("one.json", "other.json"), ("other.json", "one.json")):
            for form in ("text", "json", "markdown"):
                assert call("diff", *words, "--format", form)[0] in (0, 1, 2, 3)
        Path("dump.json").write_text(
            replace_part('{"a": {"ok": 1, "b": [1]}, "b": {}}', number, value)
        )
        assert call("verify", "dump.json")[0] in (0, 1, 2, 3)


@settings(max_examples=4)
@given(number=st.integers(0, 1000), value=JSON_VALUES)
@example(number=0, value=DEEP)
@example(number=4, value="1e400")
@example(number=73, value=r'"\ud800"')
@example(number=835, value='{"$unknown": []}')
def test_a_saved_result_is_taken_or_refused(result: str, number: int, value: str) -> None:
    check_result(result, number, value)


@pytest.mark.slow
@settings(max_examples=800)
@given(number=st.integers(0, 1000), value=JSON_VALUES)
def test_many_saved_results_are_taken_or_refused(result: str, number: int, value: str) -> None:
    check_result(result, number, value)
