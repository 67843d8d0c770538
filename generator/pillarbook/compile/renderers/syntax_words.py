"""Jinja's error messages about syntax, without words of the template.

These messages are fixed, except for quoted kinds of tokens, operators and names. A name is from the
template, and may be a password. So only words of Jinja or Salt are shown; all others are replaced
by ``a name``.
"""

import re
from functools import lru_cache

from jinja2.lexer import operators

WORDS = frozenset(
    (
        *("if", "elif", "else", "endif", "for", "in", "endfor", "recursive", "loop", "break"),
        *("continue", "set", "endset", "block", "endblock", "required", "scoped", "extends", "raw"),
        *("endraw", "macro", "endmacro", "call", "endcall", "caller", "filter", "endfilter"),
        *("import", "from", "include", "as", "with", "without", "endwith", "context", "ignore"),
        *("missing", "do", "and", "or", "not", "is", "true", "false", "none", "True", "False"),
        *("None", "autoescape", "endautoescape", "load_yaml", "load_json", "load_text", "endload"),
        *("import_yaml", "import_json", "import_text", "profile", "endprofile", "trans"),
        *("endtrans", "pluralize"),
    )
)
"""Words of templates that are not names of the user."""
KINDS = frozenset(
    (
        *("name", "string", "integer", "float", "operator", "comment", "begin of comment"),
        *("end of comment", "begin of statement block", "end of statement block"),
        *("begin of print statement", "end of print statement", "begin of line statement"),
        *("end of line statement", "template data / text", "end of template"),
    )
)
"""Jinja's words for tokens that are not operators."""
A_NAME = "a name"
_QUOTED = re.compile(r"'([^']*)'")
_Q = rf"(?:'[^']*'|{A_NAME})"
_TAGS = rf"{_Q}(?: or {_Q})*"
_OPEN = rf"(?: The innermost block that needs to be closed is {_Q}\.)?"
_LOOKING = rf"(?: Jinja was looking for the following tags: {_TAGS}\.)?"
_NESTING = (
    r"(?: You probably made a nesting mistake\. Jinja is expecting this tag, but currently looking"
    rf" for {_TAGS}\.)?"
)
_SENTENCES = (
    rf"Expected an expression, got {_Q}",
    rf"expected token {_Q}, got {_Q}",
    rf"unexpected end of template, expected {_Q}\.",
    rf"unexpected {_Q}(?:, expected {_Q})?",
    rf"Unexpected end of template\.{_LOOKING}{_OPEN}",
    rf"Encountered (?:an unknown tag|unknown tag {_Q})\.{_NESTING}{_LOOKING}{_OPEN}",
    r"tag name expected|expected call|expected name or number|expected subscript expression",
    r"invalid syntax for function call expression|You cannot chain multiple tests with is",
    r"non-default argument follows default argument|Invalid character in identifier",
    r"names starting with an underline can not be imported|a block is defined twice",
    r"Block names in Jinja have to be valid Python identifiers and may not contain hyphens, .*",
    r"Required blocks can only contain comments or whitespace",
    r"cannot use extend from a non top-level scope",
    r"Can't assign to special loop variable in for-loop target",
    r"When defining macros or call blocks the special \"caller\" argument must be .*",
    r"Missing end of (?:comment tag|raw directive)",
    r"(?:truncated|malformed|illegal) \\[xuUN]\S{0,8} (?:character )?escape",
    r"unknown Unicode character name|illegal Unicode character",
)
_ASSIGNED = re.compile(r"can't assign to '[a-z]+'")
"""In this message, the quoted word is Jinja's name for a kind of expression."""


def word_syntax(text: str) -> str | None:
    """Return Jinja's text for a syntax error; None if it is unknown."""
    if _ASSIGNED.fullmatch(text):
        return text
    told = _QUOTED.sub(_keep, text).replace(f"unknown tag {A_NAME}", "an unknown tag")
    if told == f"block {A_NAME} defined twice":
        told = "a block is defined twice"
    return told if _sentences().fullmatch(told) else None


def _keep(quoted: re.Match[str]) -> str:
    word = quoted[1]
    is_known = word in WORDS or word in KINDS or word in operators
    return quoted[0] if is_known else A_NAME


# Compiled on first use, because only errors need it.
@lru_cache(maxsize=1)
def _sentences() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in _SENTENCES))
