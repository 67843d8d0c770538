"""Remedies for common mistakes in templates and YAML, by the error and the text of the file."""

import re
from collections.abc import Callable, Sequence

from pillarbook.compile.renderers.jinja.salt_names import salt_filters
from pillarbook.patterns.similar import find_similar

VARIABLES = ("grains", "pillar", "salt", "opts", "saltenv", "sls", "slspath", "tplfile", "tplroot")
"""The variables that every template has."""
OF_SERIALIZERS = ("json", "yaml", "python")
"""The filters of Salt's serializers."""
MAX_LINES = 2_000
"""The most lines above an error in which a quote may begin."""
_QUOTE = re.compile(r"""^\s*(?:- +)*(?:[^\s'"#][^'"#]*:\s+)?(["'])(.*)$""")
_UNCLOSED = ("did not find expected key", "found unexpected end of stream")
NO_COLON = "could not find expected ':'"
_PRINTED_BLOCK = re.compile(r":[ ]+[|>][-+\d]*[ ]*\n[ ]+{{(?:(?!indent|}}).)*}}[ ]*(?:\n|$)")
"""A block of text that consists of a value without indentation."""
_TAGS = re.compile(r"'(end\w+)'")


def find_mistake(message: str, text: str, line: int | None) -> str | None:
    """Return the remedy for an error; None if its reason is not a common one.

    ``message`` has no values of the tree.
    """
    lines = text.splitlines()
    if any(one in message for one in _UNCLOSED):
        begin = _find_quote(lines[: line or 0][-MAX_LINES:], line or 0)
        if begin is not None:
            return f"close the quote that begins in line {begin}"
    if NO_COLON in message and _PRINTED_BLOCK.search(text):
        return "indent all lines that the template prints there: `{{ VALUE | indent(8) }}`"
    written = lines[line - 1] if line is not None and 0 < line <= len(lines) else ""
    for pattern, sign, words in _OF_LINES:
        if re.search(pattern, message) and re.search(sign, written):
            return words
    for pattern, remedy in _REMEDIES:
        found = re.search(pattern, message)
        if found is not None:
            return remedy if isinstance(remedy, str) else remedy(found)
    return None


def _find_quote(lines: list[str], last: int) -> int | None:
    """Return the last line in which a quote begins and does not end."""
    for number, line in zip(range(last, 0, -1), reversed(lines), strict=False):
        found = _QUOTE.match(line)
        if found is None:
            continue
        quote, rest = found.groups()
        closed = re.sub(r"\\.", "", rest) if quote == '"' else rest.replace("''", "")
        if quote not in closed:
            return number
    return None


def _close_tag(found: re.Match[str]) -> str | None:
    tags = _TAGS.findall(found[1])
    return f"add `{{% {tags[-1]} %}}` where the block ends" if tags else None


def _name_tags(found: re.Match[str]) -> str:
    tags = re.findall(r"'(\w+)'", found[1])
    return f"in its place, write {' or '.join(f'`{{% {tag} %}}`' for tag in tags)}"


def _close_before(found: re.Match[str]) -> str:
    return f"before it, close the `{found[1]}` with `{{% end{found[1]} %}}`"


def _suggest_variable(found: re.Match[str]) -> str:
    near = find_similar(found[1], VARIABLES)
    return _ask(near) or f"set or import `{found[1]}` before it is used; a text needs quotes"


def _suggest_filter(found: re.Match[str]) -> str | None:
    from jinja2.filters import FILTERS  # noqa: PLC0415 (only errors need it)

    return _ask(find_similar(found[1], (*FILTERS, *salt_filters(), *OF_SERIALIZERS)))


def _ask(meant: str | None) -> str | None:
    return None if meant is None else f"did you mean `{meant}`?"


def _word_kind(found: re.Match[str]) -> str:
    kind, name = found.groups()
    asked = f"`{name}`" if name else "a member"
    return f"the value of which the template reads {asked} is {_KINDS[kind]}"


def _word_absent(found: re.Match[str]) -> str:
    name = found[1] or "KEY"
    return f"add the key to the mapping, or read it with `.get('{name}')` and a default"


_KINDS = {
    "None": "none here, such as the result of `grains.filter_by` if no key matches; give it a"
    " default, or test it before",
    "str object": "a text here, and no mapping",
    "list object": "a list here: take a member by its position, or test with `in`",
    "int object": "a number here, and no mapping",
    "bool object": "true or false here, and no mapping",
}


_OF_LINES = (
    (
        "unknown tag|syntax error",
        r"{%[-+]?\s*(?:else\s*if|elsif)\b",
        "write `elif` for another condition",
    ),
    ("got '='", r"{%[-+]?\s*(?:el)?if\b", "compare with `==`, because `=` only sets a variable"),
    ("syntax error", r"{%(?:(?!%}).)*{{", "write the name without `{{ }}` inside of `{% %}`"),
    (
        "syntax error",
        r"{[{%](?:(?![%}]}).)*(?:&&|\|\||!(?!=))",
        "write `and`, `or` and `not` in place of `&&`, `||` and `!`",
    ),
    (
        "did not find expected key",
        r""":\s+(?:"[^"]*"|'[^']*'|\[[^\]]*\]|{(?![{%])[^}]*})\s*[^\s#,:\]}]""",
        "put quotes around the whole value, because it begins with a quote or bracket",
    ),
    (
        "found unacceptable key",
        "{{",
        "begin the file with `#!jinja|yaml` if Jinja has to render it, else quote the text",
    ),
)
"""Parts of messages, signs of a mistake in the line of the error, and remedies."""
_REMEDIES: Sequence[tuple[str, str | Callable[[re.Match[str]], str | None]]] = (
    (
        "found undefined alias",
        "quote the text that begins with `*`, or define its anchor (`&name`) above",
    ),
    (
        "did not find expected key|did not find expected '-' indicator",
        "indent the line as the others of its mapping or list",
    ),
    (
        NO_COLON,
        "write `key: value`, or indent the line as a part of the value above",
    ),
    (
        r"did not find expected ',' or '[\]}]'",
        "close the bracket that is open, and put commas between its members",
    ),
    (
        "mapping values are not allowed",
        "quote the text if the colon is part of it, else correct the indentation",
    ),
    ("block sequence entries are not allowed", "write the `-` on a line below the key"),
    (
        "did not find expected alphabetic or numeric character",
        "quote the text that begins with `*` or `&`",
    ),
    ("but found another document", "remove the line `---`: a file has a single document"),
    ("tab character that violates", "replace the tab with spaces, which YAML needs here"),
    ("for merging, but found", "name an anchor of a mapping after `<<:`, such as `<<: *name`"),
    ("found unexpected end of stream", "close the quote or bracket that is open"),
    (rf"'({'|'.join(_KINDS)})' has no attribute(?: '(\w+)')?", _word_kind),
    ("TemplateModule object' has no", "set or correct the name in the imported file"),
    (r"'dict object' has no (?:such )?attribute(?: '(\w+)')?", _word_absent),
    ("' not supported between instances of", "compare values of one type, such as with `| int`"),
    (
        r"does not export the requested name",
        "correct the name in the `import`, or set it in the imported file for these minions, too",
    ),
    (r"unexpected '[}%]+', expected '([)\]}])'", "close the bracket that is open"),
    ("unexpected '}'", "end an expression with `}}`, and a statement with `%}`"),
    (r"Unexpected end of template\.(.*)", _close_tag),
    (r"an unknown tag.* following tags: (.+?)\. The inn", _name_tags),
    (r"nesting mistake.* to be closed is '(\w+)'", _close_before),
    (r"Encountered unknown tag 'end(\w+)'\.$", "remove it, or begin its block before"),
    ("unexpected char \"'\"|unexpected char '\"'", "close the quote that begins there"),
    ("expected token 'in'", "write `{% for NAME in VALUES %}`"),
    ("expected token 'as'", "write `as NAME` after the file"),
    ("non-namespace object", "use `{% do NAME.update({...}) %}`, or make NAME with `namespace()`"),
    (r"No (?:filter|test) named '(\w+)'", _suggest_filter),
    (r"Jinja variable '(\w+)' is undefined", _suggest_variable),
    (
        "(?:too many|not enough) values to unpack",
        "a loop over a mapping with key and value needs `.items()`",
    ),
    (
        r"can only concatenate str|unsupported operand type\(s\) for \+: '(?:str|int)'",
        "join texts and numbers with `~` in place of `+`",
    ),
)
"""Parts of messages, and their remedies."""
