"""What is shipped: the wheel, its entry points, the lock file."""

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENTRY_POINTS = {
    f"{group}: {name}": (group, name, value)
    for group, values in {
        "console_scripts": PROJECT["scripts"],
        **PROJECT["entry-points"],
    }.items()
    for name, value in values.items()
}


def run(*arguments: str | Path, path: Path | None = None) -> str:
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **({"PYTHONPATH": str(path)} if path else {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel's contents, as an installation has them."""
    folder = tmp_path_factory.mktemp("wheel")
    run("-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (wheel,) = folder.glob("pillarbook-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site-packages")
    return folder / "site-packages"


def files_below(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.packaging
def test_wheel_ships_the_package_and_the_templates(installed: Path) -> None:
    package = files_below(ROOT / "generator" / "pillarbook")
    templates = {f"templates/{name}" for name in files_below(ROOT / "templates")}
    assert "py.typed" in package
    assert "templates/theme/mkdocs_theme.yml" in templates
    assert files_below(installed / "pillarbook") == package | templates


@pytest.mark.packaging
def test_wheel_ships_nothing_else(installed: Path) -> None:
    (metadata,) = installed.glob("pillarbook-*.dist-info")
    assert {path.name for path in installed.iterdir()} == {"pillarbook", metadata.name}
    assert files_below(metadata) >= {"licenses/LICENSE", "entry_points.txt"}
    about = (metadata / "METADATA").read_text()
    assert "License-Expression: Apache-2.0" in about
    assert "Requires-Python: >=3.11" in about


@pytest.mark.packaging
def test_mkdocs_finds_the_theme_in_the_wheel(installed: Path) -> None:
    ask = "from mkdocs.utils import get_theme_dir; print(get_theme_dir('pillarbook'))"
    answer = run("-P", "-c", ask, path=installed)
    assert Path(answer) == installed / "pillarbook" / "templates" / "theme"


@pytest.mark.packaging
def test_wheel_runs_as_a_module(installed: Path) -> None:
    assert "compile" in run("-P", "-m", "pillarbook", "--help", path=installed)


@pytest.mark.parametrize(("group", "name", "value"), ENTRY_POINTS.values(), ids=ENTRY_POINTS)
def test_entry_point_loads(group: str, name: str, value: str) -> None:
    assert importlib.metadata.EntryPoint(name, value, group).load()


def test_theme_lies_in_the_checkout() -> None:
    _, name, value = ENTRY_POINTS["mkdocs.themes: pillarbook"]
    location = importlib.metadata.EntryPoint(name, value, "mkdocs.themes").load()
    assert Path(location.__file__) == ROOT / "templates" / "theme" / "mkdocs_theme.yml"
    assert Path(location.__file__).is_file()


def test_lock_file_names_no_host_but_pypi() -> None:
    lock = (ROOT / "uv.lock").read_text()
    assert set(re.findall(r'registry = "([^"]*)"', lock)) == {"https://pypi.org/simple"}
    assert set(re.findall(r'url = "https?://([^/"]*)', lock)) == {"files.pythonhosted.org"}
    assert "file:" not in lock
