"""Errors that only follow from another one."""

from dataclasses import replace
from typing import Any

import pytest

from pillarbook.checks.follow_on import name_causes
from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.model import Position


def error(name: str, *minions: str, missing: str = "", states: bool = False) -> Diagnostic:
    """Return an error in ``NAME.sls``; what it looks for in vain is given as ``KIND NAME``."""
    kind, _, what = missing.partition(" ")
    return Diagnostic(
        code="jinja-error",
        severity=Severity.ERROR,
        message=name,
        position=Position(f"{name}.sls", 1),
        minions=minions,
        missing=(kind, what) if missing else None,
        of_states=states,
    )


def of_rule(code: str, message: str, **fields: Any) -> Diagnostic:
    return Diagnostic(
        code=code, severity=Severity.WARNING, message=message, position=None, **fields
    )


WEB = error("web", "w1", "w2")
NGINX = error("nginx", "w1", missing="key nginx:user", states=True)
CASES = {
    "a state reads a key of an SLS that fails": ([WEB, NGINX], {"nginx": "web"}),
    "a key that the SLS does not name": (
        [WEB, error("other", "w1", missing="key db", states=True)],
        {},
    ),
    "a minion without that failure": (
        [WEB, error("nginx", "w1", "x1", missing="key nginx", states=True)],
        {},
    ),
    "minions of several failures": (
        [WEB, error("web-x", "x1"), error("nginx", "w1", "x1", missing="key nginx", states=True)],
        {"nginx": "web"},
    ),
    "an SLS that does not exist may have set anything": (
        [
            error("top", "w1", missing="sls gone"),
            error("other", "w1", missing="key db", states=True),
        ],
        {"other": "top"},
    ),
    "an external pillar without an answer may have set anything": (
        [
            replace(
                error("vault", "w1", "w2"),
                code="unavailable-ext-pillar",
                severity=Severity.WARNING,
                position=Position("master", 3),
            ),
            error("other", "w1", "w2", missing="key db", states=True),
        ],
        {"other": "vault"},
    ),
    "an encrypted SLS may have set anything": (
        [
            replace(error("keys", "w1"), code="git-crypt", severity=Severity.WARNING),
            error("other", "w1", missing="key db", states=True),
        ],
        {"other": "keys"},
    ),
    "a chain has one cause": (
        [WEB, NGINX, error("site", "w1", missing="id nginx", states=True)],
        {"nginx": "web", "site": "web"},
    ),
    "one file that many import": (
        [
            error("a", "w1", missing="file map.yml"),
            error("b", "w1", "w2", missing="file map.yml"),
            error("c", "w2", missing="file map.yml"),
            error("d", "w2", missing="file other.yml"),
        ],
        {"a": "b", "c": "b"},
    ),
    "an SLS in an environment without roots": (
        [
            replace(error("top", "w1", states=True), code="unknown-environment"),
            replace(
                error("web", "w1", missing="sls web", states=True), position=Position("top.sls", 1)
            ),
            error("other", "w1", missing="sls other", states=True),
        ],
        {"web": "top"},
    ),
    "three errors about the shape of one line": (
        [
            replace(error("top", "w1", states=True), code="sls-shape"),
            replace(error("top", "w1", states=True), code="state-shape", message="a"),
            replace(error("top", "w1", "w2", states=True), code="state-shape", message="b"),
        ],
        {"a": "top"},
    ),
    "a cause that is called as the key is": (
        [
            error("a", "w1", "w2", missing="sls a"),
            error("secrets.db", "w1", "w2", missing="sls secrets.db"),
            error("other", "w1", missing="key db:password", states=True),
        ],
        {"other": "secrets.db"},
    ),
    "a top file that fails": (
        [
            error("the top file does not render", "w1"),
            error("other", "w1", missing="key db", states=True),
        ],
        {"other": "the top file does not render"},
    ),
    "a missing top file of a missing folder": (
        [
            of_rule("missing-top", "no top", missing=("top", "base, dev")),
            of_rule("missing-root", "gone/dev", path=("pillar_roots", "dev")),
            of_rule("missing-root", "gone/base", path=("pillar_roots", "base")),
        ],
        {"no top": "gone/base"},
    ),
    "a missing top file of folders that are no list": (
        [
            of_rule("missing-top", "no top", missing=("top", "base")),
            of_rule("option-type", "text", path=("pillar_roots", "base")),
        ],
        {"no top": "text"},
    ),
    "a missing top file, and folders of states that are no list": (
        [
            of_rule("missing-top", "no top", missing=("top", "base")),
            of_rule("option-type", "text", path=("file_roots", "base")),
        ],
        {},
    ),
    "a missing top file of a folder that is there": (
        [
            of_rule("missing-top", "no top", missing=("top", "base, dev")),
            of_rule("missing-root", "gone/dev", path=("pillar_roots", "dev")),
        ],
        {},
    ),
    "a pillar SLS that reads a key": ([WEB, error("other", "w1", missing="key nginx")], {}),
}


@pytest.mark.parametrize(("found", "expected"), CASES.values(), ids=CASES)
def test_what_follows_from_what(found: list[Diagnostic], expected: dict[str, str]) -> None:
    def mentions(file: str, word: str) -> bool:
        return file.startswith(("web", "nginx")) and word == "nginx"

    named = name_causes(found, mentions)
    assert {one.message: one.caused_by.message for one in named if one.caused_by} == expected
    folded = fold_follow_on(named)
    assert sum(map(len, folded.values())) == len(expected)
    assert len(folded) == len(found) - len(expected)


def test_a_warning_is_no_cause() -> None:
    warning = Diagnostic(
        code="x", severity=Severity.WARNING, message="web", position=WEB.position, minions=("w1",)
    )
    assert all(one.caused_by is None for one in name_causes([warning, NGINX], lambda *_: True))


def test_what_costs_states_is_an_error() -> None:
    vault = replace(error("vault", "w1"), code="unavailable-ext-pillar", severity=Severity.WARNING)
    (alone,) = name_causes([vault], lambda *_: False)
    assert alone.severity is Severity.WARNING
    costly, follow = name_causes([vault, NGINX], lambda *_: False)
    assert costly.severity is Severity.ERROR
    assert follow.caused_by == costly
    note = replace(vault, severity=Severity.NOTE)
    assert name_causes([note, NGINX], lambda *_: False)[0].severity is Severity.NOTE


def test_what_follows_from_something_that_is_not_listed_stands_by_itself() -> None:
    named = name_causes([WEB, NGINX], lambda *_: True)
    assert list(fold_follow_on(named[1:])) == [named[1]]
