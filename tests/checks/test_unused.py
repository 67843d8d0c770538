"""Which SLS files are said to be unused."""

from pathlib import Path

import pytest
from tests.support.derived import opened, write_tree

from pillarbook.diagnostics import Severity

ROLES = "{% for role in grains.get('roles', []) %}\n    - roles.{{ role }}{% endfor %}"
FILES = {
    "pillar/top.sls": f"base:\n  '*':\n    - site{ROLES}\n  'db*': [db]\n",
    "pillar/site.sls": "{% set x = 'ab' %}\naddresses:\n  - {{ x }}/32\n  - {{ x }}\n",
    "pillar/db.sls": "include: [db_users]\n",
    "pillar/db_users.sls": "a: 1\n",
    "pillar/roles/web.sls": "a: 1\n",
    "pillar/old.sls": "a: 1\n",
}


def test_a_sample_is_unused_on_purpose_and_a_dot_keeps_a_file_from_use(tmp_path: Path) -> None:
    samples = ("keys.example", "sample_users", "examples/web", "resampled", "web.new")
    files = {**FILES, **{f"pillar/{name}.sls": "a: 1\n" for name in samples}}
    with opened(write_tree(tmp_path, files, minions={"db1": {"grains": {}}})) as session:
        session.look_at_all()
        found = {str(one.position): one.help for one in session.shown.diagnostics}
    assert {*found} == {f"pillar/{one}.sls" for one in ("old", "roles/web", "resampled", "web.new")}
    assert "rename it" in str(found["pillar/web.new.sls"])


def test_what_is_switched_off_or_named_by_an_unused_file_is_no_finding(tmp_path: Path) -> None:
    more = {
        "pillar/site.sls": "include:\n  - db\n  # - later\n  #- ntp   # not yet\n",
        "pillar/later.sls": "a: 1\n",
        "pillar/ntp.sls": "a: 1\n",
        "pillar/old.sls": "include:\n  - older\n",
        "pillar/older.sls": "a: 1\n",
        "pillar/one.sls": "include:\n  - two\n",
        "pillar/two.sls": "include:\n  - one\n",
    }
    minions = {"a": {"grains": {"roles": ["web"]}}}
    with opened(write_tree(tmp_path, {**FILES, **more}, minions=minions)) as session:
        session.look_at_all()
        found = {str(one.position) for one in session.shown.diagnostics if one.code == "unused-sls"}
    assert found == {f"pillar/{name}.sls" for name in ("old", "one", "two")}


@pytest.mark.parametrize(("guessed", "found"), [(True, {"old"}), (False, {"old", "roles/web"})])
def test_what_a_template_could_name_is_unused_only_if_all_minions_are_known(
    guessed: bool, found: set[str], tmp_path: Path
) -> None:
    minions = {"a": {"grains": {}, "guessed": guessed}}
    with opened(write_tree(tmp_path, FILES, minions=minions)) as session:
        session.look_at_all()
        unused = [one for one in session.shown.diagnostics if one.code == "unused-sls"]
    assert {str(one.position) for one in unused} == {f"pillar/{name}.sls" for name in found}


def test_a_file_beside_the_one_that_salt_reads_is_not_read(tmp_path: Path) -> None:
    more = {"pillar/site/init.sls": "a: 1\n", "pillar/old/init.sls": "a: 1\n"}
    with opened(write_tree(tmp_path, {**FILES, **more}, minions={"a": {"grains": {}}})) as session:
        session.look_at_all()
        unused = [one for one in session.shown.diagnostics if one.code == "unused-sls"]
    found = {str(one.position): one for one in unused}
    assert {*found} == {
        f"pillar/{one}.sls" for one in ("old", "roles/web", "old/init", "site/init")
    }
    hidden = found["pillar/site/init.sls"]
    assert hidden.message == (
        "Salt reads pillar/site.sls instead of this file: both are the SLS 'site' of environment"
        " 'base'"
    )
    assert hidden.severity is Severity.WARNING
    assert str(hidden.help).startswith("move what you need of it to pillar/site.sls")
