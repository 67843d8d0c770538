"""Finds the configurations of PillarStack for a minion, and the files that they list.

Source: Salt ``salt/pillar/stack.py`` (``ext_pillar``, ``_parse_stack_cfg``).
"""

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.matchers import traverse
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.yaml_loader import load_plain
from pillarbook.compile.watched_data import unwatched

ENVIRONMENT = "__env__"
OWN_ARGUMENTS = ("minion_id", "pillar")
"""The arguments that Salt passes to PillarStack, in addition to the selectors."""


def select_configs(context: ExtPillarContext, config: Any, pillar: dict[Any, Any]) -> list[str]:
    """Return the paths of the configurations for this minion, in order.

    ``config`` is a path, a list of paths, or selectors: ``{"grains:os": {"Debian": path}}``.

    Raises:
        RenderError: The options are malformed; in Python's words, as Salt does not check them.
    """
    if not isinstance(config, dict):
        paths = config if isinstance(config, list) else [config]
        return [path for path in paths if _is_path(path)]
    if not all(isinstance(selector, str) for selector in config):
        raise RenderError("keywords must be strings")
    taken = next((name for name in config if name in OWN_ARGUMENTS), None)
    if taken is not None:
        raise RenderError(f"ext_pillar() got multiple values for argument '{taken}'")
    try:
        return list(_select(context, config, pillar))
    except (AttributeError, TypeError, ValueError) as error:
        raise RenderError(str(error)) from error


def _is_path(path: Any) -> bool:
    """Say whether an entry is a path; a number is a file descriptor that is not open."""
    if not isinstance(path, str | int):
        raise RenderError(
            f"stat: path should be string, bytes, os.PathLike or integer, not {type(path).__name__}"
        )
    return isinstance(path, str)


def _select(
    context: ExtPillarContext, selectors: dict[Any, Any], pillar: dict[Any, Any]
) -> Iterator[str]:
    opts = context.opts
    pillarenv = opts["pillarenv"] or opts["saltenv"] or "base"
    sources = {"pillar": pillar, "grains": context.grains, "opts": opts}
    for selector, given in selectors.items():
        kind, key = selector.split(":", 1)
        choices = given
        if ENVIRONMENT in given:
            choices = {
                (pillarenv if value == ENVIRONMENT else value): path
                for value, path in given.items()
            }
        if kind not in sources:
            raise RenderError(
                f'Unknown traverse option "{kind}", should be one of {sources.keys()}'
            )
        chosen = choices.get(unwatched(traverse(sources[kind], key, None)), [])
        for path in chosen if isinstance(chosen, list) else [chosen]:
            yield path.replace(ENVIRONMENT, pillarenv)


def parse_config(text: str) -> Iterator[str]:
    """Yield the paths that a rendered configuration lists: a YAML list, or else its lines.

    Raises:
        RenderError: An item of a YAML list is not text.
    """
    for item in _items(text):
        if not isinstance(item, str):
            raise RenderError(f"{type(item).__name__!r} object has no attribute 'strip'")
        if item.strip():
            yield item


def _items(text: str) -> list[Any]:
    try:
        listed = load_plain(text)
    except (yaml.YAMLError, RenderError, RecursionError, ValueError):
        return text.splitlines()
    return listed if isinstance(listed, list) else text.splitlines()


@dataclass(frozen=True, slots=True)
class StackEntry:
    """The files for a listed path or pattern."""

    start: Path
    """The path itself, or the folder in which the pattern is searched."""
    is_deep: bool
    """Whether the pattern also searches below that folder."""
    files: tuple[tuple[str, str, str], ...]
    """The files, sorted: the path, its name as it is shown, and its name for templates."""


def find_files(folder: str, item: str, context: ExtPillarContext) -> StackEntry:
    """Return the files for a listed path or pattern, relative to the configuration's folder.

    Raises:
        RenderError: The path must not be read.
    """
    joined = os.path.join(folder, item)  # noqa: PTH118 (a Path would drop a slash at the end)
    fixed = _fixed_part(joined)
    start = context.resolve(fixed)
    rest = joined[len(fixed) :]
    paths = sorted(_glob(start, rest, context))  # Salt's order
    return StackEntry(
        start,
        "/" in rest.lstrip("/"),
        tuple(
            (path, context.shown(Path(path)), Path(os.path.relpath(path, folder)).as_posix())
            for path in paths
        ),
    )


def _glob(start: Path, rest: str, context: ExtPillarContext) -> list[str]:
    below = rest.lstrip("/")
    if below:
        found = context.files.glob(below, start, context.may_enter)
        return [f"{start}/{name}" for name in found]
    if rest:  # a slash at the end means a folder
        return [f"{start}/"] if context.files.is_dir(start) else []
    return [str(start)] if context.files.exists(start) or context.files.is_link(start) else []


def _fixed_part(pattern: str) -> str:
    """Return the part of a pattern before its first wildcard; all of it if it has none."""
    if not glob.has_magic(pattern):
        return pattern.rstrip("/")
    parts = Path(pattern).parts
    plain = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return str(Path(*parts[:plain]))
