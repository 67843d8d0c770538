"""``pillarbook diff`` where one minion gets something else than all others."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import start

from pillarbook.cli.main import run
from pillarbook.report import similar_changes

NAMES = [f"web{number}" for number in range(12)]
PILLAR = {
    "top.sls": "base: {'*': [all]}\n",
    "all.sls": (
        "hosts:\n"
        "  {{ grains.id }}: {at: {{ grains.id }}.example.org}\n"
        "peer: 10.0.0.{{ grains.id[3:] }}\n"
        "id: {{ grains.id[3:] }}1\n"
    ),
}
STATES = {
    "top.sls": "base: {'*': [app]}\n",
    "app.sls": (
        "{{ grains.id }}-conf:\n"
        "  file.managed:\n"
        "    - name: /etc/{{ grains.id }}.conf\n"
        "    - contents: host {{ grains.id }}\n"
    ),
}
ODD = "{{ 'evil' if grains.id == 'web7' else %s }}"


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    minions: dict[str, object] = {name: {} for name in NAMES}
    write_fleet(start(tmp_path), PILLAR, minions, {"file_roots": {"base": ["states"]}})
    write_files(tmp_path / "states", STATES)
    commit_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(fleet: Path, capsys: pytest.CaptureFixture[str], *edit: str) -> str:
    text = PILLAR["all.sls"]
    for old, new in zip(edit[::2], edit[1::2], strict=True):
        text = text.replace(old, new)
    write_files(fleet, {"pillar/all.sls": text})
    run(["diff", "--master", "master", "--inventory", "minions.yml"])
    return capsys.readouterr().out


def test_one_minion_gets_another_value(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = ODD % "grains.id ~ '.example.net'"
    said = diff(fleet, capsys, "{{ grains.id }}.example.org", f'"{odd}"')
    assert said.startswith("Pillar: 2 changes on 12 of 12 minions\n")
    assert (
        "\nall except web7\n"
        '  ~ hosts:*:at: "web0.example.org" -> "web0.example.net" (one of 11 similar variants)\n'
    ) in said
    assert '\nweb7\n  ~ hosts:web7:at: "web7.example.org" -> "evil"\n' in said


def test_the_words_that_differ_are_compared(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = diff(fleet, capsys, "10.0.0.{{", "10.0.{{ 6 if grains.id == 'web7' else 1 }}.{{")
    assert '  ~ peer: "10.0.0.0" -> "10.0.1.0" (one of 11 similar variants)\n' in said
    assert '\nweb7\n  ~ peer: "10.0.0.7" -> "10.0.6.7"\n' in said


@pytest.mark.parametrize(
    ("new", "usual", "odd"),
    [
        (
            "{{ (grains.id[3:] ~ 1) | int + 900 if grains.id != 'web7' else 22 }}",
            "1 -> 901",
            "71 -> 22",
        ),
        ("{{ 443 if grains.id != 'web7' else 22 }}", "1 -> 443", "71 -> 22"),
        (
            "{{ [5, 9, 2, 7, 3, 8, 6, 'x', 4, 0, 11, 1][grains.id[3:] | int] }}",
            "1 -> 5",
            '71 -> "x"',
        ),
    ],
    ids=["a step", "one value", "a number"],
)
def test_numbers_that_differ_on_each_minion(
    new: str, usual: str, odd: str, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = diff(fleet, capsys, "{{ grains.id[3:] }}1", new)
    assert f"\nall except web7\n  ~ id: {usual} (one of 11 " in said
    assert f"\nweb7\n  ~ id: {odd}\n" in said


def test_secrets_that_differ_on_each_minion(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = (f"id: 1\npassword: {value}" for value in ("{{ grains.id }}-secret", ODD))
    diff(fleet, capsys, "id: {{ grains.id[3:] }}1", old)
    commit_all(fleet)
    said = diff(fleet, capsys, "id: {{ grains.id[3:] }}1", new % "'for-all-of-them'")
    assert "\nall except web7\n  ~ password: secret changed (" in said
    assert "\nweb7\n  ~ password: secret changed (" in said


def test_numbers_that_grow_alike_are_similar(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = diff(fleet, capsys, "}}1", "}}2")
    assert "\nall 12 minions\n  ~ id: 1 -> 2 (one of 12 similar variants)\n" in said


def test_added_values_with_names(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = ODD % "grains.id"
    said = diff(fleet, capsys, "hosts:", f"new: {{own: [1, {odd}]}}\nhosts:")
    assert '  + new: {own: [1, "web0"]} (one of 11 similar variants)\n' in said
    assert '\nweb7\n  + new: {own: [1, "evil"]}\n' in said


def test_one_of_many_keys_of_one_line(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similar_changes, "MANY_SIBLINGS", 6)
    loop = "{{% for n in range(8) %}}\nk{{{{ n }}}}: {{v: {}}}\n{{% endfor %}}\nhosts:"
    diff(fleet, capsys, "hosts:", loop.format("k{{ n }}.a"))
    commit_all(fleet)
    said = diff(fleet, capsys, "hosts:", loop.format("{{ 'evil' if n == 7 else 'k%s.b' % n }}"))
    assert '  ~ *:v: "k0.a" -> "k0.b" (7 times, one of 7 similar variants)\n' in said
    assert '  ~ k7:v: "k7.a" -> "evil"\n' in said


def test_one_state_gets_another_argument(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = ODD % "'at ' ~ grains.id"
    write_files(fleet / "states", {"app.sls": STATES["app.sls"].replace("host {{", f"{odd} {{{{")})
    called = "file.managed web*-conf"
    assert (
        f'      {called}: contents "host web0" -> "at web0 web0" (one of 11 similar variants)\n'
        f'      {called} on web7: contents "host web7" -> "evil web7"\n'
    ) in diff(fleet, capsys)
