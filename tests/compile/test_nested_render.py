"""What templates render by ``slsutil.renderer``: what may not be, what is secret, what is told."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.fleets import CASES, answer_of, compile_case, write_files, write_fleet

from pillarbook.compile.compiled_pillar import CompiledPillar

SEALED = CASES / "pillar/decrypt/wrong-renderer/pillar/s.sls"
MINIONS = {"a": {"grains": {"os": "Debian"}}, "b": {"grains": {"os": "Rocky"}}}


def compiled(folder: Path, files: dict[str, str], **options: Any) -> dict[str, CompiledPillar]:
    master = {"file_roots": {"base": ["states"]}, "gpg_keydir": str(CASES / "gpgkeys")}
    write_fleet(folder, {"top.sls": "base: {'*': [app]}", **files}, MINIONS, master)
    return compile_case(folder, **options)


@pytest.mark.parametrize(
    "call",
    [
        "string='#!py\\ndef run():\\n    raise SystemExit'",
        "string='${1}', default_renderer='mako'",
        "path='salt://code.sls'",
        "string='{{ salt.slsutil.renderer(path=\"salt://code.sls\") }}'",
        "string='#!stateconf yaml . mako\\na: b'",
    ],
)
def test_code_does_not_run_by_this_way_either(call: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"states/code.sls": "#!py\ndef run():\n    return {'ran': True}\n"})
    files = {"app.sls": f"\na: {{{{ salt['slsutil.renderer']({call}) }}}}"}
    pillar = compiled(tmp_path, files)["a"]
    (said,) = pillar.diagnostics
    assert (pillar.outcome, said.code) == ("partial", "unsupported-renderer")
    assert said.position is not None
    assert said.position.line is not None


def test_code_that_may_run_is_rendered(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"states/code.sls": "#!py\ndef run():\n    return {'os': __grains__['os']}"}
    )
    files = {"app.sls": "a: {{ salt['slsutil.renderer']('salt://code.sls') }}"}
    for memo in (True, False):
        pillars = compiled(tmp_path, files, python=True, memo=memo)
        assert [answer_of(pillar) for pillar in pillars.values()] == [
            {"a": {"os": "Debian"}},
            {"a": {"os": "Rocky"}},
        ]


def test_renders_inside_of_each_other_end(tmp_path: Path) -> None:
    write_files(tmp_path, {"states/x.sls": "{{ salt['slsutil.renderer']('salt://x.sls') }}"})
    files = {"app.sls": "a: {{ salt['slsutil.renderer']('salt://x.sls') }}"}
    (said,) = compiled(tmp_path, files)["a"].diagnostics
    assert "Renders go on inside of each other without an end" in said.message


def test_what_was_decrypted_is_noted(tmp_path: Path) -> None:
    sealed = yaml.safe_load(SEALED.read_text())["b"]
    write_files(
        tmp_path, {"states/s.sls": "#!yaml|gpg\n" + yaml.safe_dump({"open": 1, "s": sealed})}
    )
    files = {"app.sls": "a: {{ salt['slsutil.renderer']('salt://s.sls').s | tojson }}\nb: plain"}
    pillar = compiled(tmp_path, files)["a"]
    assert "BEGIN PGP" not in str(answer_of(pillar))
    assert any(result.decrypted for result in pillar.renders)


def test_a_renderer_that_salt_does_not_know_is_told(tmp_path: Path) -> None:
    files = {"app.sls": "\n\na: {{ salt['slsutil.renderer'](string='a', default_renderer='no') }}"}
    pillar = compiled(tmp_path, files)["a"]
    (said,) = pillar.diagnostics
    assert answer_of(pillar) == {"a": {}}
    assert (said.code, str(said.position)) == ("unknown-renderer", "pillar/app.sls:3")


def test_faults_inside_have_their_place(tmp_path: Path) -> None:
    write_files(tmp_path, {"states/x.sls": "\n\na: {{ grains.no }}"})
    files = {"app.sls": "\na: {{ salt['slsutil.renderer']('salt://x.sls') }}"}
    (said,) = compiled(tmp_path, files)["a"].diagnostics
    assert (said.code, str(said.position)) == ("missing-grain", "states/x.sls:3")


def test_a_call_inside_is_told_of(tmp_path: Path) -> None:
    files = {"app.sls": "\na: {{ salt['slsutil.renderer'](string='{{ salt.cmd.run(1) }}') }}"}
    (said,) = compiled(tmp_path, files)["a"].diagnostics
    assert said.message == "SLS 'app' calls 'cmd.run', which has no declared answer"
    assert str(said.position) == "pillar/app.sls:2"
    assert said.help is not None
    assert "args: [1]" in said.help
