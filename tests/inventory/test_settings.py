"""The pillarbook section of mkdocs.yml."""

from pathlib import Path
from typing import Any

import pytest

from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.declared_functions import DeclaredAnswers, DeclaredCall, DeclaredFunction
from pillarbook.inventory.settings import (
    Environment,
    RedactRules,
    Settings,
    load_settings,
    parse_settings,
)
from pillarbook.model import KeyPath, Position

EVERYTHING = """\
site_name: Example pillar
docs_dir: site_src
theme: {name: pillarbook}
markdown_extensions:
- pymdownx.emoji: {generator: !!python/name:os.system }
extra: {key: !ENV [SECRET, none]}
plugins:
- search
- pillarbook:
    master: example/master
    inventory: example/minions.yml
    environments:
    - base
    - staging
    - prod: {pillar_roots: {base: [pillar/prod, pillar/base]}}
    revisions: {base: origin/main}
    redact: {keys: [pin], values: ['^x'], allow: [public]}
    decrypt: false
    python: true
    renderers: [wempy]
    functions: {network.ip_addrs: {'*': [10.0.0.1]}}
    paths: {/srv/pillar: pillar}
"""


def load(folder: Path, section: str) -> Settings:
    """Load settings with a section below a master file and an inventory."""
    file = folder / "mkdocs.yml"
    file.write_text(f"plugins:\n- pillarbook:\n    master: m\n    inventory: i\n{section}")
    return load_settings(file)


def faults_of(file: Path) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load_settings(file)
    return [line.removeprefix(f"{file.parent}/") for line in str(caught.value).splitlines()]


def test_reads_everything(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(EVERYTHING)
    settings = load_settings(tmp_path / "mkdocs.yml")
    options = {"pillar_roots": {"base": ["pillar/prod", "pillar/base"]}}
    places = settings.positions
    assert places["python"] == Position(str(tmp_path / "mkdocs.yml"), 19)
    assert settings == Settings(
        master=tmp_path / "example/master",
        inventory=(tmp_path / "example/minions.yml",),
        folder=tmp_path,
        environments=(
            Environment(name="base"),
            Environment(name="staging"),
            Environment(name="prod", options=options),
        ),
        revisions={"base": "origin/main"},
        redact=RedactRules(keys=("pin",), values=("^x",), allow=("public",)),
        decrypt=False,
        python=True,
        renderers=("wempy",),
        functions={
            "network.ip_addrs": DeclaredFunction((("*", DeclaredAnswers((), (["10.0.0.1"],))),))
        },
        paths={"/srv/pillar": "pillar"},
        positions=places,
    )


FUNCTIONS = {
    "text": ("[x]", ((), (["x"],))),
    "null": ("", ((), (None,))),
    "mapping": ("{$answer: {web*: 1}}", ((), ({"web*": 1},))),
    "calls": (
        "{$calls: [{args: [a, 1], kwargs: {b: c}, answer: {d: 1}}, {answer: 2}]}",
        ((DeclaredCall(("a", 1), {"b": "c"}, {"d": 1}), DeclaredCall(None, None, 2)), ()),
    ),
    "calls and answer": (
        "{$answer: 1, $calls: [{args: [], answer: null}]}",
        ((DeclaredCall((), None, None),), (1,)),
    ),
}


@pytest.mark.parametrize("by_id", [False, True], ids=["for all", "by id"])
@pytest.mark.parametrize(("given", "wanted"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_reads_answers_of_functions(
    tmp_path: Path, given: str, wanted: tuple[Any, Any], by_id: bool
) -> None:
    answers = DeclaredAnswers(*wanted)
    if by_id:
        settings = load(tmp_path, f"    functions: {{a.b: {{'w*': {given}}}}}\n")
        assert settings.functions == {"a.b": DeclaredFunction((("w*", answers),))}
    else:
        settings = load(tmp_path, f"    functions: {{a.b: {given}}}\n")
        assert settings.functions == {"a.b": DeclaredFunction(None, answers)}


def test_has_defaults(tmp_path: Path) -> None:
    settings = load(tmp_path, "")
    assert settings == Settings(
        master=tmp_path / "m",
        inventory=(tmp_path / "i",),
        folder=tmp_path,
        positions=settings.positions,
    )


@pytest.mark.parametrize(
    "plugins",
    [
        "plugins:\n- pillarbook: {master: /m, inventory: [a, b]}\n",
        "plugins:\n  pillarbook: {master: /m, inventory: [a, b]}\n",
        "x: &x {master: /m}\nplugins:\n- pillarbook: {<<: *x, inventory: [a, b]}\n",
        "\ufeffplugins: [search, pillarbook: {master: /m, inventory: [a, b]}]\n",
    ],
    ids=["list", "mapping", "merge key", "flow, with a byte order mark"],
)
def test_finds_the_section(tmp_path: Path, plugins: str) -> None:
    (tmp_path / "mkdocs.yml").write_text(plugins, encoding="utf-8")
    settings = load_settings(tmp_path / "mkdocs.yml")
    assert settings.master == Path("/m")
    assert settings.inventory == (tmp_path / "a", tmp_path / "b")


FILES = {
    "missing": (None, ["mkdocs.yml: the MkDocs configuration does not exist"]),
    "a tab": ("a:\n\tb: 1\n", ["mkdocs.yml:2:1: the MkDocs configuration is not YAML: found char"]),
    "empty": ("", ["mkdocs.yml:1: the MkDocs configuration must be a mapping (add '- pillarbook"]),
    "a list": ("- a\n", ["mkdocs.yml:1: the MkDocs configuration must be a mapping"]),
    "too deep": (
        "plugins: " + "[" * 100_000 + "]" * 100_000,
        ["mkdocs.yml: the MkDocs configuration is nested too deeply"],
    ),
    "no plugins": ("site_name: x\n", ["mkdocs.yml:1: 'plugins' is missing (add '- pillarbook:'"]),
    "at the top": (
        "site_name: x\npillarbook:\n  master: master\n",
        ["mkdocs.yml:2: 'pillarbook' is not below 'plugins' (put it below `plugins:`, as"],
    ),
    "inherited": ("INHERIT: x.yml\n", ["mkdocs.yml:1: 'plugins' is missing (add"]),
    "not among them": (
        "a: 1\nplugins: [search]\n",
        ["mkdocs.yml:2: 'plugins' does not name pillarbook (add '- pillarbook:'"],
    ),
    "options beside the name": (
        "plugins:\n  - pillarbook:\n    master: master\n    inventory: minions.yml\n",
        [
            "mkdocs.yml:3: 'master' is beside 'pillarbook', and not below it (indent the options by four"
        ],
    ),
    "bare": (
        "plugins:\n- search\n- pillarbook\n",
        ["mkdocs.yml:3: 'master' is missing (give", "mkdocs.yml:3: 'inventory' is missing (give"],
    ),
    "a list of options": (
        "plugins:\n- pillarbook: [a]\n",
        ["mkdocs.yml:2: the section 'pillarbook' is a list"],
    ),
    "a tag inside": (
        "plugins:\n- pillarbook:\n    master: !ENV MASTER\n",
        ["mkdocs.yml:3: the section 'pillarbook' has the tag '!ENV', which is not read"],
    ),
    "python inside": (
        "plugins:\n- pillarbook:\n    master: !!python/name:os.system\n",
        ["mkdocs.yml:3: the section 'pillarbook' has the tag 'tag:yaml.org,2002:python/name:os"],
    ),
}


@pytest.mark.parametrize(("text", "wanted"), FILES.values(), ids=FILES.keys())
def test_tells_what_is_wrong_with_the_file(
    tmp_path: Path, text: str | None, wanted: list[str]
) -> None:
    if text is not None:
        (tmp_path / "mkdocs.yml").write_text(text)
    found = faults_of(tmp_path / "mkdocs.yml")
    assert len(found) == len(wanted)
    for line, beginning in zip(found, wanted, strict=True):
        assert line.startswith(beginning)


OPTIONS = {
    "unknown": ("enviroments: [a]", "'enviroments' is not known (did you mean 'environments'?)"),
    "unknown, nothing near": ("zz: 1", "'zz' is not known (known here: changes, clock,"),
    "rule, nothing near": (
        "rules: {zz: off}",
        "'rules: zz' is not known (`pillarbook rule` lists all rules)",
    ),
    "environments a word": ("environments: base", "'environments' is text (it must be a list)"),
    "environment a number": ("environments: [2024]", "an environment must be a name, or one name"),
    "environment twice": ("environments: [a, b, a]", "the environment 'a' is listed twice"),
    "options no mapping": (
        "environments: [prod: [a]]",
        "'environments: 0: prod' is a list (it must be a mapping of master options)",
    ),
    "two names in one": ("environments: [{a: {}, b: {}}]", "an environment must be a name"),
    "revision a number": ("revisions: {base: 1234567}", "'revisions: base' is a number"),
    "revision unknown": ("revisions: {bsae: x}", "'revisions: bsae' is not known (did you mean"),
    "redact unknown": ("redact: {key: [a]}", "'redact: key' is not known (did you mean 'keys'?)"),
    "redact with an empty key": ("redact: {keys: ['']}", "'redact: keys' has an empty pattern"),
    "redact with an empty value": (
        "redact: {values: ' '}",
        "'redact: values' has an empty pattern",
    ),
    "redact with a broken value": (
        "redact: {values: [a, '(b']}",
        "'redact: values': '(b' is not a regular expression: ",
    ),
    "redact a list": ("redact: [a]", "'redact' is a list (it must be a mapping)"),
    "redact rule a number": ("redact: {keys: [1]}", "'redact: keys: 0' is a number"),
    "decrypt a word": ("decrypt: 'true'", "'decrypt' is text (it must be true or false)"),
    "python a number": ("python: 1", "'python' is a number (it must be true or false)"),
    "renderers a mapping": ("renderers: {a: b}", "'renderers' is a mapping (it must be a list of"),
    "function without a dot": ("functions: {ping: {}}", "a function's name must be MODULE.FUNC"),
    "function without an answer": ("functions: {a.b: {}}", "'a.b' has no answer ('*': ... is for"),
    "glob a number": ("functions: {a.b: {1: x}}", "a minion glob must be text (put it in quotes"),
    "other key with a $": ("functions: {a.b: {$call: []}}", "'$call' is not known beside a $ key"),
    "glob beside calls": ("functions: {a.b: {$calls: [], x: 1}}", "'x' is not known beside a $"),
    "calls a mapping": (
        "functions: {a.b: {'*': {$calls: {args: []}}}}",
        "'functions: a.b: *: $calls' is a mapping (it must be a list of {args: [...], answer:",
    ),
    "call a text": ("functions: {a.b: {$calls: [x]}}", "'functions: a.b: $calls: 0' is text (it"),
    "call without answer": ("functions: {a.b: {$calls: [{args: []}]}}", "a call has no 'answer'"),
    "call with more": (
        "functions: {a.b: {$calls: [{arg: [], answer: 1}]}}",
        "'functions: a.b: $calls: 0: arg' is not known (did you mean 'args'?)",
    ),
    "args a text": (
        "functions: {a.b: {$calls: [{args: x, answer: 1}]}}",
        "'functions: a.b: $calls: 0: args' is text (it must be a list of positional arguments)",
    ),
    "kwargs a list": (
        "functions: {a.b: {$calls: [{kwargs: [], answer: 1}]}}",
        "'functions: a.b: $calls: 0: kwargs' is a list (it must be a mapping of named arguments",
    ),
    "relative path mapped": ("paths: {srv: x}", "a key of 'paths' must be an absolute path"),
    "path to nowhere": ("paths: {/srv: }", "'paths: /srv' is empty (it must be a local path"),
}


@pytest.mark.parametrize(("line", "wanted"), OPTIONS.values(), ids=OPTIONS.keys())
def test_tells_what_is_wrong_with_an_option(tmp_path: Path, line: str, wanted: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, f"    {line}\n")
    assert str(caught.value).startswith(f"{tmp_path}/mkdocs.yml:5: {wanted}")
    assert len(caught.value.faults) == 1


def test_tells_every_fault_in_one_go(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        "plugins:\n- pillarbook:\n    mastr: x\n    inventory: []\n    redact:\n      keys: 1\n"
        "      vals: []\n    environments:\n    - a\n    - 5\n"
    )
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path / "mkdocs.yml")
    lines = [fault.position and fault.position.line for fault in caught.value.faults]
    assert lines == [3, 2, 4, 10, 7, 6]


def test_parses_a_section_that_mkdocs_read(tmp_path: Path) -> None:
    def position_of(path: KeyPath) -> Position:
        return Position("mkdocs.yml", 40 + len(path))

    section: dict[str, Any] = {"master": "m", "inventory": ["i"], "python": None}
    settings = parse_settings(section, position_of=position_of, folder=tmp_path)
    assert settings.master == tmp_path / "m"
    assert settings.python is False
    with pytest.raises(SettingsError, match=r"^mkdocs.yml:41: 'master' is missing"):
        parse_settings({"inventory": "i"}, position_of=position_of, folder=tmp_path)


def test_survives_an_alias_bomb(tmp_path: Path) -> None:
    bomb = "\n".join(
        ["    zz:", "    - &a0 [1, 1]"]
        + [f"    - &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    )
    with pytest.raises(SettingsError, match="its aliases stand for over 16,777,216 characters"):
        load(tmp_path, bomb + "\n")
