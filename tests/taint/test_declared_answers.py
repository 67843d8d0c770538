"""Only the answers that are declared for a minion may be what its values are derived from."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import look, reasons, write_tree

from pillarbook.taint import taint_sources

TREE = {
    "pillar/top.sls": "base: {'*': [site]}",
    "pillar/site.sls": "a: {{ salt['vault.read_secret']('secret/x')[:2] }}\nb: 1\n",
}
OWN = {"a*": "abc-123-Q"}
OTHERS = {f"b{number}": f"abd-{number}-R" for number in range(40)}


@pytest.mark.parametrize(
    "answers", [{**OWN, **OTHERS}, {**OTHERS, **OWN}, {**OWN, "*": "x-9"}, "abc-123-Q"]
)
def test_others_are_not_tried(
    answers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To try forty answers would take several compiles for each minion."""
    tried: list[Any] = []
    monkeypatch.setattr(taint_sources._Search, "find_with", lambda _, roots: tried.append(roots))
    fleet = write_tree(tmp_path, TREE, settings={"functions": {"vault.read_secret": answers}})
    assert reasons(look(fleet)) == {"a": "derived from the answer of vault.read_secret", "b": None}
    assert not tried


def test_what_prints_several_answers_needs_no_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither do short answers, which a value may contain by chance."""
    tried: list[Any] = []
    monkeypatch.setattr(taint_sources._Search, "find_with", lambda _, roots: tried.append(roots))
    template = (
        "{% set s = salt['vault.read_secret']('x') %}\n"
        "url: pg://{{ s.user }}:{{ s.pass }}@db\nuser: {{ s.user }}\nname: bob\n"
    )
    answer = {"$answer": {"user": "bob", "pass": "kd83Jdl2mzlq", "other": "8sJd72-xKw0"}}
    settings = {"functions": {"vault.read_secret": answer}}
    fleet = write_tree(tmp_path, {**TREE, "pillar/site.sls": template}, settings=settings)
    words = "derived from the answer of vault.read_secret"
    assert reasons(look(fleet)) == {"url": words, "user": words, "name": None}
    assert not tried


def test_a_minion_without_an_answer_has_no_secret(tmp_path: Path) -> None:
    files = {
        **TREE,
        "pillar/site.sls": "b: {{ 'vault.read_secret' in salt and salt.get('x.y', 1) }}\n",
    }
    fleet = write_tree(tmp_path, files, settings={"functions": {"vault.read_secret": OTHERS}})
    assert reasons(look(fleet)) == {"b": None}


ASKED = {
    "a key of the pillar": ("pillar.get", ["db:password"], True),
    "one below it": ("pillar.get", ["shop", "api_token"], True),
    "a file": ("cmd.run", ["cat /etc/db.password"], True),
    "a password store": ("cmd.run", ["pass show shop/db"], True),
    "a store of another user": ("cmd.run", ["sudo -u ci /usr/bin/pass shop/db"], True),
    "Vault": ("cmd.shell", ["vault kv get -field=x secret/shop"], True),
    "a module of secrets": ("secrets.get", ["shop"], True),
    "a port": ("pillar.get", ["db:port"], False),
    "the file of a password": ("pillar.get", ["db:password_file"], False),
    "users": ("cmd.run", ["getent passwd"], False),
    "a word": ("cmd.run", ["make pass tests"], False),
}


@pytest.mark.parametrize(("function", "args", "is_secret"), ASKED.values(), ids=ASKED)
def test_an_answer_is_secret_by_what_is_asked_for(
    function: str, args: list[str], is_secret: bool, tmp_path: Path
) -> None:
    words = ", ".join(map(repr, args))
    files = {**TREE, "pillar/site.sls": f"a: {{{{ salt['{function}']({words}) }}}}\n"}
    call = {"args": args, "answer": "Kernbeisser7"}
    fleet = write_tree(tmp_path, files, settings={"functions": {function: {"$calls": [call]}}})
    reason = f"derived from the answer of {function}" if is_secret else None
    assert reasons(look(fleet)) == {"a": reason}
