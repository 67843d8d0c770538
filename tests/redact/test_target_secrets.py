"""Secrets in targets and other names are shown nowhere, be they words that anybody may write."""

from pathlib import Path

import pytest
from tests.support.derived import opened, write_tree

from pillarbook.redact import Rules, hide_in_target, secrets_in_target

FORM = "ghp_" + "a1B2c3D4" * 5
TARGETS = {
    f"G@token:{FORM}": "compound",
    "I@password:hunter2 and not web*": "compound",
    "I@app:password:Kr7mQ2xTvLz9": "compound",
    "db_password:Winter Zauber 41": "pillar",
    f"web1,{FORM[:-1]}": "list",
    f"{FORM[:-2]}*": "glob",
    "I@db:password:sesame9 and a": "compound",
}
SECRETS = (FORM[:30], "hunter2", "Kr7mQ2xTvLz9", "Zauber", "sesame9")


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("I@password:hunter2 and web*", "I@password:<redacted> and web*"),
        ("I;@db;password;a:b or a", "I;@db;password;<redacted> or a"),
        ("not (I@db:password:a1 or P@os:Deb.*)", "not (I@db:password:<redacted> or P@os:Deb.*)"),
        ("db_password:Winter Zauber", "db_password:<redacted>"),
        ("I@password:ab:cd", "I@password:<redacted>"),
        ("I@tokens:ci:*", "I@tokens:ci:*"),
        ("I@password:*", "I@password:*"),
        ("G@roles:token-server", "G@roles:token-server"),
        ("web*", "web*"),
    ],
)
def test_a_target_is_shown_without_what_its_keys_call_a_secret(target: str, shown: str) -> None:
    assert hide_in_target(target, Rules()) == shown
    assert hide_in_target(target, None) == target
    assert bool(list(secrets_in_target(target, Rules()))) is (shown != target)


def test_no_output_shows_the_secret_of_a_target(tmp_path: Path) -> None:
    lines = "".join(
        f"  '{target}':\n  - match: {match}\n  - db\n" for target, match in TARGETS.items()
    )
    top = f"base:\n  a: [gone.{FORM[:-3]}]\n{lines}"
    states = f"base:\n  'I@app:password:{SECRETS[2]}':\n  - match: compound\n  - s\n"
    db = "app: {password: Kr7mQ2xTvLz9}\ndb: {password: sesame9}\n"
    files = {"pillar/top.sls": top, "pillar/db.sls": db, "states/top.sls": states}
    master = {"file_roots": {"base": ["states"]}}
    folder = write_tree(tmp_path, {**files, "states/s.sls": "{}\n"}, master=master)
    with opened(folder) as session:
        session.look_at_all()
        minion = session.report.pillar("a")
        told = [f"{one.message} {one.help}" for one in session.shown.diagnostics]
        shown = [f"{one.target} {one.sls} {one.parts}" for one in minion.targets]
        shown += [
            str(way)
            for leaf in minion.leaves
            for origin in leaf.origins
            for way in session.report.ways("a", origin)
        ]
        of_states = session.report.states("a")
    assert of_states is not None
    shown += [f"{one.target} {one.sls} {one.parts}" for one in of_states.states.targets]
    assert len(shown) > len(TARGETS)
    text = "\n".join([*told, *shown, *minion.errors])
    assert [secret for secret in SECRETS if secret in text] == []
    assert sum("the target" in one for one in told) >= 5
