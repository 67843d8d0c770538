"""What a comparison says first: who can read a secret, and what is only another order."""

import json
from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.changes.attribution import new_failures
from pillarbook.cli.main import run

PILLAR = {
    "top.sls": "base: {'*': [all], 'web*': [web], 'db*': [db]}\n",
    "all.sls": "m: {a: 1, b: 2}\n",
    "web.sls": "w: 1\nv: 1\nlong: {list: [1, 2, 3, 4, 5, 6], text: x}\n",
    "db.sls": "db: {password: Tr0ub4dor-9, port: 5432}\n",
}
GIVES = "base: {'*': [all], 'web*': [web, db], 'db*': [db]}\n"


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    commit_all(write_fleet(start(tmp_path), PILLAR, {"web1": {}, "web2": {}, "db1": {}}, {}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    run(["diff", "--master", "master", "--inventory", "minions.yml", *words])
    return capsys.readouterr().out


def test_who_can_newly_read_a_secret(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, {"pillar/top.sls": GIVES})
    news = "Pillar: 2 minions can newly read a secret; 1 change on 2 of 3 minions\n"
    said = diff(capsys)
    assert said.startswith(news)
    assert "\ncan newly read a secret: both of web*\n    db:password\n" in said
    said = diff(capsys, "--format", "markdown")
    assert said.startswith(f"### {news}")
    heading = "\n#### New access to a secret: both of `web*`\n`db:password`\n"
    assert said.index(heading) < said.index("#### Changed: ")


def test_a_secret_of_each_minion_s_own_is_told_once(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "hosts: { {{ grains.id }}: {password: s3cret-{{ grains.id }}} }\n"
    write_files(fleet, {"pillar/all.sls": PILLAR["all.sls"] + own})
    said = diff(capsys)
    assert "secret: all 3 minions\n    hosts:*:password (of *, each only its own)\n" in said
    both = own.replace("{{ grains.id }}:", "web1: {password: 0f-all}, web2:")
    write_files(fleet, {"pillar/all.sls": PILLAR["all.sls"] + both})
    said = diff(capsys)
    assert "read a secret: all 3 minions\n    hosts:web1:password, hosts:web2:password\n" in said


def test_another_value_or_key_of_a_secret_is_no_new_access(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/db.sls": "db: {password: C0rrect-horse, port: 5432}\n"})
    assert "newly read" not in diff(capsys, "--format", "markdown")


def test_a_new_minion_gets_secrets(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, {"minions.yml": "minions: {web1: {}, web2: {}, db1: {}, db2: {}}\n"})
    said = diff(capsys, "--format", "markdown")
    assert (
        "#### New: `db2`\n2 top-level keys: `m`, `db`; secrets among them: `db:password`\n" in said
    )


def test_a_newly_empty_minion_has_lost_its_keys(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/top.sls": "base: {'web*': [all, web], 'bd*': [all, db]}\n"})
    said = diff(capsys, "--format", "markdown")
    assert "\n#### Newly empty: `db1`\nlost 2 top-level keys: `m`, `db`\n" in said
    assert "\nempty: db1\n    lost 2 top-level keys: m, db\n" in diff(capsys)


def test_a_new_environment_is_told(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, {"master": "pillar_roots: {base: [pillar], qa: [pillar]}\n"})
    assert "\n> new environment\\: qa\n" in diff(capsys, "--format", "markdown")


def test_notes_are_one_quotation(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    master = "pillar_roots: {base: [pillar], qa: [pillar]}\n"
    commit_all(write_files(fleet, {"pillar/all.sls": "m: {{ salt['vault.read']('x') }}\n"}))
    pillar = {"pillar/all.sls": "m: {{ salt['vault.read']('y') }}\n"}
    write_files(fleet, {"master": master, **pillar})
    notes = diff(capsys, "--format", "markdown").split("\n\n")[1].splitlines()
    assert len(notes) > 1
    assert all(note.startswith("> ") for note in notes)
    assert notes[0].endswith("  ")  # a line break in Markdown


def test_another_order_is_one_line(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(fleet, {"pillar/all.sls": "m: {b: 2, a: 1}\n"})
    said = diff(capsys, "--format", "markdown")
    assert said.startswith(
        "### Pillar: no value changes; 1 mapping in another order on 3 of 3 minions\n"
    )
    line = "\n1 mapping in another order on 3 minions: `m`, because of `pillar/all.sls:1`\n"
    assert line in said
    assert "#### Changed" not in said
    write_files(fleet, {"pillar/web.sls": PILLAR["web.sls"].replace("w: 1", "w: 2")})
    said = diff(capsys, "--format", "markdown")
    news = "1 change on 2 of 3 minions; 1 mapping in another order\n"
    assert said.startswith(f"### Pillar: {news}")
    assert said.index("#### Changed") < said.index(line)


def test_an_order_that_a_state_depends_on_is_a_change(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = "{% for key in pillar.m %}\n{{ key }}:\n  test.nop: []\n{% endfor %}\n"
    states = {"states/top.sls": "base: {'*': [s]}\n", "states/s.sls": loop}
    write_files(fleet, states)
    (fleet / "master").write_text(
        (fleet / "master").read_text() + "\nfile_roots: {base: [states]}\n"
    )
    commit_all(fleet)
    write_files(fleet, {"pillar/all.sls": "m: {b: 2, a: 1}\n"})
    said = diff(capsys, "--format", "markdown")
    assert "#### Changed: all 3 minions\n" in said
    assert "! m: order of keys changed\n" in said


def test_changes_of_one_file_are_one_block(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    web = PILLAR["web.sls"].replace("w: 1", "w: 2").replace("text: x", "text: y")
    write_files(fleet, {"pillar/web.sls": web})
    said = diff(capsys, "--format", "markdown")
    assert (
        "because of `pillar/web.sls:1`, `pillar/web.sls:3`\n\n```diff\n- w: 1  # line 1\n+ w: 2\n"
        in said
    )
    assert "\n- long:text: x  # line 3\n" in said
    assert said.count("```diff") == 2  # and the ids


def test_what_is_lost_with_a_failure_is_folded(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/web.sls": "{{ grains.nope }}\n"})
    said = diff(capsys, "--format", "markdown")
    assert "\n4 keys lost: `w`, `v`, `long`\n" in said
    folded = said.partition("<details><summary>")[2]
    assert removed_lines(folded) == ["- w: 1", "- v: 1", "- long:", "-   list:"]


def removed_lines(folded: str) -> list[str]:
    return [line for line in folded.splitlines() if line.startswith("- ")][:4]


def test_a_failure_names_its_cause_in_another_file(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reads = "{% import_yaml 'map.yaml' as map %}\nw: {{ map.port + 1 }}\n"
    commit_all(write_files(fleet, {"pillar/web.sls": reads, "pillar/map.yaml": "port: 80\n"}))
    write_files(fleet, {"pillar/map.yaml": "# ports\nport: eighty\n"})
    said = diff(capsys)
    assert "\n    because of pillar/map.yaml:1\n    1 key lost: w\n" in said
    assert "  \nbecause of `pillar/map.yaml:1`  \n1 key lost: `w`\n" in diff(
        capsys, "--format", "markdown"
    )
    # The place of the error says as much.
    commit_all(write_files(fleet, {"pillar/map.yaml": "port: 80\n"}))
    write_files(fleet, {"pillar/web.sls": reads.replace("+ 1", "+ '1'")})
    said = diff(capsys)
    assert "newly failing: both of web*\n    pillar/web.sls:2: " in said
    assert "because of" not in said


@pytest.mark.sample(1)
@pytest.mark.parametrize("renders", [100_000, 0])
def test_what_many_failing_files_lose_is_no_other_change(
    fleet: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    renders: int,
) -> None:
    monkeypatch.setattr(new_failures, "MAX_RENDERS", renders)
    names = [f"s{number}" for number in range(6)]
    top = f"base: {{'*': [{', '.join(names)}, other]}}\n"
    files = {f"pillar/{name}.sls": f"{name}: {{a: 1, b: {{{{ 1 }}}}}}\n" for name in names}
    write_files(fleet, {"pillar/top.sls": top, "pillar/other.sls": "other: 1\n", **files})
    commit_all(fleet)
    broken = {name: text.replace("1 }}", "grains.no.one }}") for name, text in files.items()}
    write_files(fleet, {"pillar/other.sls": "other: 2\n", **broken})
    said = diff(capsys)
    assert said.startswith("Pillar: 3 minions newly fail; 1 change on 3 of 3 minions\n")
    assert "\n    3 more errors\n    12 keys lost: s0, s1, s2, s3, s4 and 1 more\n" in said
    told = json.loads(diff(capsys, "--format", "json"))
    assert len({one.get("consequence_of") for one in told["atoms"]}) == 7
    assert "; 4 more errors  \n" in diff(capsys, "--format", "markdown")
