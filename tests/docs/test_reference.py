"""The reference names everything that there is, and nothing that there is not."""

import dataclasses
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from tests.docs.not_run import ANSWERS
from tests.docs.pages import (
    GUIDE,
    ROOT,
    read_blocks,
    read_codes,
    read_first_cells,
    read_prose,
    read_sections,
    user_pages,
)
from tests.docs.reference_trees import FAILING, LOSING, MOVING, OPEN, STATES
from tests.support.built_sites import BuiltSite
from tests.support.fleets import write_files
from tests.support.invoked import print_of
from tests.support.repositories import commit_all, git
from tests.support.schemas import assert_form

from pillarbook.cli.main import COMMANDS, cli
from pillarbook.cli.timing import Timing
from pillarbook.inventory.change_settings import IGNORE, KINDS
from pillarbook.inventory.inventory_file import MINION_KEYS
from pillarbook.inventory.rule_settings import IGNORED, SEVERITIES
from pillarbook.inventory.settings import OPTIONS, RedactRules

COMMANDS_PAGE = GUIDE / "commands.md"
SHARED = "What the commands share"
PACKAGE = ROOT / "generator" / "pillarbook"
THEME = ROOT / "templates" / "theme"


def cells(page: Path, section: str) -> set[str]:
    """Return what stands in backticks in the first cells of a section's tables."""
    text = read_sections(page)[section]
    return {code for cell in read_first_cells(text) for code in read_codes(cell)}


# The configuration


def test_every_option_of_the_configuration_has_a_section() -> None:
    names = {name.strip("`") for name in read_sections(GUIDE / "configuration.md") if "`" in name}
    assert names == set(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS)
def test_a_section_has_type_default_and_example(option: str) -> None:
    page = GUIDE / "configuration.md"
    section = read_sections(page)[f"`{option}`"]
    assert "**Type:**" in section
    assert "**Default:**" in section
    examples = (yaml.safe_load(block.text) for block in read_blocks(page) if not block.file)
    assert any(option in example for example in examples)


def test_keys_below_options_are_named() -> None:
    page = GUIDE / "configuration.md"
    redact = {field.name for field in dataclasses.fields(RedactRules)}
    assert cells(page, "`redact`") == redact
    assert cells(page, "`rules`") == {"severity", *(f"ignore: {name}" for name in IGNORED)}
    assert cells(page, "`changes`") == set(IGNORE)
    assert set(KINDS) <= set(read_codes(read_sections(page)["`changes`"]))
    assert {*SEVERITIES, "off", "on"} <= set(read_codes(read_sections(page)["`rules`"]))


def test_every_key_of_the_inventory_is_named() -> None:
    page = GUIDE / "inventory.md"
    assert cells(page, "Keys of the file") == {"minions", "defaults"}
    assert cells(page, "Keys of a minion") == set(MINION_KEYS)


# The command line


def options_of(command: click.Command) -> set[str]:
    """Return the options of a command, and of those below it, but for ``--help``."""
    below = command.commands.values() if isinstance(command, click.Group) else ()
    params = [*command.params, *(one for each in below for one in each.params)]
    named = (one for one in params if isinstance(one, click.Option))
    return {opt for one in named for opt in (*one.opts, *one.secondary_opts)} - {"-h", "--help"}


def load(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def options_named(section: str) -> set[str]:
    """Return the options that a section's tables name."""
    found = {code.split(" ")[0] for code in cells(COMMANDS_PAGE, section)}
    return {name for name in found if name.startswith("-")}


def test_every_command_has_a_section() -> None:
    sections = {name for name in read_sections(COMMANDS_PAGE) if re.match(r"pillarbook \w+$", name)}
    assert sections == {f"pillarbook {name}" for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_named(name: str) -> None:
    shared = options_named(SHARED)
    sharing = set(read_codes(read_sections(COMMANDS_PAGE)[SHARED].split("|")[0]))
    named = options_named(f"pillarbook {name}") | (shared if name in sharing else set())
    assert named == options_of(load(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_choices_and_defaults_are_named(name: str) -> None:
    command = load(name)
    section = read_sections(COMMANDS_PAGE)[f"pillarbook {name}"].replace("\\|", "|")
    for one in command.params:
        if isinstance(one, click.Argument):
            assert f"`{one.human_readable_name}`" in section
        elif isinstance(one.type, click.Choice) and not one.metavar:
            assert f"{one.opts[-1]} {'|'.join(map(str, one.type.choices))}`" in section
            assert f"by default `{one.default}`" in section


def test_every_variable_is_named() -> None:
    read = {
        found
        for file in PACKAGE.rglob("*.py")
        for found in re.findall(r"_?PILLARBOOK_[A-Z_]+\b|SOURCE_DATE_EPOCH", file.read_text())
    }
    assert cells(COMMANDS_PAGE, "Environment variables") == read
    shown = {
        found
        for page in user_pages()
        for found in re.findall(r"\b_?PILLARBOOK_[A-Z_]+\b|SOURCE_DATE_EPOCH", page.read_text())
    }
    assert shown == read


def test_options_in_text_exist() -> None:
    """An option named by itself is one of some command, or of a program that the page names."""
    known = {option for name in COMMANDS for option in options_of(load(name))}
    known |= {"--help", "--version", "--out", "--static", "--local", "--all"}
    for page in user_pages():
        for code in read_codes(read_prose(page)):
            if not re.match(r"--?\w", code) or code in properties():
                continue
            assert re.split(r"[ =]", code)[0] in known, f"{page}: {code}"


# JSON

PRINTED: dict[str, Sequence[Sequence[str]]] = {
    "pillarbook.check/1": [["check"]],
    "pillarbook.explain/1": [
        ["explain", minion] for minion in ("app1.hel.teashop.example", "mon1.ams.teashop.example")
    ],
    "pillarbook.get/1": [["get", "app"]],
    "pillarbook.sls/1": [
        ["explain", "--sls", name] for name in ("web", "db", "map.jinja", "cache")
    ],
}
"""Commands of the example that print each form, but for ``--format json``."""
WRITTEN = "pillarbook.environments/1"
"""The form that a site has beside the pages of pairs."""
READ = "pillarbook.secrets/2"
"""The form that a site has beside the page of secrets."""
ABOUT = "pillarbook.report/1"
"""The form that a site has beside its home page."""
OF_PAGES = {"pillarbook.minions/2", "pillarbook.search/2", "pillarbook.export/1"}
"""The forms that only the report's own scripts read, and tables, which another test looks at."""
VERIFIED = "pillarbook.verify/1"
"""The form that compares with a dump."""
COMPARED = "pillarbook.diff/1"
"""The form that compares two sides."""
SAVED = "pillarbook.result/2"
"""The form of a saved result."""
ANSWERED = "pillarbook.answers/1"
"""The form of missing answers, of which the example has none."""
KEPT = "pillarbook.history/1"
"""The form of what one build changed."""
TIMED = "pillarbook.timing/1"
"""The form of ``--timing=json``."""
PAGES = dict.fromkeys((*PRINTED, WRITTEN, READ, ABOUT, TIMED, ANSWERED), COMMANDS_PAGE) | {
    VERIFIED: GUIDE / "verify.md",
    COMPARED: GUIDE / "diff.md",
    SAVED: GUIDE / "diff.md",
    KEPT: GUIDE / "nightly.md",
}
"""The page that documents each form."""
DATA = {"outcomes", "value", "before", "after", "path", "groups", "behind", "sls"} | {
    *("here", "dump", "declared", "not_compared", "not_answered", "not_in_dump"),
    "not_in_inventory",
}
"""Fields that hold pillar, keys or names, whose shape is the user's."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("schema", PRINTED)
def test_every_printed_field_is_named(
    schema: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example, and a tree of which a state reads a key that a failing SLS lacks."""
    write_files(tmp_path, MOVING | STATES | FAILING | {"a/s.sls": FAILING["b/s.sls"]})
    answers = []
    if schema == "pillarbook.check/1":
        words = ["check", "-f", str(tmp_path / "mkdocs.yml"), "--format", "json"]
        answers.append(json.loads(print_of(words)))
        write_files(tmp_path, LOSING)
        answers.append(json.loads(print_of([*words, "--rule", "lost-scalar"])))
    monkeypatch.chdir(ROOT)
    answers += [json.loads(print_of([*words, "--format", "json"])) for words in PRINTED[schema]]
    assert_named(schema, answers)


def test_every_written_field_is_named(tmp_path: Path, example_site: BuiltSite) -> None:
    write_files(tmp_path, MOVING)
    print_of(["build", "-f", str(tmp_path / "mkdocs.yml")])
    sites = (example_site.folder, tmp_path / "site")
    found = [file for site in sites for file in (site / "environments").glob("*.json")]
    assert_named(WRITTEN, [json.loads(file.read_text()) for file in found])


def test_every_field_about_answers_is_named(tmp_path: Path) -> None:
    write_files(tmp_path, MOVING | {"a/s.sls": "a: {{ salt['x.y']() }}\n"})
    words = ["answers", "list", "-f", str(tmp_path / "mkdocs.yml"), "--format", "json"]
    assert_named(ANSWERED, [json.loads(print_of(words))])


def test_every_timed_field_is_named() -> None:
    assert_named(TIMED, [json.loads(Timing("json").describe())])


@pytest.mark.slow
def test_every_verified_field_is_named(tmp_path: Path) -> None:
    """The example against Salt's answers, with a grain that is another."""
    tree = shutil.copytree(ROOT / "example", tmp_path / "example")
    inventory = tree / "minions.yml"
    inventory.write_text(inventory.read_text().replace("num_cpus: 8", "num_cpus: 4"))
    words = ["verify", str(ANSWERS), "--master", str(tree / "master"), "--format", "json"]
    assert_named(VERIFIED, [json.loads(print_of([*words, "--inventory", str(inventory)]))])


@pytest.mark.slow
def test_every_compared_field_is_named(tmp_path: Path) -> None:
    """Changes of each kind, lines that are a cause and lines that are none, a finding, a rule."""
    rule = "yml, changes: {ignore: [{keys: [never]}]}}"
    write_files(tmp_path, MOVING | {"mkdocs.yml": MOVING["mkdocs.yml"].replace("yml}", rule)})
    git(tmp_path, "init", "--quiet")
    commit_all(tmp_path)
    changed = "# c\nlist: [4, 1, 2, 3]\nadded: {{ nowhere.defined }}\n"
    write_files(tmp_path, {"a/t.sls": "b: 1\na: 2\n", "a/top.sls": "base: {'*': [s, t]}\n"})
    told = [compare(tmp_path)]
    commit_all(tmp_path)
    write_files(tmp_path, {"a/t.sls": "# c\na: 2\nb: 2\n", "a/s.sls": "list: [4, 1, 2]\n"})
    told.append(compare(tmp_path))
    write_files(tmp_path, {"a/t.sls": changed})
    told.append(compare(tmp_path))
    git(tmp_path, "checkout", "--quiet", ".")
    write_files(tmp_path, {"b/s.sls": "list: [1, 2, 3, 4]\n"})
    told.append(compare(tmp_path))
    commit_all(write_files(tmp_path, STATES))
    write_files(tmp_path, {"b/s.sls": "list: [4, 1, 3]\n"})
    told.append(compare(tmp_path))
    write_files(tmp_path, {"states/app.sls": STATES["states/app.sls"] + "    - mode: 1\n"})
    told.append(compare(tmp_path))
    write_files(tmp_path, FAILING | {"a/s.sls": FAILING["b/s.sls"]})
    told.append(compare(tmp_path))
    write_files(tmp_path, {"master": MOVING["master"]})
    told.append(compare(tmp_path))
    assert_named(COMPARED, [*told, compare_unknown(tmp_path / "unknown")])


def compare_unknown(folder: Path) -> Any:
    """Compare a value that no side knows."""
    asked = "a: {{ salt['vault.read_secret']('x') }}\n"
    write_files(folder, MOVING | {"a/s.sls": asked})
    git(folder, "init", "--quiet")
    commit_all(folder)
    write_files(folder, {"a/s.sls": asked.replace("'x'", "'y'")})
    return compare(folder)


def compare(folder: Path) -> Any:
    return json.loads(print_of(["diff", "-f", str(folder / "mkdocs.yml"), "--format", "json"]))


def test_every_kept_field_is_named(tmp_path: Path) -> None:
    """A first build, a moved member of a list, another value, a new minion."""
    write_files(tmp_path, MOVING)
    git(tmp_path, "init", "--quiet")
    commit_all(tmp_path)
    site = ["--site-dir", str(tmp_path / "site"), "--history", str(tmp_path / "history")]
    print_of(["build", "-f", str(tmp_path / "mkdocs.yml"), *site])
    added = {
        "b/s.sls": "list: [1, 2, 3, 4]\nnew: 1\n",
        "minions.yml": "minions: {one: {}, two: {}}\n",
    }
    write_files(tmp_path, added)
    commit_all(tmp_path)
    print_of(["build", "-f", str(tmp_path / "mkdocs.yml"), *site])
    kept = sorted((tmp_path / "history").iterdir())
    assert_named(KEPT, [json.loads(file.read_text()) for file in kept])


@pytest.mark.slow
def test_every_saved_field_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    saved = json.loads(print_of(["compile", "--format", "result"]))
    assert_form(saved)
    named = cells(PAGES[SAVED], SAVED)
    top = {one.split(".")[0].split("[")[0] for one in named}
    assert saved.keys() == top
    minion, part = next(iter(saved["minions"].values())), saved["parts"][0]
    assert {f"minions.ID.{name}" for name in minion} == {
        n for n in named if n.startswith("minions")
    }
    assert {f"parts[].{name}" for name in part} == {n for n in named if n.startswith("parts")}


def test_every_field_about_secrets_is_named(tmp_path: Path) -> None:
    """Ways of more than one kind, and a value that git knows of."""
    write_files(tmp_path, MOVING | OPEN)
    git(tmp_path, "init", "--quiet")
    commit_all(tmp_path)
    site = tmp_path / "site"
    print_of(["build", "-f", str(tmp_path / "mkdocs.yml"), "--site-dir", str(site)])
    assert_named(READ, [json.loads((site / "secrets.json").read_text())])
    assert_named(ABOUT, [json.loads((site / "report.json").read_text())])


def assert_named(schema: str, answers: Sequence[Any]) -> None:
    """Hold the fields of documents against those that the page has in the schema's section."""
    assert {answer["schema"] for answer in answers} == {schema}
    for answer in answers:
        assert_form(answer)
    found = {field for answer in answers for field in fields_of(answer)}
    named = cells(PAGES[schema], schema)
    assert named - found == set()
    covered = named | {f"{name}[]" for name in named} | containers(found)
    assert found - covered == set()


def fields_of(data: Any, path: str = "") -> Iterator[str]:
    """Yield the fields of a JSON document, ``[]`` for members of lists."""
    if path:
        yield path
    if isinstance(data, list) and path.rsplit(".", 1)[-1] not in DATA:
        for item in data:
            yield from fields_of(item, f"{path}[]")
    if not isinstance(data, dict) or path.rsplit(".", 1)[-1] in DATA:
        return
    for key, value in data.items():
        name = "ID" if path == "minions" else key
        yield from fields_of(value, f"{path}.{name}" if path else name)


def containers(fields: set[str]) -> set[str]:
    """Return the fields that have others below: what these are named for."""
    starts = {one[: mark.start()] for one in fields for mark in re.finditer(r"\[\]|\.", one)}
    return starts | {f"{one}[]" for one in starts}


def test_every_schema_is_documented() -> None:
    made = {
        found
        for file in PACKAGE.rglob("*.py")
        for found in re.findall(r"pillarbook\.[a-z]+/\d", file.read_text())
    }
    assert made == {*PAGES, *OF_PAGES}


# The theme


def test_every_block_of_the_theme_is_named() -> None:
    blocks = set(re.findall(r"{%-? *block (\w+)", (THEME / "base.html").read_text()))
    assert cells(GUIDE / "theme.md", "Blocks") == blocks


def properties() -> set[str]:
    """Return the custom properties of the theme's styles."""
    styles = "".join(file.read_text() for file in (THEME / "css").glob("*.css"))
    return set(re.findall(r"^\s*(--[\w-]+):", styles, re.MULTILINE))


def test_every_property_of_the_theme_is_named() -> None:
    assert cells(GUIDE / "theme.md", "Colours and fonts") == properties()
