"""What a comparison tells of secrets that were opened: by value in one place, elsewhere nothing."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.support.derived import opened, write_tree
from tests.support.messages import encrypting

from pillarbook.changes.saved_results import UNKNOWN, compare_saved
from pillarbook.cli.output import write_result
from pillarbook.compare.diff import Diff
from pillarbook.compare.secret_pairs import CHANGED, CIPHERTEXT, NOT_TOLD, describe_secrets
from pillarbook.inventory.settings import load_settings
from pillarbook.report.diff_json import diff_to_json
from pillarbook.session import RunOptions, open_session

SLS = "#!yaml|gpg\n"
CLEAR = ("Teapot-4187-kettle", "Saucer-2210-spoon")
SAME = "re-encrypted, same value: "
WORDS = (CHANGED, NOT_TOLD)


@pytest.fixture(scope="module")
def messages() -> Iterator[Mapping[str, str]]:
    """Messages: ``a`` and ``again`` hold one text, ``b`` another."""
    with encrypting() as encrypt:
        texts = {"a": CLEAR[0], "again": CLEAR[0], "b": CLEAR[1]}
        yield {name: json.dumps(encrypt(text.encode())) for name, text in texts.items()}


def save(folder: Path, files: Mapping[str, str], *, decrypt: bool = True) -> Path:
    top = f"base: {{'*': [{', '.join(name.partition('.')[0] for name in files)}]}}\n"
    trees = {f"pillar/{name}": text for name, text in {**files, "top.sls": top}.items()}
    write_tree(folder, trees, settings={"decrypt": decrypt})
    result = folder / "result.json"
    with opened(folder) as session, result.open("w", encoding="utf-8") as out:
        session.freeze_fleet_secrets()
        write_result(out, session, map(session.report.pillar, session.fleet.minions))
    return result


def compare(
    folder: Path, base: Mapping[str, str], head: Mapping[str, str], *, decrypt: bool = True
) -> Diff:
    saved = [
        save(folder / name, files, decrypt=decrypt) for name, files in (("b", base), ("h", head))
    ]
    return compare_saved(*saved)[0]


PAIRS = {
    "left as it is": ({"x.sls": "p: {a}"}, {"x.sls": "# new\np: {a}"}, None),
    "encrypted anew": ({"x.sls": "p: {a}"}, {"x.sls": "p: {again}"}, SAME),
    "encrypted anew in a list": ({"x.sls": "p: [{b}, {a}]"}, {"x.sls": "p: [{again}, {b}]"}, SAME),
    "rotated": ({"x.sls": "p: {a}"}, {"x.sls": "p: {b}"}, CHANGED),
    "moved as it is": ({"x.sls": "p: {a}"}, {"y.sls": "p: {a}"}, None),
    "moved, the same": ({"x.sls": "p: {a}"}, {"y.sls": "p: {again}"}, NOT_TOLD),
    "moved, another": ({"x.sls": "p: {a}"}, {"y.sls": "p: {b}"}, NOT_TOLD),
    "a right guess under a name": (
        {"x.sls": "password: {a}"},
        {"x.sls": f"password: {CLEAR[0]}"},
        NOT_TOLD,
    ),
    "a wrong guess under a name": (
        {"x.sls": "password: {a}"},
        {"x.sls": f"password: {CLEAR[1]}"},
        NOT_TOLD,
    ),
    "plain, changed": (
        {"x.sls": f"password: {CLEAR[0]}"},
        {"x.sls": f"password: {CLEAR[1]}"},
        CHANGED,
    ),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("case", PAIRS)
def test_what_is_told_of_two_secrets(
    case: str, messages: Mapping[str, str], tmp_path: Path
) -> None:
    *sides, told = PAIRS[case]
    base, head = (
        {name: SLS + fill(text, messages) for name, text in side.items()} for side in sides
    )
    diff = compare(tmp_path, base, head)
    notes = " ".join(diff.notes)
    assert (SAME in notes) is (told == SAME)
    assert (NOT_TOLD in notes) is (told == NOT_TOLD)
    changed = [atom.change for atom in diff.atoms if atom.change.kind == "changed"]
    assert [describe_secrets(change) for change in changed] == ([told] if told in WORDS else [])
    atoms = diff_to_json(diff, str)["atoms"]
    assert any(one.get("equality") == "not told" for one in atoms) is (told == NOT_TOLD)


def fill(text: str, messages: Mapping[str, str]) -> str:
    for name, message in messages.items():
        text = text.replace(f"{{{name}}}", message)
    return f"{text}\n"


def test_a_moved_member_of_a_list_stays_what_it_is(
    messages: Mapping[str, str], tmp_path: Path
) -> None:
    base = {"x.sls": SLS + fill("p: [{b}, {a}]", messages)}
    head = {"x.sls": SLS + fill("p: [{again}, {b}]", messages)}
    assert [atom.change.kind for atom in compare(tmp_path, base, head).atoms] == ["moved"]


def test_ciphertext_without_a_key(messages: Mapping[str, str], tmp_path: Path) -> None:
    sides = ({"x.sls": SLS + fill(f"p: {{{name}}}", messages)} for name in ("a", "again"))
    diff = compare(tmp_path, *sides, decrypt=False)
    assert [describe_secrets(atom.change) for atom in diff.atoms] == [CIPHERTEXT]


def test_an_old_result_compares_secrets_as_unknown(
    messages: Mapping[str, str], tmp_path: Path
) -> None:
    text = "password: {a}\nplain: {plain_password: tea-41-kettle}"
    saved = save(tmp_path / "new", {"x.sls": SLS + fill(text, messages)})
    data = json.loads(saved.read_text())
    assert data["schema"] == "pillarbook.result/2"
    data["schema"] = "pillarbook.result/1"
    for part in data["parts"]:
        for leaf in part["leaves"]:
            for one in (leaf, *(given for _, given in leaf["origins"])):
                if "secret" in one:
                    one["secret"] = [one["secret"][0], "0123456789abcdef"]
    old = tmp_path / "old.json"
    old.write_text(json.dumps(data))
    for sides in ((old, saved), (saved, old), (old, old)):
        diff, _ = compare_saved(*sides)
        assert diff.atoms == ()
        assert UNKNOWN in diff.not_compared


def test_equality_does_not_count_without_trust(tmp_path: Path) -> None:
    text = "site_password: Teapot-4187-kettle\n"
    files = {"pillar/top.sls": "base: {'*': [db]}", "pillar/db.sls": text}
    for asked in (True, False):
        folder = write_tree(tmp_path, files, settings={"redact": {"equality": asked}})
        with open_session(load_settings(folder / "mkdocs.yml"), RunOptions()) as session:
            told = [one.path for one in session.shown.diagnostics if one.code == "needs-trust"]
        assert told == ([("redact", "equality")] if asked else [])
