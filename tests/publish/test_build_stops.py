"""What keeps a build from publishing, and what it says then."""

import errno
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.publish.built import (
    CONFIGURATION,
    OLD,
    FailingBook,
    assert_nothing_left,
    configure,
    run,
    site_of,
)
from tests.report.sample import SampleBook, make_session

from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.settings import load_settings
from pillarbook.redact.redacted_pillar import RedactedPillar


def test_a_strict_build_has_no_dead_links(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "pages/index.md").write_text('<a href="nowhere.html">x</a>\n')
    session = replace(make_session(), faults=())
    assert run(tree, session, strict=True) == 1
    assert capsys.readouterr().err == (
        "pillarbook: nothing is published, because the build is strict and a link is broken: "
        "index.html: 'nowhere.html': there is no nowhere.html\n"
    )
    assert site_of(tree) == OLD
    assert_nothing_left(tree)
    assert run(tree, session) == 0


def test_a_strict_build_without_faults_is_published(tree: Path) -> None:
    assert run(tree, replace(make_session(), faults=()), strict=True) == 0
    assert site_of(tree) != OLD


def test_a_template_with_a_fault_is_one_message(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "mine").mkdir()
    configuration = CONFIGURATION.replace(
        "{name: pillarbook}", "{name: pillarbook, custom_dir: mine}"
    )
    (tree / "mkdocs.yml").write_text(configuration)
    for text, message in (
        ("{% block %}", "main.html:1: "),
        ("\n{{ nothing.at.all }}", "main.html:2: 'nothing' is undefined"),
    ):
        (tree / "mine/main.html").write_text(text)
        assert run(tree, trusted=True) == 1
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            ("master: master", "master: master\n      revision: {}"),
            r"mkdocs.yml:7: 'revision' is not known \(did you mean 'revisions'\?\)",
            id="unknown option",
        ),
        pytest.param(("pages", "nowhere"), "mkdocs.yml:2: docs_dir: ", id="no pages"),
        pytest.param(
            ("site_name: Sample\n", ""), r"mkdocs.yml:1: site_name: Required", id="no name"
        ),
        pytest.param(("name: pillarbook", "name: other"), "mkdocs.yml:3: theme: ", id="no theme"),
        pytest.param(
            (CONFIGURATION[CONFIGURATION.index("  - ") :], "  - search"),
            "mkdocs.yml:4: `plugins` does not list pillarbook",
            id="no plugin",
        ),
        pytest.param(
            ("pillarbook:\n", "pilarbook:\n"),
            r"mkdocs.yml:5: `plugins` lists 'pilarbook'; did you mean 'pillarbook'\?",
            id="a typo in the plugin's name",
        ),
        pytest.param(("plugins:", "plugins: ["), "mkdocs.yml:5:3: ", id="no YAML"),
        pytest.param(("site_name", "hooks: [a.py]\nsite_name"), "--trust", id="hooks"),
        pytest.param(
            ("site_name", "mdx_configs: {}\nsite_name"),
            "mkdocs.yml:1: mdx_configs: MkDocs sets this option itself, so remove it; ",
            id="a private option",
        ),
    ],
)
def test_a_bad_configuration_is_one_message_and_the_old_site_stands(
    tree: Path, change: tuple[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "mkdocs.yml").write_text(CONFIGURATION.replace(*change))
    assert run(tree) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(expected, err)
    assert "Traceback" not in err
    assert err.count("\n") == 1
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_trusted_configuration_may_have_hooks(tree: Path) -> None:
    (tree / "hook.py").write_text("def on_post_page(output, **_): return output + '<!-- h -->'\n")
    (tree / "mkdocs.yml").write_text(CONFIGURATION + "hooks: [hook.py]\n")
    assert run(tree, trusted=True) == 0
    assert site_of(tree)["index.html"].endswith(b"<!-- h -->")


def test_a_book_that_cannot_go_on_leaves_the_old_site(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = FailingBook(make_session().pillars)
    assert run(tree, session) == 1
    assert capsys.readouterr().err == "pillarbook: the pillar of db1 cannot be compiled here\n"
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_the_exit_code_is_the_errors_own(tree: Path) -> None:
    class LeakError(PillarbookError):
        exit_code = 3

    session = FailingBook(make_session().pillars)
    session.fault = LeakError("a secret would get out")
    assert run(tree, session) == 3


def test_a_fault_of_pillarbook_itself_leaves_the_old_site(tree: Path) -> None:
    session = FailingBook(make_session().pillars)
    session.fault = ZeroDivisionError()
    assert run(tree, session) == 1
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_an_interrupted_build_leaves_the_old_site(tree: Path) -> None:
    class Interrupted(SampleBook):
        def pillar(self, minion: str) -> RedactedPillar:
            raise KeyboardInterrupt(minion)

    with pytest.raises(KeyboardInterrupt):
        run(tree, Interrupted(make_session().pillars))
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_strict_build_publishes_no_errors(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tree, strict=True) == 1
    assert capsys.readouterr().err == (
        "pillarbook: nothing is published, because the build is strict and the pillar has an error: "
        "pillar/base/top.sls:10: The SLS private.keys is in no root of the environment base.\n"
    )
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_strict_build_minds_mkdocs_warnings(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "pages/index.md").write_text("[dead](nowhere.md)")
    assert run(tree, replace(make_session(), faults=()), strict=True) == 1
    assert "MkDocs found 1 warning" in capsys.readouterr().err
    assert site_of(tree) == OLD
    assert run(tree, replace(make_session(), faults=())) == 0


def test_a_strict_build_takes_warnings_of_the_pillar(tree: Path) -> None:
    faults = tuple(
        Diagnostic(code="x", severity=severity, message="m")
        for severity in (Severity.WARNING, Severity.NOTE)
    )
    assert run(tree, replace(make_session(), faults=faults), strict=True) == 0


def test_an_error_of_the_pillar_is_no_error_of_the_build(tree: Path) -> None:
    assert run(tree) == 0
    assert "missing-sls" in site_of(tree)["minions/db1.html"].decode()


def test_a_full_disk_is_blamed_on_the_site_folder(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class FullDisk(FailingBook):
        fault = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert run(tree, FullDisk(make_session().pillars)) == 1
    told = capsys.readouterr().err
    assert told == (
        f"pillarbook: the site folder {tree}/site cannot be written: No space left on device\n"
    )
    assert site_of(tree) == OLD
    assert_nothing_left(tree)


def test_a_remainder_of_an_earlier_site_is_told_of(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pillarbook.publish.replace_site._retire", lambda _folder, _target: False)
    assert run(tree) == 0
    told = capsys.readouterr().err
    assert re.fullmatch(
        rf"warning: {tree}/\.site\.pillarbook-\w+, what is left of .* cannot be removed\n", told
    )


def test_a_second_entry_of_the_plugin_is_refused(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tree, "  - pillarbook: {}")
    assert run(tree) == 1
    assert "lists pillarbook twice" in capsys.readouterr().err
    assert site_of(tree) == OLD
    with pytest.raises(PillarbookError, match=r"mkdocs\.yml:8: 'plugins' lists pillarbook twice"):
        load_settings(tree / "mkdocs.yml")
