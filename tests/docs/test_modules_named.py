"""What the pages for developers name of the code exists: modules, packages, classes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.pages import CODE, ROOT, page_id

PACKAGE = ROOT / "generator" / "pillarbook"
MODULE = re.compile(r"[a-z0-9_./-]*\w\.py")
FOLDER = re.compile(r"[\w./-]*\w/")
CLASS = re.compile(r"(?:[A-Z][a-z]+){2,}")
PAGES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MAP = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs" / "ideas").glob("*.md"))]
SALT_AND_OTHERS = {"BaseHighState"}
"""Classes that pages name and that are not ours."""


def names(page: Path, form: re.Pattern[str]) -> Iterator[str]:
    """Give what a page has as code and in a form, as a whole or before a dot."""
    for code in CODE.findall(page.read_text()):
        whole = form.fullmatch(code) or form.fullmatch(code.partition(".")[0])
        if whole:
            yield whole.group()


def is_there(name: str, kept: set[str]) -> bool:
    """Return whether a path leads somewhere from the checkout, or ends one of the package's."""
    return (ROOT / name).exists() or any(one.endswith(f"/{name}") for one in kept)


def test_modules_named_are_there() -> None:
    modules = {f"/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*.py")}
    for page in PAGES:
        assert [name for name in names(page, MODULE) if not is_there(name, modules)] == [], page


@pytest.mark.parametrize("page", MAP, ids=page_id)
def test_packages_named_are_there(page: Path) -> None:
    folders = {f"/{path.parent.relative_to(PACKAGE)}/" for path in PACKAGE.rglob("__init__.py")}
    assert [name for name in names(page, FOLDER) if not is_there(name, folders)] == []


@pytest.mark.parametrize("page", MAP, ids=page_id)
def test_classes_named_are_there(page: Path) -> None:
    source = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    classes = set(re.findall(r"^class (\w+)", source, re.MULTILINE)) | SALT_AND_OTHERS
    classes.update(re.findall(r"^(\w+)(?:: TypeAlias)? = ", source, re.MULTILINE))
    assert [name for name in names(page, CLASS) if name not in classes] == []


def test_the_map_lists_every_package() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    table = re.findall(r"^\| `(\w+)/` \|", MAP[0].read_text(), re.MULTILINE)
    assert sorted(table) == sorted(packages)
