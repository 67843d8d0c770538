"""What is shipped: the wheel, its entry points, the lock file."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from tests.docs.pages import read_blocks
from tests.docs.session import choose_command, environment, is_shown, prepare, read_steps

from pillarbook.diagnostics.guide_texts import GUIDE_PAGES

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
        archive.extractall(folder / "site-packages")  # noqa: S202 (our own wheel)
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
    rules = {f"guide_texts/rules/{name}" for name in files_below(ROOT / "site_src" / "rules")}
    guide = {f"guide_texts/{name}.md" for name in GUIDE_PAGES}
    assert files_below(installed / "pillarbook") == package | templates | rules | guide


@pytest.mark.packaging
def test_wheel_ships_nothing_else(installed: Path) -> None:
    (metadata,) = installed.glob("pillarbook-*.dist-info")
    assert {path.name for path in installed.iterdir()} == {"pillarbook", metadata.name}
    assert files_below(metadata) >= {"licenses/LICENSE", "entry_points.txt"}
    about = (metadata / "METADATA").read_text()
    assert "License-Expression: Apache-2.0" in about
    assert "Requires-Python: >=3.11" in about


@pytest.mark.slow
@pytest.mark.packaging
def test_mkdocs_finds_the_theme_in_the_wheel(installed: Path) -> None:
    ask = "from mkdocs.utils import get_theme_dir; print(get_theme_dir('pillarbook'))"
    answer = run("-P", "-c", ask, path=installed)
    assert Path(answer) == installed / "pillarbook" / "templates" / "theme"


@pytest.mark.packaging
def test_wheel_runs_as_a_module(installed: Path) -> None:
    assert "compile" in run("-P", "-m", "pillarbook", "--help", path=installed)
    page = run("-P", "-m", "pillarbook", "rule", "lost-scalar", path=installed)
    assert page.startswith("# lost-scalar\n")


@pytest.mark.packaging
def test_the_index_gets_a_readme_that_stands_alone(installed: Path) -> None:
    (metadata,) = installed.glob("pillarbook-*.dist-info")
    text = (metadata / "METADATA").read_text().partition("\n\n")[2]
    assert text.startswith("# pillarbook\n")
    assert "## Security in brief" in text
    assert "![" not in text
    assert set(re.findall(r"\]\((\w*:?)", text)) == {"https:"}
    assert (
        "Classifier: Programming Language :: Python :: 3.14" in (metadata / "METADATA").read_text()
    )


@pytest.mark.packaging
def test_the_sdist_has_what_a_wheel_is_built_from_and_no_tests(tmp_path: Path) -> None:
    run("-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/")[1] for name in archive.getnames()}
    assert names <= {
        *("CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "generator", "hatch_build.py"),
        *(".gitignore", "pyproject.toml", "site_src", "templates"),
    }


def find_uv() -> str:
    uv = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
    assert Path(uv).exists(), "make.py fetches uv"
    return uv


@pytest.mark.slow
@pytest.mark.packaging
@pytest.mark.minutes(3)
def test_an_installed_wheel_does_all_that_the_readme_shows(tmp_path: Path) -> None:
    """In an environment of its own, without the checkout."""
    run("-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    uv, clean, folder = find_uv(), tmp_path / "clean", tmp_path / "tree"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, clean], check=True)
    to_clean = ("--python", clean / "bin" / "python")
    subprocess.run([uv, "pip", "install", "--quiet", *to_clean, wheel], check=True)
    prepare(folder, own_tree=False)
    (folder / ".venv").unlink()
    (folder / ".venv").symlink_to(clean)
    variables = environment(folder)
    variables["PATH"] = os.pathsep.join([str(clean / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
    asked = [*(step for block in read_blocks(ROOT / "README.md") for step in read_steps(block))]
    done = 0
    for step in asked:
        # The tests of pages leave out this one, as other tests build the example.
        is_build = step.command.startswith("pillarbook build")
        command = step.command if is_build else choose_command(step.command)
        if command is None:
            continue
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert result.returncode in (0, 2), f"{command}\n{result.stdout}"
        assert not step.shown or is_shown(step.shown, result.stdout), f"{command}\n{result.stdout}"
        done += 1
    assert done >= 8
    where = "import pillarbook; print(pillarbook.__file__)"
    found = subprocess.run(
        [clean / "bin" / "python", "-c", where], capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()).is_relative_to(clean)
    assert (folder / "site" / "index.html").exists()


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
