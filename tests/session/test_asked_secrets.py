"""What one minion shows is searched for the secrets in the files that it reads, not for all."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet
from tests.support.invoked import print_of

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.settings import RedactRules, Settings
from pillarbook.session import RunOptions, open_session
from pillarbook.session.fleet_compiler import FleetCompiler

SECRET = "Xk3v9QpL2w8Z"
TOP = "base: {'db*': [owner, shared], 'web*': [shared]}\n"
SHARED = {
    "a branch": (
        f"{{% if grains.id == 'db1' %}}\ndb:\n  password: {SECRET}  # rotated\n{{% endif %}}\n"
    ),
    "a map of a template": f"{{% set hosts = {{'db1': {{'password': '{SECRET}'}}}} %}}\n",
    "an imported map": "{% import_yaml 'hosts.yaml' as hosts %}\n",
    "an included file": "include: [hosts]\n",
}
OTHERS = {
    "hosts.yaml": f"db1: {{password: {SECRET}}}\n",
    "hosts.sls": f"{{% if grains.id == 'db1' %}}\ndb: {{password: \"{SECRET}\"}}\n{{% endif %}}\n",
    "owner.sls": "port: 5432\n",
}
NOTE = f"motd: the word is {SECRET} today\nplain: {SECRET}\nport_name: postgres\n"

NO_RULES = RedactRules()


def show(folder: Path, files: dict[str, str], redact: RedactRules = NO_RULES) -> dict[str, object]:
    write_fleet(folder, {"top.sls": TOP, **files}, {"web1": {}, "db1": {}})
    settings = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        redact=redact,
    )
    with open_session(settings, RunOptions()) as session:
        session.freeze_asked_secrets([session.compiler.compile("web1")])
        tagged = session.shown.texts.tagged(session.report.pillar("web1"))
    assert isinstance(tagged, dict)
    return tagged


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)
def test_a_copy_of_a_secret_in_a_file_that_it_reads_is_hidden(shared: str, tmp_path: Path) -> None:
    told = show(tmp_path, {**OTHERS, "shared.sls": shared + NOTE})
    assert SECRET not in str(told)
    assert told["port_name"] == "postgres"


def test_own_secrets_stay_under_their_own_names(tmp_path: Path) -> None:
    own = f"db: {{password: {SECRET}}}\n"
    told = show(tmp_path, {**OTHERS, "shared.sls": own + NOTE})
    assert "'redacted': 'same as db:password'" in str(told["plain"])
    assert SECRET not in str(told)


def test_what_is_allowed_is_shown(tmp_path: Path) -> None:
    allowed = f"banner:\n  token: {SECRET}\n"
    told = show(
        tmp_path, {**OTHERS, "shared.sls": allowed + NOTE}, RedactRules(allow=("banner:token",))
    )
    assert told["banner"] == {"token": SECRET}
    assert told["plain"] == SECRET


def test_named_keys_of_the_configuration_count(tmp_path: Path) -> None:
    branch = f"{{% if grains.id == 'db1' %}}\nsite:\n  phrase: {SECRET}\n{{% endif %}}\n"
    files = {**OTHERS, "shared.sls": branch + NOTE}
    assert show(tmp_path / "a", files)["plain"] == SECRET
    told = show(tmp_path / "b", files, RedactRules(keys=("site:phrase",)))
    assert SECRET not in str(told)


def test_no_other_minion_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = set()
    before = FleetCompiler.compile_as

    def note(self: FleetCompiler, minion: Minion, *rest: Any, **named: Any) -> CompiledPillar:
        compiled.add(minion.id)
        return before(self, minion, *rest, **named)

    monkeypatch.setattr(FleetCompiler, "compile_as", note)
    show(tmp_path, {**OTHERS, "shared.sls": NOTE})
    assert compiled == {"web1"}


@pytest.mark.parametrize("words", [[], ["--minion", "web1"]], ids=["fleet", "minion"])
def test_a_copy_of_a_secret_option_is_hidden_on_a_minion_that_reads_none(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "master": "pillar_roots: {base: [pillar]}\nmy_db_password: q9Zr4mXw2LkP\n",
        "minions.yml": "minions: {web1: {}, web2: {opts: {agent_token: Hq-7-long-one}}}\n",
        "pillar/top.sls": "base: {'*': [a]}\n",
        "pillar/a.sls": "x: a/q9Zr4mXw2LkP/b\ny: a/Hq-7-long-one/b\nz: 1\n",
    }
    write_files(tmp_path, files)
    printed = print_of(["compile", "--master", "master", "--inventory", "minions.yml", *words])
    assert "q9Zr4mXw2LkP" not in printed
    assert "Hq-7-long-one" not in printed
    assert '"z": 1' in printed
