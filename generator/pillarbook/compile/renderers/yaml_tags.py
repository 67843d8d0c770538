"""Explains YAML tags that Salt does not know: ``!lookup x``, and the plain ``=``.

A value that begins with ``!`` may be a password. So a tag is shown only if its form is that of a
word, a value follows it, and the key does not name a secret.
"""

import re
from collections.abc import Iterator

import yaml

from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.patterns.key_names import kind_of_name
from pillarbook.patterns.ordinary_words import is_ordinary

EQUALS_TAG = "tag:yaml.org,2002:value"
"""What YAML 1.1 makes of a plain ``=``."""
UNKNOWN = re.compile(r"could not determine a constructor for the tag '(.*)'", re.DOTALL)
_TAG = re.compile(r"(!!?[A-Za-z][A-Za-z_/.:-]{0,30})[ \t]+[^\s#]")
_KEYS = re.compile(r"[\w.-]+(?=[\"']?\s*:)")
REMEDY = "Salt knows only YAML's own tags: remove the tag, or quote the text if it begins with `!`"


def explain_tag(worded: RenderError, data: SourceText, error: yaml.MarkedYAMLError) -> None:
    """Name the tag in an error about one that is unknown, and set a remedy."""
    found = UNKNOWN.fullmatch(str(error.problem))
    if found is None or error.problem_mark is None:
        return
    if found[1] == EQUALS_TAG:
        worded.clean = "a plain `=` is no text in YAML"
        worded.help = 'quote it: `"="`'
        return
    worded.help = REMEDY
    start = error.problem_mark.index + data.text.startswith("\ufeff")
    tag = _TAG.match(data.text, start)
    if tag is not None and _may_show(data, start, tag):
        worded.clean = f"could not determine a constructor for the tag '{tag[1]}'"


def _may_show(data: SourceText, start: int, tag: re.Match[str]) -> bool:
    line = data.text.rfind("\n", 0, start) + 1
    return (
        data.is_verbatim(line, tag.end())
        and data.secret_at(line, tag.end()) is None
        and is_ordinary(tag[1])
        and not any(map(kind_of_name, _keys_above(data.text[:start])))
    )


def _keys_above(text: str) -> Iterator[str]:
    """Yield what may be keys in the last line of a text, and in the lines that it belongs to."""
    least = len(text)
    for line in reversed(text.split("\n")):
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and (least == len(text) or indent < least):
            least = indent + line.lstrip(" ").startswith("-")  # a list may begin below its key
            yield from _KEYS.findall(line)
