"""Where the parts of CI lie, and what their YAML says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
CI = ROOT / "ci"
GITHUB = CI / "github"
WORKFLOWS = {path.name: path for path in sorted((GITHUB / "workflows").glob("*.yml"))}
ACTIONS = {"run": GITHUB / "action.yml", "post": GITHUB / "post" / "action.yml"}
TEMPLATE = CI / "gitlab" / "pillarbook.gitlab-ci.yml"
SHELL = sorted(CI.rglob("*.sh"))


def load(file: Path) -> dict[Any, Any]:
    """Return what a YAML file holds; `on` is true there, as YAML 1.1 has it."""
    data = yaml.safe_load(file.read_text())
    assert isinstance(data, dict)
    return data


def steps_of(action: Path) -> Iterator[dict[str, Any]]:
    """Yield the steps of a composite action."""
    yield from load(action)["runs"]["steps"]


def run_of(action: Path, name: str) -> str:
    """Return the shell of a step."""
    (found,) = [step["run"] for step in steps_of(action) if step["name"] == name]
    assert isinstance(found, str)
    return found
