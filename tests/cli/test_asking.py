"""What one asks by name: ids, keys and configurations, and what is said where there is none."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_fleet

from pillarbook.cli.main import run

FILES = {
    "top.sls": "base: {'*': [keys], 'web*': [web]}\n",
    "keys.sls": (
        "plain: {key: 1}\n'a:colon': {x: 2}\nports: {80: http, true: due}\n"
        "deep: {'b:c': {'d:e': [3, 4]}}\nboth: {a: plain}\n'both:a': colon\n"
    ),
    "web.sls": "web: {workers: 8}\n",
}
MINIONS = ("web1.acme.test", "web1.other.test", "db1.acme.test")
ARGUMENTS = ("--master", "master", "--inventory", "minions.yml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_fleet(tmp_path, FILES, {minion: {} for minion in MINIONS})
    monkeypatch.chdir(tmp_path)
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


def test_get_says_that_nobody_has_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["get", "nothere", *ARGUMENTS]) == 0
    out, err = capsys.readouterr()
    assert out.split() == [word for minion in MINIONS for word in (minion, "-")]
    assert err == "pillarbook: no minion has the key 'nothere'\n"
    assert run(["get", "web:workers", "--minion", "db*", *ARGUMENTS]) == 0
    assert capsys.readouterr().err == (
        "pillarbook: no minion that matches has the key 'web:workers'\n"
    )
    assert run(["get", "web:workers", *ARGUMENTS]) == 0
    assert capsys.readouterr().err == ""


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


@pytest.mark.parametrize(
    "words",
    [["check"], ["compile"], ["get", "a"], ["explain", "a"], ["verify", "-"], ["build"], ["serve"]],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("file", [None, "other.yml"])
def test_a_configuration_that_is_not_there(
    words: list[str], file: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, *(["-f", file] if file else [])]) == 1
    out, err = capsys.readouterr()
    sentence = f"{file or 'mkdocs.yml'} does not exist; give a MkDocs configuration with -f FILE"
    if words[0] not in ("build", "serve"):
        sentence += ", or give --master FILE --inventory FILE"
    assert (out, err) == ("", f"pillarbook: {sentence}\n")
