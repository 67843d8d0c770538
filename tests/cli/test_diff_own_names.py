"""``pillarbook diff`` where each minion has keys, states and SLS files of its own names."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.changes.attribution import idle_lines, new_failures
from pillarbook.cli.main import run
from pillarbook.report import similar_changes

NAMES = [f"web{number}" for number in range(6)]
PILLAR = {
    "top.sls": "base: {'*': [all, 'hosts.{{ grains.id }}']}\n",
    "all.sls": (
        "hosts:\n"
        "  {{ grains.id }}: {port: 80, name: {{ grains.id }}.x}\n"
        "role:\n"
        "  {{ grains.role }}:\n"
        "    size: 1\n"
    ),
    **{f"hosts/{name}.sls": f"ip: 10.0.0.{name[-1]}\n" for name in NAMES},
}
STATES = {
    "top.sls": "base: {'*': [app]}\n",
    "app.sls": (
        "conf:\n"
        "  file.managed:\n"
        "    - name: /etc/{{ grains.id }}.conf\n"
        "    - mode: '0644'\n"
        "    - contents: {{ grains.id }}\n"
        "{{ grains.id }}-job:\n"
        "  cmd.run:\n"
        "    - name: run {{ pillar.hosts[grains.id].port }}\n"
    ),
}
ROLES = ("db", "web")


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    minions = {name: {"grains": {"role": ROLES[int(name[-1]) % 2]}} for name in NAMES}
    write_fleet(start(tmp_path), PILLAR, minions, {"file_roots": {"base": ["states"]}})
    write_files(tmp_path / "states", STATES)
    commit_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    run(["diff", "--master", "master", "--inventory", "minions.yml", *words])
    return capsys.readouterr().out


def test_keys_of_each_minion_are_one_change(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PILLAR["all.sls"].replace("port: 80", "port: 81").replace(".x", ".y")
    write_files(fleet, {"pillar/all.sls": text})
    said = diff(capsys)
    assert said.startswith("Pillar: 2 changes on 6 of 6 minions\n")
    assert (
        "\nall 6 minions\n"
        "  ~ hosts:*:port: 80 -> 81\n"
        "      because of pillar/all.sls:2\n"
        "      changes 1 state (web*-job)\n"
        '          cmd.run web*-job: name "run 80" -> "run 81"\n'
        '  ~ hosts:*:name: "web0.x" -> "web0.y" (one of 6 similar variants)\n'
    ) in said
    assert "\n- hosts:*:port: 80\n+ hosts:*:port: 81\n" in diff(capsys, "--format", "markdown")


def test_a_key_of_many_minions_keeps_its_name(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/all.sls": PILLAR["all.sls"].replace("size: 1", "size: 2")})
    said = diff(capsys)
    assert "  ~ role:db:size: 1 -> 2\n" in said
    assert "  ~ role:web:size: 1 -> 2\n" in said


@pytest.mark.slow
def test_new_keys_of_each_minion(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    added = PILLAR["all.sls"] + "ports: {'{{ grains.id }}': {a: 1}}\nown_{{ grains.id }}: 1\n"
    write_files(fleet, {"pillar/all.sls": added})
    said = diff(capsys)
    assert "  + ports: {web0: {a: 1}} (one of 6 similar variants)\n" in said
    assert "  + own_*: 1\n" in said
    commit_all(fleet)
    write_files(fleet, {"pillar/all.sls": added.replace("own_", "its.")})
    assert "  + its.*: 1\n" in diff(capsys)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("name:", "fqdn:", 'hosts:*:fqdn: "web0.x" (one of 6 similar variants, renamed from'),
        ("}}: {", "}}_x: {", 'hosts:*_x: {port: 80, name: "web0.x"} (one of 6 similar variants'),
    ],
)
def test_a_renamed_key_of_each_minion(
    old: str, new: str, told: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(fleet, {"pillar/all.sls": PILLAR["all.sls"].replace(old, new)})
    said = diff(capsys)
    assert "Pillar: 1 change on 6 of 6 minions\n" in said
    assert f"\nall 6 minions\n  + {told}" in said


def test_states_of_each_minion_are_one_change(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = STATES["app.sls"].replace("0644", "0600").replace("contents: ", "contents: at ")
    write_files(fleet, {"states/app.sls": text})
    said = diff(capsys)
    assert "\n1 state changed on 6 minions" in said
    assert (
        "\nall 6 minions\n"
        "  changes 1 state (conf)\n"
        '      file.managed conf: mode "0644" -> "0600", contents "web0" -> "at web0"'
        " (one of 6 similar variants)\n"
        "      because of states/app.sls:4\n"
    ) in said


@pytest.mark.slow
def test_one_edit_of_the_file_of_each_minion(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, name in enumerate(NAMES):
        own = f"ip: 10.0.{6 if number == 2 else 1}.{number}\nby: {{ {name}: {number} }}\n"
        write_files(fleet, {f"pillar/hosts/{name}.sls": own})
    said = diff(capsys)
    assert said.startswith("Pillar: 8 changes on 6 of 6 minions\n")
    assert (
        "\nall except web2\n"
        '  ~ ip: "10.0.0.0" -> "10.0.1.0" (one of 5 similar variants)\n'
        "      because of pillar/hosts/web0.sls:1, pillar/hosts/web1.sls:1, "
    ) in said
    assert '  ~ ip: "10.0.0.2" -> "10.0.6.2"\n      because of pillar/hosts/web2.sls:1\n' in said
    assert "  + by: {web5: 5}\n      because of pillar/hosts/web5.sls:2\n" in said
    commit_all(fleet)
    for number, name in enumerate(NAMES):
        write_files(fleet, {f"pillar/hosts/{name}.sls": f"by: {{ {name}: 1{number} }}\n"})
    said = diff(capsys)
    assert said.startswith("Pillar: 7 changes on 6 of 6 minions\n")
    assert '\nall 6 minions\n  - ip: "10.0.1.0" (one of 6 variants)\n' in said


def test_each_minion_has_states_of_two_declarations(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "".join(f"{name}-{{{{ grains.id }}}}:\n  file.managed: [mode: '0644']\n" for name in "ab")
    write_files(fleet / "states", {"app.sls": own.replace("a-", "/a-").replace("b-", "/b-")})
    commit_all(fleet)
    text = (fleet / "states/app.sls").read_text()
    write_files(fleet / "states", {"app.sls": text.replace("0644", "0600")})
    said = diff(capsys)
    assert "\n2 states changed on 6 minions" in said
    assert "\n      file.managed /a-web*: mode " in said
    assert "\n      file.managed /b-web*: mode " in said


@pytest.mark.sample(1)
@pytest.mark.parametrize("few", [0, 100], ids=["together", "one by one"])
def test_a_moved_folder_of_files_for_each_minion(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    for name in NAMES:
        content = PILLAR[f"hosts/{name}.sls"]
        (fleet / f"pillar/hosts/{name}.sls").unlink()
        write_files(fleet, {f"pillar/host/{name}.sls": content})
    monkeypatch.setattr(new_failures, "MAX_OWN", few)
    monkeypatch.setattr(idle_lines, "FEW_FILES", few)
    said = diff(capsys)
    assert said.startswith("Pillar: 6 minions newly fail; no other change on 6 minions\n")
    assert "\n    1 key lost: ip\n" in said
    assert "no effect: pillar/host/web0.sls:1, " in said
    assert "pillar/host/web4.sls:1 and 1 more (no minion reads it)\n" in said


def test_the_kinds_that_are_not_tried_one_by_one(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        (fleet / f"pillar/hosts/{name}.sls").unlink()
    monkeypatch.setattr(new_failures, "MAX_KINDS", 2)
    assert "; no other change on 6 minions\n" in diff(capsys)


@pytest.mark.slow
def test_very_many_keys_of_one_line(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_changes, "MANY_SIBLINGS", 4)
    loop = "{% for n in [1, 2, 3, 4, 5] %}\nk{{ n }}: {v: {{ n }}}\n{% endfor %}\nl: 1\n"
    write_files(fleet, {"pillar/all.sls": PILLAR["all.sls"] + loop})
    said = diff(capsys)
    assert said.startswith("Pillar: 2 changes on 6 of 6 minions\n")
    assert "  + *: {v: 1} (5 times, one of 5 variants)\n" in said
    commit_all(fleet)
    write_files(fleet, {"pillar/all.sls": PILLAR["all.sls"] + loop.replace("v: {{", "v: 1{{")})
    assert "  ~ *:v: 1 -> 11 (5 times, one of 5 similar variants)\n" in diff(capsys)
