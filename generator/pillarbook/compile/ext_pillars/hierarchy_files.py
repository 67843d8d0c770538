"""The files of a hierarchy: found by name in any folder, read as PyYAML reads them.

Source: ``hierarchy_pillar.py`` of salt_hierarchy_pillar (``find_file``, ``load_pillar_from_file``).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from pillarbook.compile.ext_pillars.interface import ExtPillarContext, QuietFailure
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_loader import load_tree
from pillarbook.model import Leaf, Node, Origin
from pillarbook.roots.file_access import Files

SLS = "ext_pillar:hierarchy_pillar"
ENDING = ".yaml"


@dataclass(frozen=True, slots=True)
class HierarchyFolder:
    """The folder ``hierarchy_pillar.data_path`` with everything below it."""

    path: Path
    """The folder."""
    folders: tuple[Path, ...]
    """Each folder that was listed."""
    files: dict[str, Path]
    """The file for each name without ending."""

    @classmethod
    def list(cls, path: Path, disk: Files) -> Self:
        """Return the listing of a folder.

        If several files have the same name, the first one counts: files of a folder come before
        those below it. Folders are sorted by name; in Salt, they have the order of the file system.
        """
        folders: list[Path] = []
        files: dict[str, Path] = {}
        for root, below, names in disk.walk(path):
            below.sort()
            folders.append(Path(root))
            for name in names:
                if name.endswith(ENDING):
                    files.setdefault(name.removesuffix(ENDING), Path(root, name))
        return cls(path, tuple(folders) or (path,), files)


def load_file(path: Path, context: ExtPillarContext) -> Node:
    """Return the content of a file; null for an empty one.

    Raises:
        QuietFailure: It must not or cannot be read, or it is not YAML.
    """
    shown = context.shown(path)
    text = _read(path, shown, context)
    try:
        tree = _parse(text, shown, context)
    except LimitExceeded as error:
        raise QuietFailure(f"{shown}: {error}", error.place) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = getattr(error, "problem", None) or type(error).__name__
        mark = getattr(error, "problem_mark", None)
        line = min(mark.line + 1, len(text.splitlines())) if mark else None
        raise QuietFailure(f"{shown} is not YAML: {reason}", (shown, line)) from error
    return tree if tree is not None else Leaf(None, (_new_origin((shown, 1), None),))


def _read(path: Path, shown: str, context: ExtPillarContext) -> str:
    try:
        text = context.read_bytes(path, -1).decode()
    except RenderError as error:
        raise QuietFailure(str(error), (shown, None)) from error
    except OSError as error:
        raise QuietFailure(f"{shown} cannot be read: {error.strerror}", (shown, None)) from error
    except UnicodeDecodeError as error:
        raise QuietFailure(f"{shown} is not UTF-8", (shown, None)) from error
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _parse(text: str, shown: str, context: ExtPillarContext) -> Node | None:
    # The parser in C is ten times as fast; the results differ only for tabs.
    loader_class = yaml.SafeLoader if "\t" in text else yaml.CSafeLoader
    source = SourceText.of_file(text, shown)
    return load_tree(source, _new_origin, context.limits, kind="plain", loader_class=loader_class)


def _new_origin(place: Line, value: Any) -> Origin:
    return Origin(place[0], place[1], SLS, None, value)
