"""The text of exceptions of libraries, without values of the tree.

PyYAML, Jinja, Python and Salt's filters quote values in their errors, and a value may be a
password. So only sentences that are listed here are shown, with names of variables, functions and
types in them. For other errors, only the class is shown.

Salt's own text, which is in ``_errors``, stays unchanged.
"""

import json
import re
from functools import lru_cache

import yaml
from jinja2 import TemplateNotFound, TemplateSyntaxError

from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError, SaltTemplateError
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.syntax_words import word_syntax
from pillarbook.diagnostics import PillarbookError
from pillarbook.model.long_integers import REFUSED

_NAME = r"[A-Za-z_][\w.]*"
_TYPE = rf"(?:'{_NAME}'|\"{_NAME}\"|{_NAME}|<class '{_NAME}'>|'(?:list|dict|str) object')"
_CALL = rf"{_NAME}(?:\.<locals>\.{_NAME})?\(\)"

_SENTENCES = (
    # Jinja
    r"'[A-Za-z_]\w*' is undefined",
    rf"No (?:filter|test) named '{_NAME}'( found)?\.?",
    rf"access to attribute '{_NAME}' of {_TYPE} object is unsafe\.",
    r"expected token '[^'\w]*(?:(?:end|begin) of [a-z ]+|name|string|integer|in|as|import)?'",
    r"unexpected (?:end of [a-z ]+|'[^'\w\s]{1,3}'|end of template|char (?:'.'|\"'\") at \d+)",
    r"cannot assign to '[a-z]+'|cannot assign attribute on non-namespace object",
    r"the template gives more than .*",
    rf"macro '{_NAME}' (?:takes|was) .*",
    r"Missing end of \w+ tag",
    r"the template '[^']*' \(imported on line \d+(?: in '[^']*')?\) does not export .*",
    # Python
    rf"unsupported operand type\(s\) for [^:]{{1,15}}: {_TYPE} and {_TYPE}",
    rf"can only concatenate {_NAME} \(not {_TYPE}\) to {_NAME}",
    rf"bad operand type for unary .: {_TYPE}",
    rf"'[<>=!]+' not supported between instances of {_TYPE} and {_TYPE}",
    rf"{_TYPE} object is not (?:iterable|callable|subscriptable|a mapping)",
    rf"{_TYPE} object (?:does not support|cannot be interpreted as|is not reversible).*",
    rf"object of type {_TYPE} has no len\(\)",
    rf"argument of type {_TYPE} is not (?:iterable|a container or iterable)",
    rf"unhashable type: {_TYPE}",
    rf"(?:cannot use {_TYPE} as a (?:dict key|set element)) \(unhashable type: {_TYPE}\)",
    rf"Object of type {_TYPE} is not JSON serializable",
    rf"(?:string|list|tuple|byte) indices must be integers(?: or slices)?(?:, not {_TYPE})?",
    rf"sequence item \d+: expected \w+ instance, {_NAME} found",
    rf"{_CALL} (?:missing|takes|expected|argument must) .*",
    rf"{_CALL} got an unexpected keyword argument '{_NAME}'",
    rf"{_CALL} argument .* must be .*, not {_TYPE}",
    rf"{_NAME} expected at (?:most|least) \d+ arguments?, got \d+",
    rf"must be {_TYPE}, not {_TYPE}",
    rf"expected {_TYPE}(?:, {_TYPE})*,? (?:or {_TYPE} )?not {_TYPE}",
    rf"cannot convert {_TYPE} object to {_NAME}",
    r"(?:not all|not enough) arguments (?:converted during string formatting|for format string)",
    r"(?:too many|not enough) values to unpack \([^)']*\)",
    r"(?:float |integer )?(?:division|modulo)(?: or modulo)? by zero",
    r"[a-z ]* index out of range|substring not found|range\(\) arg 3 must not be zero",
    r"No (?:first|last|random) item, sequence was empty\.|there is no (?:previous|next) item",
    rf"No caller defined|parameter '{_NAME}' was not provided",
    r"max\(\) .*empty.*|min\(\) .*empty.*",
    r"maximum recursion depth exceeded.*",
    r"math (?:domain|range) error|Incorrect padding",
    r"int too large to convert to float",
    re.escape(REFUSED),
    r"(?:year|month|day|hour|minute|second)[\w ]* (?:must be in|is out of range)[ \d.]*",
    r"'[\w-]+' codec can't (?:de|en)code (?:byte|character|bytes|characters) .*",
    # Salt's filters and functions
    r"Cannot update using non-dict types in dictupdate\.update\(\)",
    r"The ifelse function must have an odd number of arguments!",
    r"Value is not a dict or list\. Cannot render as XML",
    r"the XML has no element|Input data must be a dict or list|encoding cannot be empty",
    r"json_query requires jmespath module installed|Reference cycle detected.*",
    r"filter_by [a-z -]+ must (?:both )?be (?:a dictionary|dictionaries)\.",
    r"Can't perform in-place (?:merge|update) into NoneType",
    r"pop from (?:an )?empty (?:set|list)",
    r"Invalid MAC address|You must specify a valid algorithm\.|Width is too small to render banner",
    r"Must (?:not )?pass (?:both )?path (?:and|or) string\.",
    r"(?:Dir path|Path to link) must be absolute\.|Invalid mode specified\.",
    r"hash must be a string|Renders go on inside of each other without an end",
    r"File(?:names argument| pattern\(s\)) .*",
    rf"name '{_NAME}' is not defined|Do not know how to filter a {_TYPE}",
)
_LEADS = (
    r"invalid literal for int\(\) with base \d+",
    r"could not convert string to float",
    r"Unable to load json",
    r"Invalid hash type",
    r"Expecting iterable",
    r"Exceeds the limit \(\d+ digits\) for integer string conversion",
    r"Invalid isoformat string",
    r"Unable to parse",
    r"Hash func",
    r"Encountered error loading yaml",
    r"Unknown format code",
    r"Pillar key not found",
    r"Serializer",
    r"Starting path not found in the state tree",
    r"A valid directory was not specified",
    r"too many (?:nested parentheses|statically nested blocks)",
    r"'break' outside loop|'continue' not properly in loop",
    r"Range too big\. The sandbox blocks ranges larger than MAX_RANGE \(\d+\)",
)
"""Beginnings of sentences; a value follows them."""
_MISSING = re.compile(
    rf"({_TYPE}|[\w. ]+|'[\w. ]+') (?:object )?has no (attribute|element) (.*)", re.DOTALL
)
_TOKENS = re.compile(r"'(?:<[a-z ]+>|[^\w\s']{1,2}|\\.)'")
"""Quotes in a text of PyYAML that contain only punctuation."""
_YAML_DATA = re.compile(
    r"(found unacceptable key)\b.*|(tag handle|the tag|alias|anchor)\b.*", re.DOTALL
)
DIGITS_OF_A_PLACE = 3
"""A number with more digits may be a secret code; a shorter one is a position in a list."""
TAB = "found character '\\t' that cannot start any token"
_KINDS = {
    "KeyError": "a key is missing",
    "IndexError": "an index is out of range",
    "ValueError": "a value is not what is asked for",
    "TypeError": "a value is of a type that does not fit",
    "AttributeError": "an attribute is missing",
    "error": "a regular expression is none",
    "SaltFunctionError": "the arguments are not accepted",
    "TemplateSyntaxError": "the syntax is wrong",
    "UndefinedError": "is undefined",
}


def word_render_error(error: RenderError) -> str:
    """Return why a file cannot be rendered, without values of the tree."""
    if error.clean is not None:
        return error.clean
    cause = error.__cause__
    return str(error) if cause is None else word_exception(cause)


def word_exception(error: BaseException, source: str = "") -> str:
    """Return the text of an exception, without values of the tree.

    The name of a missing attribute is shown if the template ``source`` contains it; otherwise, a
    variable may have had it as a value.
    """
    if isinstance(error, PillarbookError | TemplateNotFound | json.JSONDecodeError):
        return str(error)
    if isinstance(error, RenderError):
        return word_render_error(error)
    if isinstance(error, yaml.YAMLError):
        return _word_yaml(error)
    if isinstance(error, SaltTemplateError | SaltFunctionError):
        return _word_salts(error)
    if isinstance(error.__cause__, yaml.YAMLError | json.JSONDecodeError):
        return f"{_word_text(error)}: {word_exception(error.__cause__)}"
    syntax = word_syntax(str(error)) if isinstance(error, TemplateSyntaxError) else None
    return syntax or _word_missing(str(error), source) or _word_text(error)


def _word_salts(error: SaltTemplateError | SaltFunctionError) -> str:
    cause = error.__cause__
    if isinstance(error, SaltTemplateError):
        # mostly the text of raise(), which the author of the file wrote
        return str(error) if cause is None else word_exception(cause)
    told = error.clean or _word_text(error)
    if isinstance(cause, yaml.YAMLError | json.JSONDecodeError):
        told = f"{told}: {word_exception(cause)}"
    return told if error.name is None else f"{error.name}: {told}"


def _word_missing(text: str, source: str) -> str | None:
    """Return the sentence about a missing name; None for other texts."""
    found = _MISSING.fullmatch(text)
    if found is None:
        return None
    owner, what, name = found[1], found[2], found[3].strip("'")
    if is_written(name, source):
        return text
    return f"{owner} has no such {what}"


def is_written(name: str, source: str) -> bool:
    """Say whether a file contains an access to a name, so that the name was not computed."""
    if name.isdigit():
        return len(name) <= DIGITS_OF_A_PLACE
    escaped = re.escape(name)
    access = rf"""\.\s*{escaped}\b|(?<=[\w\])}}])\[\s*['"]{escaped}['"]\s*\]"""
    return re.search(access, source) is not None


def is_word_of(source: str, name: str) -> bool:
    """Say whether a file contains a name as a word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source) is not None


def _word_text(error: BaseException) -> str:
    first = error.args[0] if isinstance(error, KeyError) and error.args else error
    text = str(first).strip()  # without this, the text of a KeyError is in quotes
    sentences, leads = _patterns()
    if sentences.fullmatch(text):
        return text
    lead = sentences.match(text) if isinstance(error, TemplateSyntaxError) else leads.match(text)
    if lead is not None:
        return lead.group()
    kind = next((cls.__name__ for cls in type(error).__mro__ if cls.__name__ in _KINDS), "")
    return f"{_KINDS.get(kind, 'the operation fails')} ({type(error).__name__})"


def _word_yaml(error: yaml.YAMLError) -> str:
    """Return the error of PyYAML or libyaml, without quoted values and lines."""
    reason = getattr(error, "problem", None) or getattr(error, "reason", None)
    if not reason:
        return f"this is not YAML ({type(error).__name__})"
    return "Illegal tab character" if reason == TAB else _drop_data(str(reason))


def _drop_data(text: str) -> str:
    """Return a text up to the first quoted value."""
    text = _YAML_DATA.sub(lambda found: found[1] or found[2], text.split("\n", 1)[0])
    quote = re.search("['\"]", _TOKENS.sub(lambda one: "t" * len(one[0]), text))
    return text if quote is None else text[: quote.start()].rstrip(" :,(")


# Compiled on first use, because only errors need them.
@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    sentences = "|".join(f"(?:{one})" for one in _SENTENCES)
    return re.compile(sentences), re.compile("|".join(_LEADS))
