"""``nacl``: what stays sealed is marked as secret."""

from pathlib import Path

from tests.support.fleets import compile_case, write_fleet

from pillarbook.model import leaves, plain


def test_messages_stay_sealed_in_their_places(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [app]}",
        "app.sls": "#!yaml|nacl\na: NACL[abc=]\nb: ['not NACL[abc=]', 'NACL[x]']\n",
    }
    pillar = compile_case(write_fleet(tmp_path, files, {"web1": {}}))["web1"]
    assert plain(pillar.tree) == {"a": "NACL[abc=]", "b": ["not NACL[abc=]", "NACL[x]"]}
    marks = {path: getattr(node, "secret", None) for path, node, _ in leaves(pillar.tree)}
    assert marks == {("a",): "nacl renderer", ("b", 0): None, ("b", 1): "nacl renderer"}


def test_an_sls_that_is_one_message_is_sealed(tmp_path: Path) -> None:
    files = {"top.sls": "#!yaml\nbase: {'*': [app]}", "app.sls": "NACL[abc=]\n"}
    master = {"renderer": "nacl|yaml"}
    pillar = compile_case(write_fleet(tmp_path, files, {"web1": {}}, master))["web1"]
    assert pillar.outcome == "partial"
    assert [one.code for one in pillar.diagnostics] == ["sealed-sls"]
