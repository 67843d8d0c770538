"""What tokens and reasons tell whoever may add values to a tree whose secrets are opened."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.derived import opened, write_tree
from tests.support.messages import encrypting
from tests.support.tiers import fewer

from pillarbook.model import format_path
from pillarbook.redact import Redacted
from pillarbook.session.session import Session

SECRET = "Teapot-4187-kettle"
PIN = "41877614"
WRONG = [f"Teapot-{number}-kettle" for number in range(4180, 4190) if number != 4187]
SLS = "#!yaml|gpg\n"
TOP = "base: {'*': [db, guesses]}\n"
OPENED = {"decrypt": True}


@pytest.fixture(scope="module")
def messages() -> Iterator[Mapping[str, list[str]]]:
    """Messages to the public key, two of each clear text."""
    with encrypting() as encrypt:
        texts = [SECRET, PIN, "another", *WRONG]
        yield {text: [json.dumps(encrypt(text.encode())) for _ in range(2)] for text in texts}


def tree(folder: Path, files: Mapping[str, str], **settings: Any) -> Path:
    return write_tree(
        folder,
        {f"pillar/{name}": text for name, text in files.items()},
        settings={**OPENED, **settings},
    )


def values_of(session: Session, minion: str = "a") -> dict[str, Any]:
    """Return what a minion gets by path, once every secret is looked for."""
    session.freeze_fleet_secrets()
    return {format_path(leaf.path): leaf.value for leaf in session.report.pillar(minion).leaves}


def tokens_of(session: Session, minion: str = "a") -> dict[str, str]:
    values = values_of(session, minion).items()
    return {
        path: session.shown.token(one.secret_id)
        for path, one in values
        if isinstance(one, Redacted)
    }


def look(folder: Path, files: Mapping[str, str], **settings: Any) -> dict[str, str]:
    with opened(tree(folder, files, **settings)) as session:
        return tokens_of(session)


GUESSES: Mapping[str, Callable[[str], str]] = {
    "a value": json.dumps,
    "in a text": lambda text: json.dumps(f"x {text} y"),
    "a hash": lambda text: json.dumps(base64.b64encode(text.encode()).decode()),
    "a key": lambda text: json.dumps({text: 1}),
    "under a secret name": lambda text: json.dumps({"password": text}),
}


def everything_shown(session: Session) -> str:
    """Return all that is told of the fleet, as text."""
    session.look_at_all()
    pillars = [
        session.shown.texts.as_json(session.report.pillar(minion))
        for minion in session.fleet.minions
    ]
    told = [f"{one.message} {one.help}" for one in session.shown.diagnostics]
    return "\n".join([*pillars, *told])


@pytest.mark.sample(2)
@pytest.mark.parametrize("guess", GUESSES)
def test_a_plain_guess_shares_nothing_with_an_opened_secret(
    guess: str, messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    secrets = f"db: {{password: {messages[SECRET][0]}, pin: {messages[PIN][0]}}}\n"
    guesses = "".join(
        f"  g{at}: {GUESSES[guess](text)}\n" for at, text in enumerate([*WRONG, SECRET, PIN])
    )
    files = {"top.sls": TOP, "db.sls": SLS + secrets, "guesses.sls": f"guesses:\n{guesses}"}
    with opened(tree(tmp_path, files)) as session:
        shown = everything_shown(session)
        assert SECRET not in shown
        assert PIN not in shown
        tokens = tokens_of(session)
        own = {tokens["db:password"], tokens["db:pin"]}
        assert len(own) == 2
        data = json.loads(session.shown.texts.as_json(session.report.pillar("a")))["guesses"]
    assert not any(token in json.dumps(data) for token in own)
    assert "db:password" not in shown.replace("same as guesses", "")
    assert "db:pin" not in shown
    assert "copy of a secret" in shown or guess in ("a key", "under a secret name")


def test_a_message_to_the_public_key_shares_nothing_with_an_equal_one(
    messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    guesses = [*WRONG, SECRET]
    lines = "".join(f"  - {messages[text][1]}\n" for text in guesses)
    secrets = f"db: {{password: {messages[SECRET][0]}}}\n"
    files = {"top.sls": TOP, "db.sls": SLS + secrets, "guesses.sls": f"{SLS}guesses:\n{lines}"}
    with opened(tree(tmp_path, files)) as session:
        tokens = tokens_of(session)
        reasons = {
            path: value.reason.partition(", for")[0]
            for path, value in values_of(session).items()
            if isinstance(value, Redacted)
        }
    assert len(set(tokens.values())) == len(guesses) + 1
    assert set(reasons.values()) == {"gpg renderer"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("rule", ["lost-scalar", "changed-alias"])
@pytest.mark.parametrize("kind", ["plain", "encrypted"])
@pytest.mark.parametrize("order", [["db", "guess"], ["guess", "db"]])
def test_what_replaces_an_opened_secret_is_told_whatever_it_is(
    rule: str, kind: str, order: list[str], messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    # The finding names the key: if it depended on the value, it would tell a guess of that secret.
    told = {}
    for text in (SECRET, WRONG[0]):
        given = json.dumps(text) if kind == "plain" else messages[text][1]
        base = "shared: &one" if rule == "changed-alias" else "shared:"
        alias = "again: *one\n" if rule == "changed-alias" else ""
        first, second = ({"db": messages[SECRET][0], "guess": given}[name] for name in order)
        files = {
            "top.sls": f"base: {{'*': [{', '.join(order)}]}}\n",
            f"{order[0]}.sls": f"{SLS}{base}\n  password: {first}\n{alias}",
            f"{order[1]}.sls": f"{SLS}shared: {{password: {second}}}\n",
        }
        with opened(tree(tmp_path / text, files), rules=(rule,)) as session:
            session.look_at_all()
            found = [one for one in session.shown.diagnostics if one.code == rule]
            told[text] = [(str(one.position), one.message) for one in found]
    assert told[SECRET] == told[WRONG[0]] != []


@pytest.mark.parametrize("member", ["{}", "{{password: {}}}"], ids=["a scalar", "a mapping"])
@pytest.mark.parametrize("kind", ["plain", "encrypted"])
def test_of_members_of_two_lists_it_is_not_said_that_one_replaces_another(
    kind: str, member: str, messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    # Equal ones become one member with two origins, others stay two.
    given = json.dumps(SECRET) if kind == "plain" else messages[SECRET][1]
    files = {
        "top.sls": TOP,
        "db.sls": f"{SLS}passwords: [{member.format(messages[SECRET][0])}]\n",
        "guesses.sls": f"{SLS}passwords: [{member.format(given)}]\n",
    }
    folder = tree(tmp_path, files)
    with (folder / "master").open("a") as master:
        master.write("\npillar_merge_lists: true\n")
    with opened(folder, rules=("lost-scalar",)) as session:
        session.look_at_all()
        assert not [one for one in session.shown.diagnostics if one.code == "lost-scalar"]
        assert len(session.report.pillar("a").data["passwords"]) == 1


def test_a_message_that_stands_twice_replaces_nothing(
    messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    same = f"{SLS}db: {{password: {messages[SECRET][0]}}}\n"
    files = {"top.sls": TOP, "db.sls": same, "guesses.sls": same}
    with opened(tree(tmp_path, files), rules=("lost-scalar",)) as session:
        session.look_at_all()
        assert not [one for one in session.shown.diagnostics if one.code == "lost-scalar"]


def test_a_copy_is_found_where_it_stands(messages: Mapping[str, list[str]], tmp_path: Path) -> None:
    files = {
        "top.sls": TOP,
        "db.sls": f"{SLS}db: {{password: {messages[SECRET][0]}}}\n",
        "guesses.sls": f"ordinary: 1\nguesses:\n  - other\n  - {SECRET}\nover: x{SECRET}\n",
    }
    with opened(tree(tmp_path, files)) as session:
        session.look_at_all()
        found = [
            (str(one.position), one.message, one.minions)
            for one in session.shown.diagnostics
            if one.code == "secret-copied"
        ]
    words = "is, or contains, a copy of a secret, so it is redacted"
    assert found == [
        ("pillar/guesses.sls:4", f"'guesses:1' {words}", ("a",)),
        ("pillar/guesses.sls:5", f"'over' {words}", ("a",)),
    ]


OVERRIDDEN = {
    "list": ("[x, {secret}, z]", "[v, w]", "k"),
    "text": ("[x, {secret}]", "w", "k"),
    "list in a mapping": ("{{a: [{secret}], b: 1}}", "{{a: [v, w]}}", "k:a"),
    "list of mappings": ("[{{p: {secret}}}]", "[{{p: v}}, {{p: w}}]", "k"),
    "value": ("{{a: {secret}}}", "{{a: w}}", "k:a"),
}


@pytest.mark.parametrize(("before", "after", "path"), OVERRIDDEN.values(), ids=OVERRIDDEN)
def test_a_copy_that_is_overridden_is_not_said_to_be_what_overrides_it(
    before: str, after: str, path: str, messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    files = {
        "top.sls": "base: {'*': [db, first, second]}\n",
        "db.sls": f"{SLS}db: {{password: {messages[SECRET][0]}}}\n",
        "first.sls": f"k: {before.format(secret=SECRET)}\n",
        "second.sls": f"k: {after.format()}\n",
    }
    with opened(tree(tmp_path, files)) as session:
        session.look_at_all()
        told = [one for one in session.shown.diagnostics if one.code == "secret-copied"]
        hidden = [key for key, one in values_of(session).items() if isinstance(one, Redacted)]
    assert hidden == ["db:password"]
    assert [(str(one.position), one.message) for one in told] == [
        (
            "pillar/first.sls:1",
            f"an overridden value of '{path}' is, or contains, a copy of a secret, so it is redacted",
        )
    ]


def test_one_message_in_two_places_is_one_source(
    messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    text = f"db: {{password: {messages[SECRET][0]}}}\n"
    guesses = f"copy: {messages[SECRET][0]}\n"
    files = {"top.sls": TOP, "db.sls": SLS + text, "guesses.sls": SLS + guesses}
    with_keys = look(tmp_path / "opened", files)
    sealed = look(tmp_path / "sealed", files, decrypt=False)
    assert with_keys["db:password"] == with_keys["copy"] == sealed["copy"]
    assert sealed == with_keys


def test_plain_secrets_keep_tokens_by_value(tmp_path: Path) -> None:
    files = {
        "top.sls": TOP,
        "db.sls": f"db: {{password: {SECRET}}}\n",
        "guesses.sls": f"other: {{password: {SECRET}}}\ncopy: {SECRET}\n",
    }
    with opened(tree(tmp_path, files)) as session:
        tokens, values = tokens_of(session), values_of(session)
    assert tokens["db:password"] == tokens["other:password"] == tokens["copy"]
    assert values["copy"].reason == "same as db:password"


COMPUTED = {"{{ secret }}": SECRET, "{{ secret | sha256 }}": sha256(SECRET.encode()).hexdigest()}


@pytest.mark.parametrize("made", COMPUTED)
def test_what_is_computed_of_an_opened_secret_shares_nothing(
    made: str, messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    message = json.loads(messages[SECRET][0])
    text = (
        f'#!gpg|jinja -s|yaml\n{{% set secret = "{message}" %}}\n'
        f"db:\n  user: '{made}'\n  other: '{made}'\n"
    )
    files = {"top.sls": TOP, "db.sls": text, "guesses.sls": f"guess: {COMPUTED[made]}\n"}
    with opened(tree(tmp_path, files)) as session:
        tokens, values = tokens_of(session), values_of(session)
    assert values["guess"].reason == "copy of a secret"
    assert tokens["guess"] not in {tokens["db:user"], tokens["db:other"]}


HELD = {
    "an argument": "{{ show(password=grains.db_password) }}",
    "an argument by position": "{{ show(grains.db_password) }}",
    "loaded data": "{% load_yaml as x %}\npassword: {{ grains.db_password }}\n{% endload %}",
    "a filter": "{% set x = ('password: ' ~ grains.db_password) | load_yaml %}",
    "an imported file": "{% import_yaml 'data.yml' as x with context %}",
}


@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
def test_what_templates_hold_of_a_secret_from_elsewhere_names_no_guess(
    held: str, tmp_path: Path
) -> None:
    guesses = [*WRONG, SECRET]
    files = {
        "pillar/top.sls": "base: {'*': [holds, guesses]}\n",
        "pillar/holds.sls": f"{{% macro show(password) %}}{{% endmacro %}}\n{held}\nholds: 1\n",
        "pillar/data.yml": "password: {{ grains.db_password }}\n",
        "pillar/guesses.sls": "guesses:\n" + "".join(f"  - {text}\n" for text in guesses),
    }
    minions = {"a": {"grains": {"db_password": SECRET}}}
    with opened(write_tree(tmp_path, files, minions=minions)) as session:
        values = values_of(session)
    assert values.pop("holds") == 1
    assert values.pop(f"guesses:{len(WRONG)}").reason == "copy of a secret"
    assert list(values.values()) == WRONG


PASSED = {
    "a literal": f"{{{{ show(password='{SECRET}') }}}}",
    "imported data": "{% import_yaml 'data.yml' as x %}{{ show(password=x.password) }}",
}


@pytest.mark.parametrize("held", PASSED.values(), ids=PASSED)
def test_what_templates_spell_out_names_its_copies(held: str, tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {'*': [holds, guesses]}\n",
        "pillar/holds.sls": f"{{% macro show(password) %}}{{% endmacro %}}\n{held}\nholds: 1\n",
        "pillar/data.yml": f"password: {SECRET}\n",
        "pillar/guesses.sls": f"guess: {SECRET}\n",
    }
    with opened(write_tree(tmp_path, files)) as session:
        assert values_of(session)["guess"].reason.startswith("same as template:")


def test_equality_is_told_where_it_is_asked_for(
    messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    text = "".join(f"{name}: {messages[SECRET][at]}\n" for at, name in enumerate("ab"))
    files = {"top.sls": TOP, "db.sls": SLS + text, "guesses.sls": f"copy: {SECRET}\n"}
    with opened(tree(tmp_path, files, redact={"equality": True})) as session:
        tokens, values = tokens_of(session), values_of(session)
    assert len(set(tokens.values())) == 1
    assert values["copy"].reason == "same as a"


COMMENTS = st.lists(st.sampled_from(["# a comment", ""]), max_size=3)


@fewer(5)
@given(
    before=st.lists(COMMENTS, min_size=4, max_size=4),
    turned=st.sets(st.sampled_from(["one", "two", "plain"])),
)
def test_lines_change_no_token_and_a_rotation_does(
    before: list[list[str]],
    turned: set[str],
    messages: Mapping[str, list[str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    now = {"one": messages[SECRET][0], "two": messages[PIN][0], "plain": SECRET}
    later = {"one": messages["another"][0], "two": messages[SECRET][0], "plain": "Lid-77-of-tin"}

    def write(gaps: list[list[str]], given_: Mapping[str, str]) -> dict[str, str]:
        lines = [f"{name}: {{password: {value}}}" for name, value in given_.items()]
        text = [line for gap, line in zip(gaps, [*lines, ""], strict=True) for line in (*gap, line)]
        joined = "\n".join(text)
        return look(
            tmp_path_factory.mktemp("law"),
            {"top.sls": TOP, "db.sls": f"{SLS}{joined}\n", "guesses.sls": ""},
        )

    first = write([[]] * 4, now)
    second = write(before, {**now, **{name: later[name] for name in turned}})
    assert {path.partition(":")[0] for path in first if first[path] != second[path]} == turned


def test_neither_order_nor_memo_changes_a_token(
    messages: Mapping[str, list[str]], tmp_path: Path
) -> None:
    files = {
        "top.sls": "base: {'*': [db], 'b': [guesses], 'c': [over]}\n",
        "db.sls": f"{SLS}db: {{password: {messages[SECRET][0]}, list: [{messages[PIN][0]}]}}\n",
        "guesses.sls": f"guess: {SECRET}\n{SECRET}: {PIN}\n",
        "over.sls": f"db: {{password: plain, list: {PIN}}}\n",
    }
    shown: list[dict[str, str]] = []
    for number, (names, memo) in enumerate([("abc", True), ("cba", True), ("bca", False)]):
        folder = write_tree(
            tmp_path / str(number),
            {f"pillar/{name}": text for name, text in files.items()},
            settings=OPENED,
            minions={name: {} for name in names},
        )
        with opened(folder, memo=memo) as session:
            session.look_at_all()
            shown.append(
                {
                    one: session.shown.texts.as_json(session.report.pillar(one))
                    for one in session.fleet.minions
                }
            )
    assert shown[0] == shown[1] == shown[2]
