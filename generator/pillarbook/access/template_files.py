"""The texts of files that were rendered, where they are templates of Jinja."""

from collections.abc import Mapping
from typing import Any

from pillarbook.access.fixed_lines import FixedLines, find_fixed_lines
from pillarbook.compile.project import FileRead, Project
from pillarbook.compile.render_file import RenderResult

NONE = FixedLines({})
OWN_SIGNS = ("_string", "_prefix")
"""How options of Jinja end that give it other signs for expressions and blocks."""
JINJA = "jinja"


class TemplateFiles:
    """Finds fixed lines, once for each file."""

    def __init__(self, project: Project) -> None:
        self._project = project
        values = project.options.values
        self._renderer = str(values.get("renderer") or "")
        self._is_usual = not any(
            str(name).endswith(OWN_SIGNS)
            for option in ("jinja_env", "jinja_sls_env")
            for name in _mapping(values.get(option))
        )
        self._known: dict[str, FixedLines] = {}

    def fixed_lines(self, result: RenderResult) -> FixedLines:
        """Return the fixed lines of a file as it rendered; none where it is no Jinja."""
        file = result.files[0] if result.files else None
        if file is None or file.digest is None or not self._is_usual:
            return NONE
        known = self._known.get(file.digest)
        if known is None:
            text = self._text_of(file)
            known = NONE
            if text is not None and self._is_jinja(text):
                known = find_fixed_lines(text)
            self._known[file.digest] = known
        return known

    def _text_of(self, file: FileRead) -> str | None:
        for scope in self._project.scopes.values():
            found = scope.roots.find(file.path, file.saltenv)
            if found is not None and found.digest == file.digest:
                return found.content.decode("utf-8", "replace")
        return None

    def _is_jinja(self, text: str) -> bool:
        """Say whether Jinja is the first to render a text, by its first line or by option."""
        first = text.partition("\n")[0]
        pipe = first[2:] if first.startswith("#!") else self._renderer
        return pipe.strip().split("|")[0].strip().split(" ")[0] == JINJA


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}
