"""The law of runs without keys: what they show as known is what a run with keys gives."""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.support.derived import opened, write_tree
from tests.support.fleets import open_fleet
from tests.support.messages import encrypting
from tests.support.repositories import commit_all, git
from tests.support.tiers import fewer

from pillarbook.changes.saved_results import compare_saved
from pillarbook.cli.main import run
from pillarbook.cli.output import write_result
from pillarbook.compare.secret_pairs import CIPHERTEXT, describe_secrets
from pillarbook.model import plain, to_tagged
from pillarbook.redact.redacted_json import to_json

ROOTS = {"pillar_roots": {"base": ["pillar"]}, "file_roots": {"base": ["salt"]}}
TOKEN = re.compile(r'"token": "\w+"')
CLEAR = ("x", "Teapot-4187-kettle", "5", "two words", "user: a # b")
VALUES = (
    *("{{ pillar.pw }}", "{{ pillar['pw'] | json }}", "'{{ pillar.db.pw }}'", "{{ pillar.known }}"),
    *("{{ pillar.db | json }}", "x-{{ pillar.db.pw }}", "{{ pillar.db.port + 1 }}", "plain"),
    *("{{ salt['pillar.get']('db:pw') | length }}", "{{ salt['pillar.get']('db:no', 'none') }}"),
    *("{{ pillar.pw == pillar.db.pw }}", "{{ pillar.words | join(',') | json }}"),
    *("{{ pillar.words[0] }}", "{{ pillar.words | length }}", "{{ pillar.db.keys() | list }}"),
)
GUARDS = (
    *("pillar.pw", "pillar.get('pw') is string", "salt['pillar.get']('db:pw', '') != ''"),
    *("pillar.pw is defined and pillar.pw is not none", "not pillar['pw'] == ''"),
)
"""Conditions of which the outcome is known of a text that is not empty."""
CONDITIONS = (
    *GUARDS,
    "pillar.pw == 'x'",
    "pillar.db.pw | int > 3",
    "pillar.known == 1",
    "'x' in pillar.words",
)
BODIES = (
    "{id}:\n  test.nop:\n    - x: {value}\n",
    "{id}:\n  file.managed:\n    - contents_pillar: pw\n    - contents: |\n        {value}\n",
    "{{% if {condition} %}}\n{id}:\n  test.nop:\n    - x: {value}\n{{% endif %}}\n",
    "{id}:\n  test.nop:\n    - y: 1\n    {{% if {condition} %}}\n    - x: {value}\n    {{% endif %}}\n",
    "{{% for k, v in pillar.db.items() %}}\n{id}{{{{ k }}}}:\n  test.nop:\n    - x: {{{{ v | json }}}}\n{{% endfor %}}\n",
    "{{% for w in pillar.words %}}\n{id}{{{{ loop.index }}}}:\n  test.nop:\n    - x: {{{{ w | json }}}}\n{{% endfor %}}\n",
)


@pytest.fixture(scope="module")
def messages() -> Iterator[Mapping[str, str]]:
    with encrypting() as encrypt:
        yield {f"<{text}>": json.dumps(encrypt(text.encode())) for text in CLEAR}


@st.composite
def trees(draw: st.DrawFn) -> Mapping[str, str]:
    """Draw SLS files with ciphertext as ``<clear>``, and states that read it."""
    sealed = [f"<{text}>" for text in CLEAR]
    values = st.sampled_from([*sealed, *sealed, "1", "x"])
    first, second, third, fourth = (draw(values) for _ in range(4))
    states = "s0:\n  test.nop: []\n"
    for number in range(1, draw(st.integers(1, 3)) + 1):
        body = draw(st.sampled_from(BODIES))
        value, condition = draw(st.sampled_from(VALUES)), draw(st.sampled_from(CONDITIONS))
        states += body.format(id=f"s{number}", value=value, condition=condition)
    more = draw(st.sampled_from(("", "pw: y\n", "db: {port: 2, new: 3}\n", f"words: {third}\n")))
    return {
        "pillar/top.sls": "base: {'*': [p, q]}\n",
        "pillar/p.sls": f"#!yaml|gpg\npw: {first}\ndb: {{port: 1, pw: {second}}}\n"
        f"words: [x, {third}]\nknown: 1\n",
        "pillar/q.sls": f"#!jinja|yaml|gpg\nlate: {fourth}\n{more}",
        "salt/top.sls": "base: {'*': [s]}\n",
        "salt/s.sls": states,
    }


@given(data=st.data())
def test_what_is_shown_without_keys_is_so_with_keys(
    messages: Mapping[str, str], data: st.DataObject
) -> None:
    drawn = data.draw(trees())
    files = {name: _fill(text, messages) for name, text in drawn.items()}
    with tempfile.TemporaryDirectory() as scratch:
        folder = write_tree(Path(scratch), files, master=ROOTS)
        with open_fleet(folder) as fleet:
            real = [plain(one.tree) for one in (fleet.compile("a"), fleet.compile_states("a"))]
        with opened(folder, memo=True) as session:
            compiled = session.compiler.compile("a")
            states = session.compiler.compile_states(compiled)
            session.freeze_asked_secrets([compiled, states])
            shown = [_parse(session.shown.write_json(one).text) for one in (compiled, states)]
            left_out = [one.code for one in states.diagnostics if one.code == "unknown-state"]
    event(f"left out: {bool(left_out)}")
    assert disagreement(shown[0], to_tagged(real[0])) is None
    mine, theirs = shown[1], to_tagged(real[1])
    if theirs["errors"]:
        event("does not render")  # an answer is assumed not to end the scalar that it is in
        return
    if mine["errors"]:
        event("states lost")
        assert left_out
        return
    event("compared")
    if left_out:
        names = [chunk["__id__"] for chunk in mine["chunks"]]
        theirs["chunks"] = [one for one in theirs["chunks"] if one["__id__"] in names]
    assert disagreement(mine, theirs) is None


@fewer(3)
@given(data=st.data())
def test_findings_without_keys_are_those_with_keys(
    messages: Mapping[str, str], data: st.DataObject
) -> None:
    files = {name: _fill(text, messages) for name, text in data.draw(trees()).items()}
    without, with_keys = (_find(files, decrypt=decrypt) for decrypt in (False, True))
    if any(code == "jinja-error" or "error" in code for code, _, _ in with_keys):
        event("does not render")
        return
    more = {one for one in without - with_keys if one[0] != "unknown-state"}
    assert more == set()


def _find(files: Mapping[str, str], *, decrypt: bool) -> set[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = write_tree(Path(scratch), files, master=ROOTS, settings={"decrypt": decrypt})
        with opened(folder) as session:
            for one in session.compiler.compile_all(session.fleet.minions):
                session.compiler.compile_states(one)
            session.freeze_fleet_secrets()
            return {(one.code, str(one.position), one.message) for one in session.shown.diagnostics}


@fewer(3)
@given(data=st.data())
def test_changes_without_keys_are_those_with_keys(
    messages: Mapping[str, str], data: st.DataObject
) -> None:
    sides = [data.draw(trees()) for _ in range(2)]
    filled = [{name: _fill(text, messages) for name, text in one.items()} for one in sides]
    without, with_keys = (_compare(*filled, decrypt=decrypt) for decrypt in (False, True))
    event(f"changes: {len(without)}")
    for place, change in without.items():
        assert with_keys.get(place) == change, (place, with_keys)


def _compare(base: Mapping[str, str], head: Mapping[str, str], *, decrypt: bool) -> dict[Any, Any]:
    """Return the changes of a comparison that are certain, by kind and path."""
    with tempfile.TemporaryDirectory() as scratch:
        saved = [
            _save(Path(scratch) / name, files, decrypt=decrypt)
            for name, files in (("base", base), ("head", head))
        ]
        diff, _ = compare_saved(*saved)
    found = {}
    for atom in diff.atoms:
        change = atom.change
        values = [to_json(one, str) for one in (change.before, change.after)]
        if describe_secrets(change) != CIPHERTEXT:
            found[change.kind, change.path] = [
                "secret" if "redacted" in str(value) else value for value in values
            ]
    return found


def _save(folder: Path, files: Mapping[str, str], *, decrypt: bool) -> Path:
    write_tree(folder, files, master=ROOTS, settings={"decrypt": decrypt})
    result = folder / "result.json"
    with opened(folder) as session, result.open("w", encoding="utf-8") as out:
        session.freeze_fleet_secrets()
        write_result(out, session, map(session.report.pillar, session.fleet.minions))
    return result


def _fill(text: str, messages: Mapping[str, str]) -> str:
    for name, message in messages.items():
        text = text.replace(name, message)
    return text


def _parse(text: str) -> Any:
    return json.loads(f"{{{text}}}")["a"]


def disagreement(shown: Any, real: Any, path: str = "") -> str | None:
    """Return where something is shown as known that is not so; None if nowhere."""
    if isinstance(shown, dict) and ("redacted" in shown or "$unknown" in shown):
        return None
    if type(shown) is not type(real):
        return f"{path}: {shown!r} and {real!r}"
    if isinstance(shown, dict):
        if [*shown] != [*real]:
            return f"{path}: {[*shown]} and {[*real]}"
        found = [disagreement(shown[key], real[key], f"{path}:{key}") for key in shown]
    elif isinstance(shown, list):
        if len(shown) != len(real):
            return f"{path}: {shown} and {real}"
        found = [disagreement(a, b, path) for a, b in zip(shown, real, strict=True)]
    else:
        return None if shown == real else f"{path}: {shown!r} and {real!r}"
    return next((one for one in found if one is not None), None)


@fewer(4)
@given(data=st.data())
def test_causes_without_keys_are_those_with_keys(
    messages: Mapping[str, str], data: st.DataObject
) -> None:
    sides = [data.draw(trees()) for _ in range(2)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "tree"
        for number, side in enumerate(sides):
            files = {name: _fill(text, messages) for name, text in side.items()}
            write_tree(folder, files, master=ROOTS)
            if not number:
                git(folder, "init", "--quiet", "--initial-branch", "main")
            commit_all(folder)
        without, with_keys = (_explain(folder, decrypt=decrypt) for decrypt in (False, True))
    event(f"changes: {len(without)}")
    for place, told in without.items():
        assert with_keys.get(place) == told, (place, with_keys)


def _explain(folder: Path, *, decrypt: bool) -> dict[Any, Any]:
    """Return the changes between two commits that are certain, with their causes."""
    write_tree(folder, {}, master=ROOTS, settings={"decrypt": decrypt})
    out = folder.parent / "diff.json"
    words = ["diff", "HEAD~1", "HEAD", "--trust", "--format", "json", "--output", str(out)]
    with chdir(folder):
        assert run([*words, "--fail-on", "none"]) == 0
    told = json.loads(out.read_text())
    found: dict[Any, Any] = {}
    for one in (*told["atoms"], *told["states"]):
        if not _is_ciphertext(one):
            named = json.dumps(one.get("path", one.get("state_id")))
            place = one["kind"], TOKEN.sub("", named)  # each run has a key of its own
            found[place] = one["because"], one["proven"]
    return found


def _is_ciphertext(one: Mapping[str, Any]) -> bool:
    """Say whether all that a change has are other messages."""
    changed = one.get("arguments") or [one]
    return all(
        "PGP message" in str(part.get("before")) and "PGP message" in str(part.get("after"))
        for part in changed
    )


@pytest.mark.parametrize("guard", GUARDS)
def test_a_state_behind_a_guard_is_kept(
    guard: str, messages: Mapping[str, str], tmp_path: Path
) -> None:
    state = "s:\n  test.nop:\n    - x: {{ pillar.pw }}\n"
    files = {
        "pillar/top.sls": "base: {'*': [p]}\n",
        "pillar/p.sls": "#!yaml|gpg\npw: <x>\ndb: {pw: <5>}\n",
        "salt/top.sls": "base: {'*': [s]}\n",
        "salt/s.sls": f"{{% if {guard} %}}\n{state}{{% endif %}}\n",
    }
    filled = {name: _fill(text, messages) for name, text in files.items()}
    folder = write_tree(tmp_path, filled, master=ROOTS)
    with opened(folder) as session:
        states = session.compiler.compile_states(session.compiler.compile("a"))
    assert states.errors == ()
    assert [one.code for one in states.diagnostics] == []
    assert len(plain(states.tree)["chunks"]) == 1
