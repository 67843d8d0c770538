"""What one asks by name: ids, keys and configurations, and what is said where there is none."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.invoked import Printed

from pillarbook.cli.main import run

FILES = {
    "top.sls": "base: {'*': [keys], 'web*': [web]}\n",
    "keys.sls": (
        "plain: {key: 1}\n'a:colon': {x: 2}\nports: {80: http, true: due}\n"
        "deep: {'b:c': {'d:e': [3, 4]}}\nboth: {a: plain}\n'both:a': colon\nnull: 0\n"
    ),
    "web.sls": "web: {workers: 8}\n",
}
MINIONS = ("web1.acme.test", "web1.other.test", "db1.acme.test")
ARGUMENTS = ("--master", "master", "--inventory", "minions.yml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_fleet(tmp_path, FILES, {minion: {} for minion in MINIONS}))
    return tmp_path


KEYS = {
    "two keys": ("plain:key", [["plain", "key"]]),
    "a colon in a key": ("a:colon", [["a:colon", "x"]]),
    "below it": ("a:colon:x", [["a:colon", "x"]]),
    "a number": ("ports:80", [["ports", 80]]),
    "true": ("ports:True", [["ports", True]]),
    "several": ("deep:b:c:d:e:1", [["deep", "b:c", "d:e", 1]]),
    "as far as a list": ("deep:b:c:d:e", [["deep", "b:c", "d:e", 0], ["deep", "b:c", "d:e", 1]]),
    "plain first": ("both:a", [["both", "a"]]),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("key", "paths"), KEYS.values(), ids=KEYS)
def test_every_key_can_be_asked_for(
    key: str, paths: list[list[object]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = (*ARGUMENTS, "--format", "json")
    assert run(["explain", "db1.acme.test", key, *asked]) == 0
    assert [one["path"] for one in json.loads(capsys.readouterr().out)["values"]] == paths
    assert run(["get", key, *asked]) == 0
    out, err = capsys.readouterr()
    for minion in MINIONS:
        assert [one["path"] for one in json.loads(out)["minions"][minion]] == paths
    assert "has the key" not in err


@pytest.mark.parametrize("key", ["a:col", "a:colon:", "ports:8", "deep:b", ":", "plain:key:"])
def test_part_of_a_key_is_no_key(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "db1.acme.test", key, *ARGUMENTS]) == 1
    assert f"'db1.acme.test' has no key '{key}'" in capsys.readouterr().err


def test_get_says_that_nobody_has_a_key(printed: Printed) -> None:
    out, err = printed(["get", "nothere", *ARGUMENTS], 1)
    assert out == ""
    assert err == "pillarbook: no minion has the key 'nothere'\n"
    out = printed(["get", "nothere", "--flat", *ARGUMENTS], 1).out
    assert out.split() == [word for minion in MINIONS for word in (minion, "-")]
    assert printed(["get", "web:workers", "--minion", "db*", *ARGUMENTS], 1).err == (
        "pillarbook: no minion that matches has the key 'web:workers'\n"
    )
    assert printed(["get", "web:workers", *ARGUMENTS]).err == ""


def test_get_prints_a_value_once_for_all_minions(folder: Path, printed: Printed) -> None:
    (folder / "pillar/web.sls").write_text("plain: {key: 7}\nweb: {'a.b': x}\n")
    assert printed(["get", "plain", *ARGUMENTS]).out.splitlines() == [
        "plain:key: 7  both of web*  pillar/web.sls:1, overrides 1  pillar/keys.sls:1",
        "plain:key: 1  db1.acme.test  pillar/keys.sls:1",
    ]
    assert printed(["get", "web", *ARGUMENTS]).out.splitlines() == [
        'web:a.b: "x"  both of web*  pillar/web.sls:2',
        "not set on 1 minion",
    ]
    assert printed(["get", "plain", "--flat", *ARGUMENTS]).out.splitlines() == [
        "web1.acme.test   plain:key: 7  pillar/web.sls:1",
        "web1.other.test  plain:key: 7  pillar/web.sls:1",
        "db1.acme.test    plain:key: 1  pillar/keys.sls:1",
    ]


def test_get_folds_places_that_set_the_same_value(folder: Path, printed: Printed) -> None:
    (folder / "pillar/web.sls").write_text("plain: {key: 1}\n")
    assert printed(["get", "plain", *ARGUMENTS]).out.splitlines() == [
        "plain:key: 1  all 3 minions",
        "    pillar/web.sls:1, overrides 1  pillar/keys.sls:1  both of web*",
        "    pillar/keys.sls:1  db1.acme.test",
    ]


def test_get_leaves_out_the_same_line_of_another_environment(
    folder: Path, printed: Printed
) -> None:
    """With two environments of one folder, each line is read twice, and overrides itself."""
    (folder / "master").write_text("pillar_roots: {base: [pillar], prod: [pillar]}\n")
    top = "base: {'*': [keys], 'web*': [web]}\nprod: {'*': [keys], 'web*': [web]}\n"
    (folder / "pillar/top.sls").write_text(top)
    (folder / "pillar/web.sls").write_text("plain: {key: 7}\n")
    assert printed(["get", "plain", *ARGUMENTS]).out.splitlines() == [
        "plain:key: 7  both of web*  pillar/web.sls:1, overrides 1  pillar/keys.sls:1",
        "plain:key: 1  db1.acme.test  pillar/keys.sls:1",
    ]


LISTS = {
    "a member": ("[a, b]", "[a]", ["l:1 not set on both of web*"]),
    "several": ("[a, b, c, d]", "[a]", ["l:1 to l:3 not set on both of web*"]),
    "all": ("[a]", "[]", ["l:0 not set on both of web*"]),
    "of the others": ("[a]", "[a, b]", ["l:1 not set on db1.acme.test"]),
    "of a list of mappings": ("[a: {x: 1, y: 2}]", "[]", ["l:0 not set on both of web*"]),
    "of an inner list": ("[[1, 2]]", "[[1]]", ["l:0:1 not set on both of web*"]),
    "none": ("[a, b]", "[b, a]", []),
    "no list": ("[a]", "a", []),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize(("value", "other", "told"), LISTS.values(), ids=LISTS)
def test_get_says_who_lacks_members_of_a_list(
    value: str, other: str, told: list[str], folder: Path, printed: Printed
) -> None:
    (folder / "pillar/keys.sls").write_text(f"l: {value}\n")
    (folder / "pillar/web.sls").write_text(f"l: {other}\n")
    for key in ("l", "l:0"):
        lines = printed(["get", key, *ARGUMENTS]).out.splitlines()
        wanted = [line for line in told if key == "l" or line.startswith("l:0:")]
        assert [line for line in lines if " not set on " in line] == wanted


@pytest.mark.parametrize(
    ("dotted", "key"),
    [("plain.key", "plain:key"), ("web.a.b", "web:a.b"), ("web:a", None), ("plain.no", None)],
)
def test_get_understands_keys_with_dots(
    dotted: str, key: str | None, folder: Path, printed: Printed
) -> None:
    (folder / "pillar/web.sls").write_text("web: {'a.b': x}\n")
    out, err = printed(["get", dotted, *ARGUMENTS], 1 if key is None else 0)
    assert out.startswith(f"{key}: ") == (key is not None)
    assert (err == f"pillarbook: '{dotted}' is read as '{key}'\n") == (key is not None)
    explained = printed(["explain", "web1.acme.test", dotted, *ARGUMENTS], 1 if key is None else 0)
    assert (explained.err == err) == (key is not None)
    assert (f"{key}: " in explained.out) == (key is not None)


KEY_HINTS = {
    "a slip": ("web:worker", "; did you mean 'web:workers'?"),
    "a slip in the first key": ("plane", "; did you mean 'plain'?"),
    "the last key": ("workers", "; did you mean 'web:workers'?"),
    "a null of YAML": ("null", "; did you mean 'None'?"),
    "a boolean of YAML": ("ports:true", "; did you mean 'ports:True'?"),
    "nothing like it": ("zzz", ""),
}


@pytest.mark.parametrize(("key", "hint"), KEY_HINTS.values(), ids=KEY_HINTS)
def test_an_unknown_key_is_told_with_what_is_near(
    key: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", "web1.acme.test", key, *ARGUMENTS]) == 1
    assert capsys.readouterr().err == f"pillarbook: 'web1.acme.test' has no key '{key}'{hint}\n"
    assert run(["get", key, *ARGUMENTS]) == 1
    assert capsys.readouterr().err == f"pillarbook: no minion has the key '{key}'{hint}\n"


ENVIRONMENTS = {
    "a slip": ("pillar_roots: {base: [pillar], staging: [pillar]}", "stagin", False),
    "one of the roots": ("pillar_roots: {base: [pillar], staging: [pillar]}", "staging", True),
    "any": ("pillar_roots: {base: [pillar], __env__: [pillar]}", "feature", True),
    "of git": (
        "pillar_roots: {base: [pillar]}\next_pillar: [{git: [main file:///nothing]}]",
        "feature",
        True,
    ),
}


@pytest.mark.parametrize(("master", "name", "is_known"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_an_unknown_environment_is_an_error(
    master: str, name: str, is_known: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "master").write_text(master)
    code = run(["compile", "--pillarenv", name, *ARGUMENTS])
    told = capsys.readouterr().err
    assert ("is not in pillar_roots" in told) is not is_known
    if not is_known:
        assert code == 1
        assert "the environment 'stagin' of '--pillarenv' is not in pillar_roots" in told
        assert "did you mean 'staging'?" in told


def test_an_environment_of_the_configuration_is_known(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mkdocs.yml").write_text(
        "plugins: [{pillarbook: {master: master, inventory: minions.yml, "
        "environments: [base, next: {pillar_roots: {trial: [pillar]}}]}}]\n"
    )
    for name, code in (("next", 0), ("trial", 0), ("tryal", 1)):
        assert run(["compile", "--pillarenv", name]) == code
        assert ("is not in pillar_roots" in capsys.readouterr().err) is bool(code)


HINTS = {
    "a host": ("db1", "; did you mean 'db1.acme.test'?"),
    "a host of two": ("web1", "; did you mean 'web1.acme.test' or 'web1.other.test'?"),
    "a beginning": ("db1.ac", "; did you mean 'db1.acme.test'?"),
    "a slip": ("db1.acne.test", "; did you mean 'db1.acme.test'?"),
    "a slip in a host": ("db01", "; did you mean 'db1.acme.test'?"),
    "nothing like it": ("zzz", ""),
}


@pytest.mark.parametrize(("word", "hint"), HINTS.values(), ids=HINTS)
def test_an_unknown_id_is_told_with_what_is_near(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", word, *ARGUMENTS]) == 1
    assert capsys.readouterr().err == f"pillarbook: '{word}' is not in the inventory{hint}\n"
    assert run(["get", "plain", "--minion", word, *ARGUMENTS]) == 1
    assert capsys.readouterr().err == f"pillarbook: no declared minion matches '{word}'{hint}\n"


def test_a_misspelt_command_and_a_file_for_a_minion_are_told_with_what_was_meant(
    printed: Printed,
) -> None:
    _, err = printed(["chek"], 1)
    assert err.endswith("Error: No such command 'chek'. Did you mean 'check'?\n")
    assert printed(["zzz"], 1)[1].endswith("Error: No such command 'zzz'.\n")
    _, err = printed(["explain", "pillar/web.sls", *ARGUMENTS], 1)
    assert err.endswith(
        "is not in the inventory; for an SLS: pillarbook explain --sls pillar/web.sls\n"
    )
    _, err = printed(["explain", "web.cdn.sls", *ARGUMENTS], 1)
    assert err.endswith("; for an SLS: pillarbook explain --sls web.cdn\n")


@pytest.mark.parametrize(
    "words",
    [["check"], ["compile"], ["get", "a"], ["explain", "a"], ["verify", "-"], ["build"], ["serve"]],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("file", [None, "other.yml"])
def test_a_configuration_that_is_not_there(
    words: list[str], file: str | None, printed: Printed
) -> None:
    out, err = printed([*words, *(["-f", file] if file else [])], 1)
    sentence = (
        f"{file or 'mkdocs.yml'} does not exist; `pillarbook init` writes one, or give a MkDocs"
        " configuration with -f FILE"
    )
    if words[0] not in ("build", "serve"):
        sentence += ", or give --master FILE --inventory FILE"
    assert (out, err) == ("", f"pillarbook: {sentence}\n")


def test_get_takes_an_environment_for_every_minion(folder: Path, printed: Printed) -> None:
    (folder / "master").write_text("pillar_roots: {base: [pillar], new: [new]}\n")
    (folder / "new").mkdir()
    (folder / "new/top.sls").write_text("new: {'*': [keys]}\n")
    (folder / "new/keys.sls").write_text("told: {{ opts.pillarenv }}, {{ opts.saltenv }}\n")
    asked = ["get", "told", *ARGUMENTS]
    assert '"None, None"' in printed(asked).out
    assert '"new, None"' in printed([*asked, "--pillarenv", "new"]).out
    assert '"None, base"' in printed([*asked, "--saltenv", "base"]).out
    assert "--pillarenv" in printed([*asked, "--pillarenv", "none"], 1).err
