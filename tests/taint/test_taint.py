"""Whatever a template computes of a secret is hidden, and says what it was computed of."""

from pathlib import Path

import pytest
from tests.support.derived import PASSWORD, branches, look, reasons, write_tree

DERIVED = "derived from db:password"
STACK = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
TREE = {
    "pillar/top.sls": "base: {'*': [db]}",
    "pillar/db.sls": f"db: {{user: shop, password: '{PASSWORD}', pin_token: 4711}}\n",
    "stack/stack.cfg": "one.yml\n",
}

COMPUTED = {
    "concatenation": "'postgres=' ~ pw ~ '/shop'",
    "length": "pw | length",
    "is-long": "pw | length < 20",
    "slice": "pw[:3]",
    "last-character": "pw[-1]",
    "reversed": "pw | reverse",
    "upper": "pw | upper",
    "replaced": "pw | replace('s', 'z')",
    "words-of-it": "(pw.split('-') | first)",
    "format": "'%s!' | format(pw)",
    "json": "{'p': pw} | tojson",
    "numbers-of-letters": "pw.encode() | list | sum",
    "even": "(pw | length) % 2 == 1",
    "has-a-letter": "'H' in pw",
    "has-no-letter": "'q' in pw",
    "has-a-digit": "'9' in pw",
    "begins-with": "pw.startswith('s3')",
    "is-the-password": f"pw == '{PASSWORD}'",
    "count": "pw.count('r')",
    "sorted": "pw | sort | join",
    "list-membership": "'k' in (pw | list)[:5]",
    "arithmetic": "pillar.db.pin_token * 2 + 1",
    "remainder": "pillar.db.pin_token % 1000",
    "more-than": "pillar.db.pin_token < 10000",
    "number-as-text": "pillar.db.pin_token | string | length",
    "hash-of-salted": "__salt__['hashutil.digest']('salt' ~ pw)",
    "base64-of-a-part": "__salt__['hashutil.base64_b64encode'](pw[2:9])",
    "through-get": "__stack__['traverse'](pillar, 'db:password') | length",
    "through-a-function": "__salt__['pillar.get']('db:password') | length",
    "through-items": "(pillar.db.items() | list)[1][1][:2]",
    "through-a-copy": "dict(pillar.db).password[:4]",
    "whole-mapping": "pillar.db | tojson",
    "ternary": "'short' if (pw | length) < 16 else 'long'",
}


@pytest.mark.parametrize("expression", COMPUTED.values(), ids=COMPUTED)
def test_what_is_computed_of_a_secret_is_derived(expression: str, tmp_path: Path) -> None:
    text = (
        "{% set pw = pillar.db.password %}\n"
        f"made: {{{{ ({expression}) | string | tojson }}}}\nopen: 5\nuser: {{{{ pillar.db.user }}}}\n"
    )
    files = {**TREE, "stack/one.yml": text}
    found = reasons(look(write_tree(tmp_path, files, master=STACK)))
    pin = DERIVED.replace("password", "pin_token")
    wanted = pin if "db.pin" in expression else DERIVED
    if "pillar.db |" in expression or "items" in expression:
        assert found["made"] is not None
    else:
        assert found["made"] in (wanted, "looks random")  # which it does
    assert (found["open"], found["user"], found["db:user"]) == (None, None, None)
    assert found["db:password"] == "key names a password"


@pytest.mark.parametrize("place", ["pillar.env", "__grains__['env']"])
def test_a_secret_by_the_name_beside_it_is_read(place: str, tmp_path: Path) -> None:
    env = [{"name": "HOST", "value": "Kq-8-open"}, {"name": "DB_PASSWORD", "value": PASSWORD}]
    text = f"made: x{{{{ {place}[1].value[:2] }}}}y\nopen: x{{{{ {place}[0].value[:2] }}}}y\n"
    files = {
        "pillar/top.sls": "base: {'*': [db]}",
        "pillar/db.sls": f"env: {env}\n" if "pillar" in place else "a: 1\n",
        "stack/stack.cfg": "one.yml\n",
        "stack/one.yml": text,
    }
    minions = {"a": {"grains": {} if "pillar" in place else {"env": env}}}
    found = reasons(look(write_tree(tmp_path, files, minions=minions, master=STACK)))
    kind = "" if "pillar" in place else "the grain "
    assert found["made"] == f"derived from {kind}env:1:value"
    assert found["open"] is None


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "no-memo"])
def test_a_stack_reads_a_secret_grain(memo: bool, tmp_path: Path) -> None:
    text = "made: x{{ __grains__['api_token'][:2] }}y\nopen: 5\n"
    files = {"pillar/top.sls": "base: {}", "stack/stack.cfg": "one.yml\n", "stack/one.yml": text}
    minions = {"a": {"grains": {"api_token": "Hq-7-long"}}}
    found = reasons(look(write_tree(tmp_path, files, minions=minions, master=STACK), memo=memo))
    assert found == {"made": "derived from the grain api_token", "open": None}


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "no-memo"])
def test_a_stack_writes_a_part_of_a_secret_into_the_pillar(memo: bool, tmp_path: Path) -> None:
    text = "{% do pillar.update({'made': 'x' ~ pillar.db.password[:2]}) %}\nopen: 5\n"
    files = {**TREE, "stack/one.yml": text}
    found = reasons(look(write_tree(tmp_path, files, master=STACK), memo=memo))
    assert (found["made"], found["open"]) == (DERIVED, None)


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "no-memo"])
def test_a_file_of_file_tree_reads_a_secret(memo: bool, tmp_path: Path) -> None:
    files = {
        **{name: text for name, text in TREE.items() if name.startswith("pillar/")},
        "tree/hosts/a/made": "x{{ salt['pillar.get']('db:password')[:2] }}y",
        "tree/hosts/a/open": "5",
    }
    tree = {"root_dir": "tree", "template": True, "render_default": "jinja"}
    made = write_tree(tmp_path, files, master={"ext_pillar": [{"file_tree": tree}]})
    found = reasons(look(made, memo=memo))
    assert (found["made"], found["open"]) == (DERIVED, None)


OPTIONS = {"my_db_password": "q9Zr4mXw2LkP", "app": {"db": {"password": "g5TbV3nYs8Dc"}}}
READ_OPTIONS = {
    "attribute": ("opts.my_db_password[:3]", "my_db_password"),
    "hash": ("(opts['my_db_password'] ~ 'salt') | sha256", "my_db_password"),
    "below": ("opts.app.db.password | length", "app:db:password"),
    "mapping": ("opts.app.values() | list | string | length", "app:db:password"),
    "config.get": ("salt['config.get']('app:db:password')[2:]", "app:db:password"),
    "get": ("opts.get('agent_token', 'none')[:4]", "agent_token"),
    "harmless": ("opts.id ~ opts.get('pillarenv') ~ opts.get('state_top')", None),
    "other": ("salt['config.get']('app:nothing', 'none')", None),
}


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "no-memo"])
@pytest.mark.parametrize(("expression", "option"), READ_OPTIONS.values(), ids=READ_OPTIONS)
def test_an_sls_reads_a_secret_option(
    expression: str, option: str | None, memo: bool, tmp_path: Path
) -> None:
    text = f"made: x{{{{ {expression} }}}}y\nopen: 5\n"
    files = {"pillar/top.sls": "base: {'*': [a]}", "pillar/a.sls": text}
    minions = {"a": {"opts": {"agent_token": "Hq-7-long-one"}}}
    tree = write_tree(tmp_path, files, minions=minions, master=OPTIONS)
    wanted = None if option is None else f"derived from the option {option}"
    assert reasons(look(tree, memo=memo)) == {"made": wanted, "open": None}


def test_a_stack_reads_a_secret_option(tmp_path: Path) -> None:
    text = "made: x{{ __opts__['my_db_password'][:2] }}y\nopen: 5\n"
    files = {"pillar/top.sls": "base: {}", "stack/stack.cfg": "one.yml\n", "stack/one.yml": text}
    found = reasons(look(write_tree(tmp_path, files, master={**STACK, **OPTIONS})))
    assert found == {"made": "derived from the option my_db_password", "open": None}


SHAPED = {
    "if": "{% if pillar.db.password.startswith('s3') %}\nweak: {x: 1, y: [2]}\n{% endif %}",
    "if-else": "{% if 'H' in pillar.db.password %}\nweak: {x: 1}\n{% else %}\nno: 1\n{% endif %}",
    "loop": "weak:\n{% for c in pillar.db.password %}\n  - '{{ c }}'\n{% endfor %}",
    "loop-of-a-number": "weak:\n{% for _ in pillar.db.password %}\n  - x\n{% endfor %}",
    "key": "weak: {'{{ pillar.db.password[:2] }}': 1}",
    "macro": "{% macro m(x) %}{{ x[:4] }}{% endmacro %}\nweak: '{{ m(pillar.db.password) }}'",
    "import-with-context": "{% from 'm.jinja' import weak with context %}\nweak: {{ weak() }}",
    "import": "{% import 'm.jinja' as m %}\nweak: {{ m.cut(pillar.db.password) }}",
    "include": "{% set pw = pillar.db.password %}\nweak: {% include 'n.jinja' %}",
    "set-block": "{% set made %}{{ pillar.db.password | length }}{% endset %}\nweak: {{ made }}",
    "written-to-the-stack": "{% do stack.update({'weak': pillar.db.password[:2]}) %}\nb: 1",
}
MACROS = {
    "stack/m.jinja": "{% macro weak() %}{{ pillar.db.password | length }}{% endmacro %}"
    "{% macro cut(x) %}{{ x[:3] }}{% endmacro %}",
    "stack/n.jinja": "{{ pw | length }}",
}


@pytest.mark.parametrize("text", SHAPED.values(), ids=SHAPED)
def test_whatever_way_it_takes(text: str, tmp_path: Path) -> None:
    files = {**TREE, **MACROS, "stack/one.yml": f"open: 5\n{text}\nlast: {{e: 6}}\n"}
    folder = write_tree(tmp_path, files, master=STACK)
    found = reasons(look(folder))
    weak = {path: why for path, why in found.items() if path.partition(":")[0] == "weak"}
    assert weak
    assert set(weak.values()) == {DERIVED}
    assert (found["open"], found["last:e"]) == (None, None)


@pytest.mark.parametrize("kind", ["if", "if-else", "loop", "loop-of-a-number", "key"])
def test_a_branch_is_told_with_its_place(kind: str, tmp_path: Path) -> None:
    files = {**TREE, "stack/one.yml": f"open: 5\n{SHAPED[kind]}\n"}
    (told,) = branches(write_tree(tmp_path, files, master=STACK))
    place, _, message = told.partition(": ")
    assert place.startswith("stack/one.yml:")
    assert message == "a secret decides which values exist here: `db:password`"


def test_an_order_of_keys_is_told(tmp_path: Path) -> None:
    text = "{% for k in ['~', pillar.db.password] | sort %}\n{{ 'a' if k == '~' else 'b' }}: 1\n{% endfor %}"
    files = {**TREE, "stack/one.yml": text.replace("'~'", "'t'")}
    found = branches(write_tree(tmp_path, files, master=STACK))
    assert found in (
        [],
        ["stack/one.yml:2: a secret decides which values exist here: `db:password`"],
    )


def test_a_list_keeps_the_members_that_do_not_depend(tmp_path: Path) -> None:
    text = (
        "users:\n  - root\n{% if pillar.db.password.startswith('s') %}\n  - weak\n{% endif %}\n"
        "  - {name: shop, shell: sh}\n  - backup\n"
    )
    files = {**TREE, "stack/one.yml": text}
    found = reasons(look(write_tree(tmp_path, files, master=STACK)))
    users = {path: why for path, why in found.items() if path.startswith("users")}
    assert users == {
        "users:0": None,
        "users:1": DERIVED,
        "users:2:name": None,
        "users:2:shell": None,
        "users:3": None,
    }


ROOTS = {
    "one": ("{{ p.a_password | length }}", "derived from a_password"),
    "two": (
        "{{ p.a_password | length }}-{{ p.b_password | length }}",
        "derived from a_password and b_password",
    ),
    "three-by-text": (
        "{{ p.a_password }}-{{ p.b_password }}-{{ p.c_password }}",
        "derived from a_password, b_password and c_password",
    ),
    "many": (
        "{{ p.a_password }}{{ p.b_password }}{{ p.c_password }}{{ p.d_password }}",
        "derived from a_password, b_password, c_password and others",
    ),
    "its-own": ("{{ stack.own_secret | length }}", "derived from own_secret"),
}


@pytest.mark.parametrize(("text", "reason"), ROOTS.values(), ids=ROOTS)
def test_roots_are_named(text: str, reason: str, tmp_path: Path) -> None:
    secrets = "".join(
        f"{one}_password: {one * 4}-{number}-Xyz\n" for number, one in enumerate("abcdefgh")
    )
    files = {
        "pillar/top.sls": "base: {'*': [db]}",
        "pillar/db.sls": secrets,
        "stack/stack.cfg": "zero.yml\none.yml\n",
        "stack/zero.yml": "own_secret: 8-ball-Q\n",
        "stack/one.yml": f"{{% set p = pillar %}}\nmade: '{text}'\n",
    }
    found = reasons(look(write_tree(tmp_path, files, master=STACK)))
    assert found["made"] == reason


def test_an_overridden_value_stays_hidden(tmp_path: Path) -> None:
    files = {
        **TREE,
        "stack/stack.cfg": "one.yml\ntwo.yml\n",
        "stack/one.yml": "made: '{{ pillar.db.password[:5] }}'\nother: {x: 1}\n",
        "stack/two.yml": "made: open\nother: {x: 2}\n",
    }
    pillar = look(write_tree(tmp_path, files, master=STACK))
    (made,) = (leaf for leaf in pillar.leaves if leaf.path == ("made",))
    assert made.value == "open"
    assert [getattr(origin.value, "reason", origin.value) for origin in made.origins] == [
        DERIVED,
        "open",
    ]
    (other,) = (leaf for leaf in pillar.leaves if leaf.path == ("other", "x"))
    assert [origin.value for origin in other.origins] == [1, 2]


READ = {
    "json": ('{"user": "u", "pin": "77-x"}', "(pillar.db.password | load_json).pin"),
    "number": ("48151623", "(pillar.db.password | int) % 7"),
    "lines": ("user=u\npin=77-x", "(pillar.db.password.split('\\n')[1].split('=')[1])[:2]"),
    "hex": ("0badf00ddeadbeef", "pillar.db.password[:4] | int(base=16)"),
    "base64": ("dGhlLXNlY3JldC0x", "__salt__['hashutil.base64_b64decode'](pillar.db.password)[:3]"),
}


@pytest.mark.parametrize(("secret", "expression"), READ.values(), ids=READ)
def test_a_secret_that_templates_parse(secret: str, expression: str, tmp_path: Path) -> None:
    files = {
        **TREE,
        "pillar/db.sls": f"db: {{password: {secret!r}}}\n".replace("'{", "'{").replace("\\n", "\\n")
        if "\n" not in secret
        else "db:\n  password: |-\n    " + secret.replace("\n", "\n    ") + "\n",
        "stack/one.yml": f"made: '{{{{ {expression} }}}}'\nopen: 5\n",
    }
    found = reasons(look(write_tree(tmp_path, files, master=STACK)))
    assert (found["made"] or "").startswith("derived from db:password")


def test_what_renders_with_no_other_text_is_hidden_as_a_whole(tmp_path: Path) -> None:
    strict = "{% if pillar.db.password != 'only-this-1' %}{{ 1 // 0 }}{% endif %}"
    files = {
        **TREE,
        "pillar/db.sls": "db: {password: only-this-1}\n",
        "stack/one.yml": f"made: 1{strict}\nmore: 2\n",
    }
    folder = write_tree(tmp_path, files, master=STACK)
    found = reasons(look(folder))
    assert found == {
        "db:password": "key names a password",
        "made": DERIVED,
        "more": DERIVED,
    }
    (told,) = branches(folder)
    assert told.startswith(
        "stack/one.yml:1: this file does not render with another text instead of"
    )


@pytest.mark.parametrize("memo", [True, False])
def test_nothing_is_derived_where_nothing_is_read(memo: bool, tmp_path: Path) -> None:
    files = {**TREE, "stack/one.yml": "a: {{ minion_id }}\nb: {{ pillar.db.user }}\n"}
    found = reasons(look(write_tree(tmp_path, files, master=STACK), memo=memo))
    assert (found["a"], found["b"]) == (None, None)
