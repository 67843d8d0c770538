"""A top file read as text, for what its template does not give here.

A top file is a Jinja template; what it says for this minion or that, the compile tells. This
reading sees every line of it, whatever the conditions around it say.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_STATEMENT = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_KEY = re.compile(
    r"""^(?P<indent>[ ]*)(?P<key>'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s\-#'"][^#]*?|-[^\s][^#]*?)
        [ ]*:(?:[ ]+(?P<rest>[^#]*?))?[ ]*(?:[#].*)?$""",
    re.VERBOSE,
)
_ENTRY = re.compile(r"^[ ]*-[ ]+(?P<entry>.*?)[ ]*(?:[ ]#.*)?$")
_OPTION = re.compile(r"^(?P<name>match|order|ignore_missing)[ ]*:[ ]*(?P<value>\S+)$")
TEMPLATED = "{{"


@dataclass(slots=True)
class TextTarget:
    """A target as a top file writes it."""

    saltenv: str
    """The environment it is under."""
    expression: str
    line: int
    matcher: str = "compound"
    """What its ``match`` entry says."""
    sls: list[str] = field(default_factory=list)
    """The SLS names under it."""

    @property
    def is_templated(self) -> bool:
        """Whether Jinja writes a part of the target."""
        return TEMPLATED in self.expression


@dataclass(frozen=True, slots=True)
class TextTop:
    """A top file."""

    environments: tuple[str, ...]
    """The environments that it names; templated ones as they are written."""
    targets: tuple[TextTarget, ...]
    """The targets of all of them, in order."""


def read_top(text: str) -> TextTop:
    """Return what can be seen of a top file without rendering it."""
    environments: dict[str, None] = {}
    targets: list[TextTarget] = []
    saltenv: str | None = None
    for number, line in enumerate(_blank_statements(text).splitlines(), 1):
        found = _KEY.match(line)
        entry = _ENTRY.match(line)
        if found and not found["indent"] and not entry:
            saltenv = _unquote(found["key"])
            environments[saltenv] = None
        elif entry and targets and saltenv is not None:
            _take_entry(targets[-1], _unquote(entry["entry"]))
        elif found and saltenv is not None:
            target = TextTarget(saltenv, _unquote(found["key"]), number)
            for name in _flow_items(found["rest"] or ""):
                _take_entry(target, name)
            targets.append(target)
    environments.pop("include", None)
    found_targets = tuple(one for one in targets if one.saltenv != "include")
    return TextTop(tuple(environments), found_targets)


def _blank_statements(text: str) -> str:
    """Return a template without its statements and comments; lines stay where they are."""
    return _STATEMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def _take_entry(target: TextTarget, entry: str) -> None:
    option = _OPTION.match(entry)
    if option is None:
        if ":" not in entry and entry:
            target.sls.append(entry)
    elif option["name"] == "match":
        target.matcher = _unquote(option["value"])


def _flow_items(text: str) -> Iterator[str]:
    if text.startswith("[") and text.endswith("]"):
        for item in text[1:-1].split(","):
            yield _unquote(item.strip())


def _unquote(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text
