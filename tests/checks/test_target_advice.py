"""What somebody may have meant by a target that matches no minion."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.findings import find_all
from tests.support.fleets import write_fleet

from pillarbook.diagnostics import Diagnostic
from pillarbook.diagnostics.formats.text_and_json import to_text

MINIONS: dict[str, Any] = {
    "web1": {"grains": {"os": "Debian", "roles": ["web", "cache"], "num_cpus": 4}},
    "db1": {"grains": {"os": "Debian", "api": {"password": "kestrel-Regen7"}}},
}
NODEGROUPS = {"webs": "web1"}
CASES = {
    ("m(1|2)", "compound"): "warning: for a regular expression, write `E@m(1|2)`",
    ("^web[12]$", "compound"): "warning: for a regular expression, write `E@^web[12]$`",
    ("G@roles=web", "compound"): "warning: separate grain and value with a colon: `G@roles:web`",
    ("G@web", "compound"): "warning: write a grain with a value: `G@web:VALUE`",
    ("G@os:Deb.*", "compound"): "warning: for a regular expression, write `P@os:Deb.*`",
    ("g@os:Debian", "compound"): "warning: the letter of a matcher is a capital one: `G@os:Debian`",
    ("(G@os:Debian and x1)", "compound"): "warning: write parentheses with spaces around them:"
    " `( G@os:Debian and web* )`",
    ("N@web", "compound"): "warning: did you mean 'webs'? Otherwise, copy the nodegroup from your"
    " master to `nodegroups` in the master file",
    ("G@roles:webs", "compound"): "note: did you mean `G@roles:web`?",
    ("G@roles:web and G@os:Debain", "compound"): "note: did you mean `G@os:Debian`?",
    ("G@roles:wbe", "compound"): "note: did you mean `G@roles:web`?",
    ("G@role:web", "compound"): "note: did you mean `G@roles:web`?",
    ("x9* and G@roles:db", "compound"): "note: correct it, remove it, or declare its minions in the"
    " inventory",
    ("web1", "grain"): "warning: write a grain with a value: `web1:VALUE`",
    ("os:debain", "grain"): "note: did you mean `os:Debian`?",
    ("os:Deb.*", "grain"): "warning: for a regular expression, write `- match: grain_pcre`",
    ("os:Debian and x1", "grain"): "warning: for `and`, `or` and `not`, write `- match: compound`",
    ("num_cpus:5", "grain"): "note: correct it, remove it, or declare its minions in the inventory",
    ("web1 db1", "list"): "warning: separate the ids with commas: `web1,db1`",
    ("webz", "nodegroup"): "warning: did you mean 'webs'? Otherwise, copy the nodegroup from your"
    " master to `nodegroups` in the master file",
}


def check(folder: Path, targets: list[tuple[str, str]]) -> list[Diagnostic]:
    top = {target: [{"match": matcher}, "site"] for target, matcher in targets}
    files = {"site.sls": "name: shop\n", "top.sls": f"base: {top!r}\n"}
    write_fleet(folder, files, MINIONS, {"nodegroups": NODEGROUPS})
    return [one for one in find_all(folder) if one.code.endswith(("target", "minion"))]


@pytest.mark.parametrize("target", CASES, ids=" as ".join)
def test_the_remedy_says_what_may_be_meant(target: tuple[str, str], tmp_path: Path) -> None:
    (found,) = check(tmp_path, [target])
    assert f"{found.severity}: {found.help}" == CASES[target]


MATCHING = {
    "not G@roles:wbe": "the target 'not G@roles:wbe' (compound) has `G@roles:wbe`, which is true of"
    " no declared minion",
    "web1 or G@os:Debain": "the target 'web1 or G@os:Debain' (compound) has `G@os:Debain`, which is"
    " true of no declared minion",
    "not G@roles:WEB": None,
    "not G@roles:web*": None,
    "not G@virtual:docker": None,
    "not G@num_cpus:5": None,
}


@pytest.mark.parametrize("target", MATCHING)
def test_a_misspelt_word_of_a_target_that_matches(target: str, tmp_path: Path) -> None:
    found = check(tmp_path, [(target, "compound")])
    told = MATCHING[target]
    assert [(str(one.severity), one.message) for one in found] == [("note", told)] * bool(told)


def test_a_misspelt_word_is_told_without_its_secret(tmp_path: Path) -> None:
    (found,) = check(tmp_path, [("not G@api:password:kestrel-Regen8", "compound")])
    assert "kestrel" not in f"{found.message} {found.help}"


def test_a_value_that_is_a_secret_is_not_suggested(tmp_path: Path) -> None:
    (found,) = check(tmp_path, [("api:password:kestrel-Regen8", "grain")])
    assert "kestrel" not in f"{found.message} {found.help}"


def test_each_of_several_findings_keeps_its_remedy(tmp_path: Path) -> None:
    mistaken = [target for target, told in CASES.items() if told.startswith("warning: ")]
    text = "\n".join(to_text(check(tmp_path, mistaken)))
    for target in mistaken:
        assert CASES[target].removeprefix("warning: ") in text
