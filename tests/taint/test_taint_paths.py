"""By whichever way a secret comes to a reader: what is made of it is derived."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import PASSWORD, branches, look, reasons, without_keys, write_tree
from tests.support.messages import encrypting

from pillarbook.model import KeyPath
from pillarbook.redact import Redacted, RedactedPillar

DERIVED = "derived from db:password"
SEALED = "depends on the ciphertext of db:password, which is sealed"
TOP = {"pillar/top.sls": "base: {'*': [site]}"}
ANSWER = {"answers/cmd.yml": f"'*': {{db: {{user: shop, password: '{PASSWORD}'}}, port: 1}}\n"}
FIRST = {"ext_pillar_first": True, "ext_pillar": [{"cmd_json": "db"}]}
ANSWERED = {"ext_pillars": {"cmd_json": "answers/cmd.yml"}}


@pytest.fixture(scope="module")
def encrypt() -> Iterator[Callable[[bytes], str]]:
    with encrypting() as run:
        yield run


def indented(message: str) -> str:
    return message.replace("\n", "\n    ")


def gpg_then_jinja(message: str) -> str:
    return f"""#!gpg|jinja -s|yaml
{{% set pw = "{message}" %}}
db:
  password: "{{{{ pw }}}}"
  length: {{{{ pw | length }}}}
  url: postgres://shop:{{{{ pw | upper }}}}@db
  port: 5432
{{% if pw.startswith('s3') %}}
  weak: {{x: 1}}
{{% endif %}}
"""


def test_a_template_of_decrypted_text(encrypt: Callable[[bytes], str], tmp_path: Path) -> None:
    files = {**TOP, "pillar/site.sls": gpg_then_jinja(encrypt(PASSWORD.encode()))}
    folder = write_tree(tmp_path, files, settings={"decrypt": True})
    found = without_keys(reasons(look(folder)))
    assert found == {
        "db:password": "gpg renderer",
        "db:length": DERIVED,
        "db:url": DERIVED,
        "db:port": "gpg renderer",
        "db:weak:x": "gpg renderer",
    }


def test_a_file_that_is_a_message_as_a_whole(
    encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    clear = b"{% set n = 4 %}db:\n  password: pw-{{ n }}\n  port: {{ n * 2 }}\n"
    files = {**TOP, "pillar/site.sls": f"#!gpg|jinja -s|yaml\n{encrypt(clear)}\n"}
    folder = write_tree(tmp_path, files, settings={"decrypt": True})
    assert set(without_keys(reasons(look(folder))).values()) == {"gpg renderer"}
    assert branches(folder) == []


STACKED = {
    "ext_pillar": [{"stack": "stack/stack.cfg"}],
}
STACK_FILES = {
    "stack/stack.cfg": "one.yml\n",
    "stack/one.yml": "len: {{ pillar.db.password | length }}\nport: {{ pillar.db.port }}\n"
    "{% if pillar.db.password[0] in 'rst-' %}\nx: 1\n{% endif %}\n",
}


@pytest.mark.parametrize("pipe", ["yaml|gpg", "jinja|yaml|gpg", "gpg|yaml"])
def test_a_stack_that_reads_what_was_decrypted(
    pipe: str, encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    text = f"#!{pipe}\ndb:\n  port: 5432\n  password: |\n    "
    files = {**TOP, **STACK_FILES, "pillar/site.sls": text + indented(encrypt(PASSWORD.encode()))}
    folder = write_tree(tmp_path, files, master=STACKED, settings={"decrypt": True})
    found = without_keys(reasons(look(folder)))
    assert found == {
        "db:port": None,
        "db:password": "gpg renderer",
        "len": DERIVED,
        "port": None,
        "x": DERIVED,
    }


def test_without_keys_what_depends_on_ciphertext_says_so(
    encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    text = "#!yaml|gpg\ndb:\n  port: 5432\n  password: |\n    "
    one = "len: {{ pillar.db.password | length }}\nhead: '{{ pillar.db.password[:4] }}'\nport: {{ pillar.db.port }}\n"
    one += "{% if 'Zq' in pillar.db.password %}\ny: 1\n{% endif %}\n"
    files = {**TOP, **STACK_FILES, "pillar/site.sls": text + indented(encrypt(b"x" * 80))}
    folder = write_tree(tmp_path, {**files, "stack/one.yml": one}, master=STACKED)
    found = reasons(look(folder))
    assert (found["len"], found["head"], found["port"], found["db:port"]) == (
        *(SEALED, SEALED),
        *(None, None),
    )
    assert (found["db:password"] or "").startswith("PGP message")


def test_without_keys_a_template_of_ciphertext(
    encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    sls = gpg_then_jinja(encrypt(PASSWORD.encode())).replace("{{ pw | upper }}", "")
    sls = sls.replace('"{{ pw }}"', "{{ pw | tojson }}")
    found = reasons(look(write_tree(tmp_path, {**TOP, "pillar/site.sls": sls})))
    assert found["db:length"] == SEALED
    assert (found["db:password"] or "").startswith("PGP message")
    assert None not in found.values()


def test_an_external_pillar_that_comes_first(tmp_path: Path) -> None:
    sls = """
{% from 'm.jinja' import cut with context %}
a: {{ pillar.db.password | length }}
b: {{ salt['pillar.get']('db:password') | sha256 }}
c: {{ cut() }}
d: {{ pillar.db.user }}
e: {{ pillar['db']['password'][1:4] }}
f: {{ pillar.get('port') }}
g: {{ salt['config.get']('db:password', '')[:2] }}
"""
    files = {
        **TOP,
        **ANSWER,
        "pillar/site.sls": sls,
        "pillar/m.jinja": "{% macro cut() %}{{ pillar.db.password[3:6] }}{% endmacro %}",
    }
    folder = write_tree(tmp_path, files, master=FIRST, settings=ANSWERED)
    for memo in (True, False):
        found = reasons(look(folder, memo=memo))
        assert [found[key] for key in "abcdefg"] == [
            *(DERIVED, DERIVED, DERIVED, None, DERIVED, None, DERIVED)
        ]


@pytest.mark.parametrize(
    ("target", "matches"),
    [
        ("db:password:s3*", {"match": "pillar"}),
        ("I@db:password:s3*", {"match": "compound"}),
    ],
    ids=["pillar", "compound"],
)
def test_a_target_that_asks_for_a_secret(
    target: str, matches: dict[str, str], tmp_path: Path
) -> None:
    top = {"base": {"*": ["open"], target: [matches, "site"]}}
    files = {**ANSWER, "pillar/top.sls": str(top), "pillar/site.sls": "x: 1\n"}
    folder = write_tree(
        tmp_path, {**files, "pillar/open.sls": "y: 2\n"}, master=FIRST, settings=ANSWERED
    )
    found = reasons(look(folder))
    assert (found["x"], found["y"]) == (DERIVED, None)
    assert branches(folder) == [
        "pillar/site.sls:1: a secret decides which values exist here: `db:password`"
    ]


GRAIN = "derived from the grain api_token"


def test_a_secret_grain(tmp_path: Path) -> None:
    sls = """
a: {{ grains.api_token[:3] }}
b: {{ salt['grains.get']('api_token') | length }}
c: {{ grains['os'] }}
d: {{ opts.grains.api_token | reverse }}
e: {{ grains | tojson | length }}
"""
    minions = {
        "a": {"grains": {"os": "Debian", "api_token": "tok-4711-Q"}},
        "b": {"grains": {"os": "Debian", "api_token": ""}},
    }
    folder = write_tree(tmp_path, {**TOP, "pillar/site.sls": sls}, minions=minions)
    found = reasons(look(folder))
    assert found == {"a": GRAIN, "b": GRAIN, "c": None, "d": GRAIN, "e": GRAIN}
    assert set(reasons(look(folder, "b")).values()) == {None}


def test_a_target_that_names_a_secret_grain(tmp_path: Path) -> None:
    top = "base: {'G@api_token:tok-*': [{match: compound}, site]}"
    minions = {"a": {"grains": {"api_token": "tok-4711-Q"}}}
    files = {"pillar/top.sls": top, "pillar/site.sls": "x: 1\n"}
    assert reasons(look(write_tree(tmp_path, files, minions=minions))) == {"x": GRAIN}


def test_the_minions_own_pillar(tmp_path: Path) -> None:
    minions = {"a": {"grains": {}, "pillar": {"db": {"password": PASSWORD, "port": 1}}}}
    files = {**TOP, **STACK_FILES, "pillar/site.sls": "z: 1\n"}
    found = reasons(look(write_tree(tmp_path, files, minions=minions, master=STACKED)))
    assert (found["len"], found["port"], found["x"], found["z"]) == (DERIVED, None, DERIVED, None)


def test_the_stack_so_far(tmp_path: Path) -> None:
    files = {
        **TOP,
        "pillar/site.sls": "z: 1\n",
        "stack/stack.cfg": "one.yml\ntwo.yml\n",
        "stack/one.yml": f"db: {{password: '{PASSWORD}', user: shop}}\n",
        "stack/two.yml": "len: {{ stack.db.password | length }}\nuser: {{ stack.db.user }}\n",
    }
    found = reasons(look(write_tree(tmp_path, files, master=STACKED)))
    assert (found["len"], found["user"]) == (DERIVED, None)


def test_defaults_of_an_include(tmp_path: Path) -> None:
    sls = f"include:\n  - part:\n      key: sub\n      defaults: {{password: '{PASSWORD}', port: 1}}\n"
    files = {
        **TOP,
        "pillar/site.sls": sls + "z: 1\n",
        "pillar/part.sls": "len: {{ password | length }}\nport: {{ port }}\n",
    }
    found = reasons(look(write_tree(tmp_path, files)))
    assert (found["sub:port"], found["z"]) == (None, None)
    assert found["sub:len"] == "derived from the default password of an include"


FUNCTIONS: dict[str, tuple[Any, str, str]] = {
    "vault": (
        {"vault.read_secret": {"$answer": {"x": "abc-123-Q"}}},
        "salt['vault.read_secret']('secret/x').x",
        "derived from the answer of vault.read_secret",
    ),
    "sdb": (
        {"sdb.get": "abc-123-Q"},
        "salt['sdb.get']('sdb://x')",
        "derived from the answer of sdb.get",
    ),
    "by-key": (
        {"site.info": {"$answer": {"password": "abc-123-Q", "room": "r-4"}}},
        "salt['site.info']().password",
        "derived from the answer of site.info",
    ),
    "open": ({"site.info": {"$answer": {"room": "r-4"}}}, "salt['site.info']().room", ""),
}


@pytest.mark.parametrize(("functions", "call", "reason"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_answers_of_functions(functions: Any, call: str, reason: str, tmp_path: Path) -> None:
    files = {**TOP, "pillar/site.sls": f"a: {{{{ {call}[:2] }}}}\nb: 1\n"}
    found = reasons(look(write_tree(tmp_path, files, settings={"functions": functions})))
    assert found == {"a": reason or None, "b": None}


def test_the_mine(tmp_path: Path) -> None:
    sls = (
        "a: {{ salt['saltutil.runner']('mine.get', tgt='b', fun='site.join').b.token[:2] }}\n"
        "b: {{ salt['saltutil.runner']('mine.get', tgt='b', fun='site.join').b.port }}\n"
    )
    minions = {
        "a": {"grains": {}},
        "b": {"grains": {}, "mine": {"site.join": {"token": "K10abc::server:1", "port": 6443}}},
    }
    found = reasons(look(write_tree(tmp_path, {**TOP, "pillar/site.sls": sls}, minions=minions)))
    assert found == {"a": "derived from the mine's site.join:token", "b": None}


def test_a_minion_that_is_compiled_plainly(tmp_path: Path) -> None:
    sls = "{% do grains.update({'x': 1}) %}\na: {{ grains.api_token[:3] }}\nb: {{ grains.x }}\n"
    minions = {"a": {"grains": {"os": "Debian", "api_token": "tok-4711-Q"}}}
    folder = write_tree(tmp_path, {**TOP, "pillar/site.sls": sls}, minions=minions)
    assert reasons(look(folder)) == {"a": GRAIN, "b": None}


def test_a_secret_that_is_a_date(tmp_path: Path) -> None:
    sls = "a: {{ pillar.db.password | strftime('%A') }}\nb: 1\n"
    files = {
        **TOP,
        "answers/cmd.yml": "'*': {db: {password: '2024-02-29'}}\n",
        "pillar/site.sls": sls,
    }
    found = reasons(look(write_tree(tmp_path, files, master=FIRST, settings=ANSWERED)))
    assert found["a"] == DERIVED


def test_a_command_runs_once(tmp_path: Path) -> None:
    script = 'echo x >> ran; echo \'{"db": {"password": "pw-4711-Q"}, "n": \'$RANDOM\'}\''
    files = {
        **TOP,
        "print.sh": f"#!/bin/bash\n{script}\n",
        "pillar/site.sls": "len: {{ pillar.db.password | length }}\nm: {{ pillar.n }}\n",
    }
    master = {"ext_pillar_first": True, "ext_pillar": [{"cmd_json": "bash print.sh"}]}
    folder = write_tree(tmp_path, files, master=master, settings={"python": True})
    found = reasons(look(folder, environments=False))
    assert (found["len"], found["m"]) == (DERIVED, None)
    assert (folder / "ran").read_text() == "x\n"


ID_FILE = "#!{pipe}\nroles: [web, db]\nowner: infra\ndb:\n  password: |\n    {message}\n"
READS_IT = """{% set own = salt['slsutil.renderer']('/srv/pillar/id.sls') %}
roles: {{ own.roles | tojson }}
weight: {{ grains['cpus'] * 7 }}
alone: {{ own.roles | length == 1 }}
copy: {{ own.db.password | trim | tojson }}
length: {{ own.db.password | length }}
url: postgres://shop:{{ own.db.password | trim | upper }}@db
keys: {{ own.db | list | tojson }}
{% if own.db.password.startswith('s3') %}
weak: {x: 1}
{% endif %}
"""
PATHS = {"paths": {"/srv/pillar": "pillar"}, "decrypt": True}
OTHERS = "derived from a secret that is decrypted while a file renders"
"""Of a file that the minion's pillar does not have; nobody knows the secret by name."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize("pipe", ["yaml|gpg", "jinja|yaml|gpg"])
def test_a_file_that_a_template_renders(
    pipe: str, memo: bool, encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    message = indented(encrypt(PASSWORD.encode()))
    files = {
        "pillar/id.sls": ID_FILE.format(pipe=pipe, message=message),
        "pillar/site.sls": READS_IT,
    }
    minions = {"a": {"grains": {"cpus": 4}}}
    folder = write_tree(tmp_path, {**TOP, **files}, minions=minions, settings=PATHS)
    found = reasons(look(folder, memo=memo))
    shown = ["roles:0", "roles:1", "weight", "alone", "keys:0"]
    hidden = {path: why for path, why in found.items() if path not in shown}
    assert [found[path] for path in shown] == [None] * 5
    assert sorted(hidden) == ["copy", "length", "url", "weak:x"]
    assert set(hidden.values()) == {OTHERS}
    assert [text.partition(": ")[0] for text in branches(folder, memo=memo)] == [
        "pillar/site.sls:10"
    ]


def test_a_text_that_a_template_opens_hides_all_that_is_made_of_it(
    encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    clear = f"db:\n  password: {PASSWORD}\nroles: [web, db]\n"
    files = {
        **TOP,
        "pillar/id.sls": f"#!gpg|yaml\n{encrypt(clear.encode())}\n",
        "pillar/site.sls": READS_IT.partition("{% if")[0],
    }
    minions = {"a": {"grains": {"cpus": 4}}}
    folder = write_tree(tmp_path, files, minions=minions, settings=PATHS)
    assert None not in reasons(look(folder)).values()


@pytest.mark.parametrize("way", ["stack", "rendered"])
def test_a_copy_under_a_secret_name_is_no_text_of_the_tree(
    way: str, encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    """Who may add plain YAML adds guesses: no token of what was opened is that of a guess."""
    source = "pillar.db.password" if way == "stack" else "own.db.password"
    copy = f"other_password: '{{{{ {source} }}}}'\n"
    set_own = "{% set own = salt['slsutil.renderer']('/srv/pillar/id.sls') %}\n"
    sealed = ID_FILE.format(pipe="yaml|gpg", message=indented(encrypt(PASSWORD.encode())))
    files = {
        "pillar/top.sls": "base: {'*': [site, guess]}",
        "pillar/id.sls": sealed,
        "pillar/site.sls": sealed if way == "stack" else set_own + copy,
        "pillar/guess.sls": f"guess_password: '{PASSWORD}'\n",
        "stack/stack.cfg": "one.yml\n",
        "stack/one.yml": copy if way == "stack" else "x: 1\n",
    }
    folder = write_tree(tmp_path, files, master=STACKED, settings=PATHS)
    places = places_of(look(folder))
    assert places["other_password",] != places["guess_password",]


def test_a_copy_of_text_of_the_tree_has_its_token(tmp_path: Path) -> None:
    files = {
        **TOP,
        "pillar/site.sls": f"db: {{password: '{PASSWORD}'}}\n",
        "stack/stack.cfg": "one.yml\n",
        "stack/one.yml": "other_password: '{{ pillar.db.password }}'\n",
    }
    places = places_of(look(write_tree(tmp_path, files, master=STACKED)))
    assert places["other_password",] == places["db", "password"]


def places_of(pillar: RedactedPillar) -> dict[KeyPath, int]:
    """Return the number of each secret, which stands for its token."""
    return {
        leaf.path: leaf.value.secret_id
        for leaf in pillar.leaves
        if isinstance(leaf.value, Redacted)
    }
