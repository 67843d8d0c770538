"""The pytest plugin for the tests of a pillar repository."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.fleets import write_files

CONFIGURATION = "site_name: x\nplugins:\n  - pillarbook: {master: master, inventory: minions.yml}\n"
FILES = {
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {a: {}}\n",
    "pillar/top.sls": "base: {'*': [common]}\n",
    "pillar/common.sls": "port: 80\n",
    "tests/conftest.py": 'pytest_plugins = ["pillarbook.testing"]\n',
    "tests/test_one.py": "def test_port(pillar):\n    assert pillar.compile('a').get('port') == 80\n",
}
ELSEWHERE = """
from pathlib import Path
import pytest

@pytest.fixture(scope="session")
def pillar_config():
    return Path(__file__).parents[1] / "other.yml"
"""


def run_tests(folder: Path, files: dict[str, str]) -> tuple[int, str]:
    """Run the tests of a small repository as its owner does."""
    write_files(folder, files)
    (folder / ".git").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_fixture_opens_the_configuration_above_the_tests(tmp_path: Path) -> None:
    code, said = run_tests(tmp_path, {**FILES, "mkdocs.yml": CONFIGURATION})
    assert (code, "1 passed" in said) == (0, True), said


@pytest.mark.slow
def test_configuration_may_be_elsewhere(tmp_path: Path) -> None:
    files = {**FILES, "other.yml": CONFIGURATION}
    files["tests/conftest.py"] += ELSEWHERE
    code, said = run_tests(tmp_path, files)
    assert (code, "1 passed" in said) == (0, True), said


@pytest.mark.slow
def test_missing_configuration_is_explained(tmp_path: Path) -> None:
    """What lies above the repository is not its configuration."""
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
    repository = tmp_path / "repository"
    repository.mkdir()
    code, said = run_tests(repository, FILES)
    assert code == 1
    assert "there is no mkdocs.yml in" in said
    assert "fixture named pillar_config" in said
