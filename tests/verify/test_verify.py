"""Each likely reason for a difference is found and named, and minions are sorted into their kinds."""

from pathlib import Path
from typing import Any

import pytest
from tests.compile.renderers.jinja.stand_ins import declare
from tests.verify.live import Side, Told, dump_of, verify_dump

TOP = "base:\n  '*': [main]\n  'os:Debian':\n    - match: grain\n    - apt\n"
FILES = {
    "top.sls": TOP,
    "apt.sls": "apt: {proxy: none}\n",
    "main.sls": (
        "host: {{ grains['host'] }}.example\n"
        "workers: {{ grains['num_cpus'] * 2 }}\n"
        "net: {{ grains['net']['ip'] }}\n"
        "{% if grains.get('virtual') == 'physical' %}\n"
        "{% if 'raid' in grains.get('features', []) %}\n"
        "disks: raid\n"
        "{% endif %}\n"
        "{% endif %}\n"
    ),
}
GRAINS: dict[str, Any] = {
    "os": "Debian",
    "host": "web1",
    "num_cpus": 4,
    "net": {"ip": "10.0.0.1"},
    "virtual": "physical",
    "features": ["raid", "ipmi"],
}


def grains_but(**changes: Any) -> dict[str, Any]:
    """Return the grains with some changed; without those that are None."""
    made = {**GRAINS, **changes}
    return {name: value for name, value in made.items() if value is not None}


STALE: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "one that a target uses": (
        {"os": "Rocky"},
        'if the grain \'os\' were "Debian" (declared: "Rocky")',
        ["apt"],
    ),
    "one that is missing for a target": (
        {"os": None},
        "if the grain 'os' were \"Debian\" (not declared)",
        ["apt"],
    ),
    "one that a template prints": (
        {"host": "old"},
        'if the grain \'host\' were "web1" (declared: "old")',
        ["host"],
    ),
    "a number that a template reckons with": (
        {"num_cpus": 2},
        "if the grain 'num_cpus' were 4 (declared: 2)",
        ["workers"],
    ),
    "one below a mapping": (
        {"net": {"ip": "10.0.0.7"}},
        'if the grain \'net:ip\' were "10.0.0.1" (declared: "10.0.0.7")',
        ["net"],
    ),
    "one deep in an `if`": (
        {"virtual": "kvm"},
        'if the grain \'virtual\' were "physical" (declared: "kvm")',
        ["disks"],
    ),
    "one that is missing in an `if`": (
        {"virtual": None},
        "if the grain 'virtual' were \"physical\" (not declared)",
        ["disks"],
    ),
    "a member of a list deep in an `if`": (
        {"features": ["ipmi"]},
        'if the grain \'features\' were ["ipmi", "raid"] (declared: ["ipmi"])',
        ["disks"],
    ),
    "two of them": (
        {"host": "old", "num_cpus": 2},
        "if the grain 'num_cpus' were 4 (declared: 2) and if the grain 'host' were \"web1\"",
        ["host", "workers"],
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("changes", "sentence", "paths"), STALE.values(), ids=STALE)
def test_a_stale_grain_is_named(
    changes: dict[str, Any], sentence: str, paths: list[str], tmp_path: Path
) -> None:
    dump = dump_of(tmp_path / "live", Side(FILES, {"web1": {"grains": GRAINS}}))
    here = Side(FILES, {"web1": {"grains": grains_but(**changes)}})
    told = verify_dump(tmp_path / "here", dump, here)
    assert told.found.result == "different"
    assert told.paths == paths
    assert told.data["why"][0]["certainty"] == "proven"
    assert any(sentence in one or _swapped(sentence) in one for one in told.why), told.why


def _swapped(sentence: str) -> str:
    """Return a sentence about two changes with the second one first."""
    first, _, second = sentence.partition(" and ")
    return f'{second} (declared: "old") and {first}' if second else sentence


def test_a_grain_that_fails_the_template_is_named(tmp_path: Path) -> None:
    dump = dump_of(tmp_path / "live", Side(FILES, {"web1": {"grains": GRAINS}}))
    here = Side(FILES, {"web1": {"grains": grains_but(num_cpus=None)}})
    told = verify_dump(tmp_path / "here", dump, here)
    assert "_errors" in told.paths
    assert told.why == ["it would be equal if the grain 'num_cpus' were 4 (not declared)"] or any(
        "'num_cpus'" in one for one in told.why
    )


def test_a_value_that_nobody_has_is_another_one(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main]}\n",
        "main.sls": "rack: {{ 'C' if grains['tier'] == 'staging' else 'A' }}\n",
    }
    dump = dump_of(tmp_path / "live", Side(files, {"a": {"grains": {"tier": "prod"}}}))
    here = Side(files, {"a": {"grains": {"tier": "staging"}}})
    told = verify_dump(tmp_path / "here", dump, here)
    assert told.why == [
        "it would be equal if the grain 'tier' were another one (declared: \"staging\")"
    ]
    assert told.data["why"][0]["changes"] == [
        {"what": "grain", "path": ["tier"], "declared": "staging", "other": True}
    ]


def test_what_cannot_be_found_out_names_the_grains_that_count(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main]}\n",
        "main.sls": "a: {{ grains['x'] | sha256 }}\n",
    }
    dump = dump_of(tmp_path / "live", Side(files, {"m": {"grains": {"x": "unguessable"}}}))
    told = verify_dump(tmp_path / "here", dump, Side(files, {"m": {"grains": {"x": "old"}}}))
    assert told.why == [
        "the grain 'x' may have another value on the master; the different values depend on it",
        "the master may have another version of pillar/main.sls",
    ]
    assert {one["certainty"] for one in told.data["why"]} == {"possible"}


ENVIRONMENTS = {
    "pillar_roots": {"base": ["pillar"], "prod": ["pillar/prod"], "dev": ["pillar/dev"]}
}
BY_ENVIRONMENT = {
    "prod/top.sls": "prod: {'*': [env]}\n",
    "prod/env.sls": "name: prod\n",
    "dev/top.sls": "dev: {'*': [env]}\n",
    "dev/env.sls": "name: dev\n",
}


def test_another_pillarenv_is_named(tmp_path: Path) -> None:
    live = Side(BY_ENVIRONMENT, {"a": {"pillarenv": "prod"}}, ENVIRONMENTS)
    here = Side(BY_ENVIRONMENT, {"a": {"pillarenv": "dev"}}, ENVIRONMENTS)
    told = verify_dump(tmp_path / "here", dump_of(tmp_path / "live", live), here)
    assert 'it would be equal if pillarenv were "prod" (declared: "dev")' in told.why


def test_another_saltenv_is_named(tmp_path: Path) -> None:
    master = {**ENVIRONMENTS, "pillarenv_from_saltenv": True}
    live = Side(BY_ENVIRONMENT, {"a": {"saltenv": "prod"}}, master)
    here = Side(BY_ENVIRONMENT, {"a": {"saltenv": "dev"}}, master)
    told = verify_dump(tmp_path / "here", dump_of(tmp_path / "live", live), here)
    assert 'it would be equal if saltenv were "prod" (declared: "dev")' in told.why


def test_a_pillar_of_the_inventory_is_named(tmp_path: Path) -> None:
    dump = dump_of(tmp_path / "live", Side(FILES, {"web1": {"grains": GRAINS}}))
    here = Side(FILES, {"web1": {"grains": GRAINS, "pillar": {"host": "x", "more": 1}}})
    told = verify_dump(tmp_path / "here", dump, here)
    assert told.why == ["it would be equal without the `pillar` that the inventory declares"]


def test_a_stale_pillar_of_the_inventory_is_named(tmp_path: Path) -> None:
    live = Side(FILES, {"web1": {"grains": GRAINS, "pillar": {"drain": True}}})
    here = Side(FILES, {"web1": {"grains": GRAINS, "pillar": {"drain": False}}})
    told = verify_dump(tmp_path / "here", dump_of(tmp_path / "live", live), here)
    assert told.why == [
        "minions.yml declares a `pillar` that sets different values; a master has none"
    ]


def check_word(told: Told, code: str, words: str) -> None:
    found = [one for one in told.data["why"] if one["cause"] == code]
    assert [words in one["message"] for one in found] == [True], told.why
    assert words in told.text


def test_an_undeclared_function_is_named(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main, other]}\n",
        "main.sls": "addrs: {{ salt['network.ip_addrs']() }}\n",
        "other.sls": "b: 1\n",
    }
    here = Side(files, {"a": {}})
    dump = {"a": {"addrs": ["10.0.0.1"], "b": 1}}
    told = verify_dump(tmp_path, dump, here, unanswered="error")
    check_word(told, "undeclared-function", "SLS 'main' calls")
    assert told.data["why"][0]["at"] == "pillar/main.sls:1"


@pytest.mark.parametrize(
    ("text", "given", "left_out"),
    [
        ("a: {{ salt['cmd.run']('x') }}\n", {"a": [1]}, 1),
        ("b: 1\n{{ salt['cmd.run']('x') }}: 2\n", {"b": 1, "c": 2}, 2),
        ("b: 1\n{% if salt['cmd.run']('x') %}\nc: 2\n{% endif %}\n", {"b": 1}, 1),
        ("m:\n  b: 1\n  {{ salt['cmd.run']('x') }}: 2\n", {"m": {"b": 1, "c": 2}}, 2),
    ],
)
def test_what_is_unknown_is_not_compared(
    text: str, given: dict[str, Any], left_out: int, tmp_path: Path
) -> None:
    here = Side({"top.sls": "base: {'*': [main]}\n", "main.sls": text}, {"a": {}})
    told = verify_dump(tmp_path, {"a": given}, here)
    assert told.data["result"] == "equal"
    assert told.data["not_compared"] == {"unknown here": left_out}


def test_a_declared_answer_that_has_a_part_in_it_is_named(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main, other]}\n",
        "main.sls": "addrs: {{ salt['network.ip_addrs']() }}\n",
        "other.sls": "b: 1\n",
    }
    functions = declare({"network.ip_addrs": ["10.0.0.9"], "cmd.run": "x"})
    here = Side(files, {"a": {}})
    told = verify_dump(tmp_path, {"a": {"addrs": ["10.0.0.1"], "b": 1}}, here, functions=functions)
    check_word(
        told, "function", "depends on the declared answer of the function 'network.ip_addrs'"
    )


def test_an_external_pillar_is_named_and_its_values_are_not_shown(tmp_path: Path) -> None:
    master = {"ext_pillar": [{"vault": "path=secret/x"}]}
    here = Side(FILES, {"web1": {"grains": GRAINS}}, master)
    dump = dump_of(tmp_path / "live", Side(FILES, {"web1": {"grains": GRAINS}}))
    dump["web1"]["from_vault"] = {"word": "open sesame", "port": 80}
    told = verify_dump(tmp_path / "here", dump, here)
    check_word(told, "unavailable-ext-pillar", "the external pillar 'vault' is not run")
    assert "sesame" not in told.text + str(told.data)
    assert '"port": 80' in told.text


SEALED = "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n"


def test_a_sealed_sls_is_named_and_what_may_come_from_it_is_not_shown(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main, closed]}\n",
        "main.sls": "a: 1\n",
        "closed.sls": f"#!gpg|yaml\n{SEALED}",
    }
    told = verify_dump(tmp_path, {"m": {"a": 1, "motto": "open sesame"}}, Side(files, {"m": {}}))
    check_word(told, "sealed-sls", "the SLS is encrypted")
    assert "sesame" not in told.text + str(told.data)


def test_sealed_values_are_counted_and_equal(tmp_path: Path) -> None:
    cipher = SEALED.replace("\n", "\n  ").rstrip()
    files = {
        "top.sls": "base: {'*': [main]}\n",
        "main.sls": f"#!yaml|gpg\na: |\n  {cipher}\nb: 1\n",
    }
    told = verify_dump(tmp_path, {"m": {"a": "clear", "b": 1}}, Side(files, {"m": {}}))
    assert told.found.result == "equal"
    assert told.data["not_compared"] == {"sealed": 1}
    assert "1 value not compared: sealed" in told.text


def test_a_sealed_value_that_is_elsewhere_in_the_dump_is_not_shown(tmp_path: Path) -> None:
    cipher = SEALED.replace("\n", "\n  ").rstrip()
    files = {
        "top.sls": "base: {'*': [main]}\n",
        "main.sls": f"#!yaml|gpg\na: |\n  {cipher}\nb: x\n",
    }
    told = verify_dump(tmp_path, {"m": {"c": "sesame open", "b": "sesame"}}, Side(files, {"m": {}}))
    assert "sesame" not in told.text + str(told.data)


def test_what_the_master_could_not_open_either_is_not_compared(tmp_path: Path) -> None:
    cipher = SEALED.replace("\n", "\n  ").rstrip()
    files = {
        "top.sls": "base: {'*': [first, lost]}\n",
        "first.sls": "b: 1\n",
        "lost.sls": f"#!yaml|gpg\na: |\n  {cipher}\nb: 2\nc: 3\n",
    }
    told = verify_dump(tmp_path, {"m": {"b": 1, "_errors": ["x"]}}, Side(files, {"m": {}}))
    assert told.found.result == "equal"
    assert told.data["not_compared"]["sealed"] >= 3


def test_errors_of_the_master_are_named(tmp_path: Path) -> None:
    dump = dump_of(tmp_path / "live", Side(FILES, {"web1": {"grains": GRAINS}}))
    dump["web1"]["_errors"] = ["Rendering SLS 'x' failed: password=hunter2hunter2"]
    told = verify_dump(tmp_path / "here", dump, Side(FILES, {"web1": {"grains": GRAINS}}))
    check_word(told, "errors in the dump", "an SLS did not render on the master")
    assert "hunter2" not in told.text + str(told.data)


def test_errors_of_this_side_are_named(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main, bad]}\n", "main.sls": "a: 1\n", "bad.sls": "b: [\n"}
    told = verify_dump(tmp_path, {"m": {"a": 1, "b": []}}, Side(files, {"m": {}}))
    check_word(told, "yaml-error", "SLS 'bad' does not render")


def test_other_files_are_named(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main]}\n", "main.sls": "a: 1\n"}
    told = verify_dump(tmp_path, {"m": {"a": 2}}, Side(files, {"m": {}}))
    assert told.why == ["the master may have another version of pillar/main.sls"]
    assert told.data["minions"]["m"]["differences"] == [
        {
            "path": ["a"],
            "kind": "different",
            "here": 1,
            "dump": 2,
            "file": "pillar/main.sls",
            "line": 1,
        }
    ]


def test_options_of_the_master_are_not_compared(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main]}\n", "main.sls": "a: 1\n"}
    here = Side(files, {"m": {}}, {"pillar_opts": True})
    told = verify_dump(tmp_path, {"m": {"a": 1, "master": {"timeout": 5}}}, here)
    assert told.found.result == "equal"
    assert told.data["not_compared"] == {"options of the master": 1}


def test_a_minion_whose_compile_breaks_off_differs(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'E@(': [main]}\n", "main.sls": "a: 1\n"}
    files["top.sls"] = "base:\n  'x(':\n    - match: pcre\n    - main\n"
    told = verify_dump(tmp_path, {"m": {"a": 1}}, Side(files, {"m": {}}))
    assert told.data["minions"]["m"]["outcome"] == "failed"
    assert "there is no pillar here" in told.text


def test_minions_are_sorted_into_their_kinds(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main]}\n", "main.sls": "a: 1\n"}
    here = Side(files, {name: {} for name in ("equal", "silent", "absent", "late")})
    text = (
        '{"equal": {"a": 1}}\n{"silent": "Minion did not return"}\n{"late": false}\n'
        '{"stranger": {"a": 1}}\n{"late": {"a": 1}}\n'
    )
    told = verify_dump(tmp_path, text, here)
    assert told.found.result == "different"
    assert (told.data["compared"], told.data["equal"]) == (2, 2)
    assert told.data["not_answered"] == {"silent": "did not return"}
    assert told.data["not_in_dump"] == ["absent"]
    assert told.data["not_in_inventory"] == ["stranger"]


def test_one_reason_is_said_once(tmp_path: Path) -> None:
    names = [f"web{at}" for at in range(12)]
    live = Side(FILES, {name: {"grains": {**GRAINS, "host": name}} for name in names})
    stale = {name: {"grains": {**GRAINS, "host": name, "os": "Rocky"}} for name in names}
    told = verify_dump(tmp_path / "here", dump_of(tmp_path / "live", live), Side(FILES, stale))
    assert told.text.count("if the grain 'os' were \"Debian\"") == 1
    assert "web0, web1, web2, web3, web4 and 7 more differ" in told.text
    assert told.data["why"][0]["minions"] == names
    assert told.found.trials < 12 * 40  # what explained one minion is tried first on the next


def test_a_reason_that_cannot_be_found_is_not_looked_for_on_all(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main]}\n", "main.sls": "a: {{ grains['x'] | sha256 }}\n"}
    minions = {f"m{at}": {"grains": {"x": f"v{at}"}} for at in range(30)}
    dump = {name: {"a": "other"} for name in minions}
    told = verify_dump(tmp_path, dump, Side(files, minions))
    assert len(told.found.differing) == 30
    assert told.found.trials < 30 * 40


def test_templates_that_write_are_looked_into_as_well(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [main]}\n",
        "main.sls": "{% do grains.update({'y': 1}) %}\nsite: {{ grains['site'] }}\n",
    }
    dump = {"m": {"site": "hel"}}
    told = verify_dump(tmp_path, dump, Side(files, {"m": {"grains": {"site": "ams"}}}))
    assert told.why == ['it would be equal if the grain \'site\' were "hel" (declared: "ams")']


def test_hostile_words_do_not_reach_a_terminal(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [main]}\n", "main.sls": "a: 1\n"}
    dump = {"m": {"a\x1b[31m": "\x1b]0;x\x07\n", "a": 1}, "s\x1b[2J": {}}
    told = verify_dump(tmp_path, dump, Side(files, {"m": {}}))
    assert "\x1b" not in told.text
    assert "\x07" not in told.text
