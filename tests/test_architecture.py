"""The shape of the code: sizes, names, and who imports whom."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "generator" / "pillarbook"
MODULES = {str(path.relative_to(PACKAGE)): path for path in sorted(PACKAGE.rglob("*.py"))}
MAX_LINES = 400
SAYS_NOTHING = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}
RIM = (
    "book",
    "cli",
    "compile/ext_pillars",
    "compile/limits",
    "compile/renderers",
    "inventory",
    "publish",
    "roots",
)
"""What may start processes, open connections and write files; all else is computation."""
EFFECTS = {"asyncio", "multiprocessing", "shutil", "socket", "subprocess", "tempfile"}


def imported_packages(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_module_fits_one_reading(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("name", MODULES)
def test_name_says_what_is_inside(name: str) -> None:
    assert not SAYS_NOTHING & set(Path(name).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_module_opens_with_its_purpose(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.startswith(RIM)])
def test_core_only_computes(name: str) -> None:
    assert not EFFECTS & set(imported_packages(MODULES[name].read_text()))


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
