"""The shape of the code: sizes, names, and who imports whom."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "generator" / "pillarbook"
MODULES = {str(path.relative_to(PACKAGE)): path for path in sorted(PACKAGE.rglob("*.py"))}
MAX_LINES = 400
MAX_PACKAGE_LINES = 6000
LARGE_PACKAGES = {"compile", "report"}
MAX_PUBLIC_METHODS = 15
SAYS_NOTHING = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}
RIM = (
    "bootstrap",
    "changes",
    "cli",
    "compile/ext_pillars",
    "compile/limits",
    "compile/renderers",
    "export",
    "inventory",
    "publish",
    "roots",
    "session",
    "supervise",
    "verify",
)
"""What may start processes, open connections and write files; all else is computation."""
WRITES_TAGS = {
    "report/rows.py",
    "report/places.py",
    "report/value_html.py",
    "report/markdown_text.py",
}
"""What may have tags in strings: rows and values, of which there are tens of thousands, and
Markdown, in which a list that unfolds is HTML. All other tags are in templates."""
TAG = re.compile(r"</?[a-z][a-z0-9]*(?=[\s/>])")
EFFECTS = {"asyncio", "multiprocessing", "shutil", "socket", "subprocess", "tempfile"}


@pytest.fixture(scope="module")
def syntax() -> dict[str, list[ast.AST]]:
    """Return what each module is made of: its syntax tree, and all below it."""
    return {name: list(ast.walk(ast.parse(path.read_text()))) for name, path in MODULES.items()}


def imported_packages(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def has_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Module) and bool(ast.get_docstring(node))


def public_classes(nodes: list[ast.AST]) -> Iterator[ast.ClassDef]:
    for node in nodes:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node


def plain_strings(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the strings of a module that are no docstrings."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield from [node.value] if isinstance(node.value, str) else []


def test_modules_fit_one_reading() -> None:
    lines = {name: len(path.read_text().splitlines()) for name, path in MODULES.items()}
    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}


def test_packages_are_one_feature() -> None:
    lines: Counter[str] = Counter()
    for name, path in MODULES.items():
        lines[name.partition("/")[0]] += len(path.read_text().splitlines())
    large = {name for name, count in lines.items() if count > MAX_PACKAGE_LINES}
    assert large <= LARGE_PACKAGES


def test_tags_are_written_in_templates(syntax: dict[str, list[ast.AST]]) -> None:
    found = {
        name: tags
        for name, nodes in syntax.items()
        if name.startswith("report/") and (tags := TAG.findall(" ".join(plain_strings(nodes))))
    }
    assert {name: tags for name, tags in found.items() if name not in WRITES_TAGS} == {}
    assert found.keys() == WRITES_TAGS


def test_names_say_what_is_inside() -> None:
    assert [one for one in MODULES if SAYS_NOTHING & set(Path(one).with_suffix("").parts)] == []


def test_modules_open_with_their_purpose(syntax: dict[str, list[ast.AST]]) -> None:
    assert [name for name, (module, *_) in syntax.items() if not has_docstring(module)] == []


def test_a_type_name_is_defined_once(syntax: dict[str, list[ast.AST]]) -> None:
    names = Counter(one.name for nodes in syntax.values() for one in public_classes(nodes))
    assert [name for name, count in names.items() if count > 1] == []


def test_classes_have_few_public_methods(syntax: dict[str, list[ast.AST]]) -> None:
    large = {
        f"{name}: {one.name}": count
        for name, nodes in syntax.items()
        for one in public_classes(nodes)
        for count in [sum(_is_public_method(part) for part in one.body)]
        if count > MAX_PUBLIC_METHODS
    }
    assert large == {}


def _is_public_method(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and not node.name.startswith("_")


def test_the_core_only_computes(syntax: dict[str, list[ast.AST]]) -> None:
    core = {name: nodes for name, nodes in syntax.items() if not name.startswith(RIM)}
    found = {name: EFFECTS & set(imported_packages(nodes)) for name, nodes in core.items()}
    assert {name: effects for name, effects in found.items() if effects} == {}


def test_import_contracts_hold() -> None:
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", lint, "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_built_site_is_tracked() -> None:
    marks = subprocess.run(
        ["git", "ls-files", "*.pillarbook-site"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert marks.stdout == ""
