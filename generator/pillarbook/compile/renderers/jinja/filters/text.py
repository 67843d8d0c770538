"""Filters and tests about text: quoting, case, numbers in it, regular expressions.

Source: Salt ``salt/utils/jinja.py``, ``stringutils.py``, ``yamlencoding.py``, ``path.py``.
"""

import fnmatch
import io
import posixpath
import re
import shlex
import sys
import uuid
from collections.abc import Callable, Hashable
from typing import Any

import yaml
from jinja2 import Environment, pass_environment

from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError
from pillarbook.compile.renderers.jinja.plain_data import to_plain

_UUID_NAMESPACE = uuid.UUID("91633EBF-1C86-5E33-935A-28061F4B480E")
_UNITS = "bkmgtpezy"


def to_text(value: Any) -> str:
    """Return text or bytes as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray):
        return value.decode()
    raise TypeError(f"expected str, bytes, or bytearray not {type(value)}")


def to_bytes(value: Any, encoding: Any = None, errors: str = "strict") -> bytes:
    """Return text or bytes as bytes, in UTF-8 or the first given encoding that can hold it."""
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if not isinstance(value, str):
        raise TypeError(f"expected str, bytes, or bytearray not {type(value)}")
    if encoding is None:
        encoding = "utf-8"
    encodings = encoding if isinstance(encoding, list | tuple) else [encoding]
    if not encodings:
        raise ValueError("encoding cannot be empty")
    for name in encodings[:-1]:
        try:
            return value.encode(name, errors)
        except UnicodeEncodeError:
            continue
    return value.encode(encodings[-1], errors)


def skip_filter(_value: Any) -> str:
    """Print nothing."""
    return ""


def to_bool(value: Any) -> bool:
    """Return what a value says: of text only yes, true and 1 are true, in any case."""
    if isinstance(value, str):
        return value.lower() in ("yes", "1", "true")
    if isinstance(value, int):
        return value > 0
    return not isinstance(value, Hashable) and len(value) > 0


def to_num(text: Any) -> Any:
    """Return the number that a text is, else the text."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def is_hex(value: Any) -> bool:
    """Say whether a text is a hexadecimal number."""
    try:
        int(value, 16)
    except (TypeError, ValueError):
        return False
    return True


def contains_whitespace(text: str) -> bool:
    """Say whether there is white space in a text."""
    return any(character.isspace() for character in text)


def human_to_bytes(size: Any, default_unit: str = "B", handle_metric: Any = False) -> int:
    """Return the number of bytes that ``2K``, ``1.5 MiB`` or ``1GB`` means; 0 for nonsense.

    With ``handle_metric``, ``KB`` is 1,000 bytes rather than 1,024.
    """
    parts = re.match(r"([0-9.]*)\s*(.*)$", str(size).strip())
    if parts is None:
        return 0
    value = to_num(parts[1])
    unit = parts[2].lower() or default_unit.lower()
    if isinstance(value, str) or not re.match(r"(b|[kmgtpezy](i?b)?)$", unit):
        return 0
    power = _UNITS.index(unit[0])
    is_metric = handle_metric and len(unit) == 2
    return int(value * (10 ** (3 * power) if is_metric else 2 ** (10 * power)))


def camel_to_snake_case(camel: str) -> str:
    """Return ``some_http_name`` for ``SomeHTTPName``."""
    words = camel[0].lower()
    for at, letter in enumerate(camel[1:], 1):
        if letter.isupper() and (camel[at - 1].islower() or camel[at + 1 : at + 2].islower()):
            words += "_"
        words += letter.lower()
    return words


def snake_to_camel_case(snake: str, uppercamel: Any = False) -> str:
    """Return ``someLongName`` for ``some_long_name``, ``SomeLongName`` with ``uppercamel``."""
    first, *rest = snake.split("_")
    return (first.capitalize() if uppercamel else first) + "".join(map(str.capitalize, rest))


def check_whitelist_blacklist(value: Any, whitelist: Any = None, blacklist: Any = None) -> bool:
    """Say whether a value is on the white list, where there is one, and not on the black list.

    A list has a glob or regular expression for the whole value, or several.
    """
    allowed = _expressions(whitelist, "whitelist")
    denied = _expressions(blacklist, "blacklist")
    if any(_matches_expression(value, expression) for expression in denied):
        return False
    return not allowed or any(_matches_expression(value, expression) for expression in allowed)


def _expressions(given: Any, name: str) -> Any:
    if not given:
        return []
    if not isinstance(given, str) and not hasattr(given, "__iter__"):
        raise TypeError(f"Expecting iterable {name}, but got {type(given).__name__} ({given})")
    return [given] if isinstance(given, str) else given


def _matches_expression(value: Any, expression: Any) -> bool:
    try:
        if fnmatch.fnmatch(value, expression):
            return True
        return re.match(rf"\A{expression}\Z", value) is not None
    except (re.error, TypeError):
        return False


def yaml_dquote(text: Any) -> str:
    """Return a text as a double-quoted YAML scalar, ASCII only."""
    stream = io.StringIO()
    yaml.emitter.Emitter(stream, width=sys.maxsize).write_double_quoted(str(text))
    return stream.getvalue()


def yaml_squote(text: Any) -> str:
    """Return a text as a single-quoted YAML scalar."""
    stream = io.StringIO()
    yaml.emitter.Emitter(stream, width=sys.maxsize).write_single_quoted(str(text))
    return stream.getvalue()


def yaml_encode(value: Any) -> str:
    """Return a scalar as YAML, text in double quotes."""
    node = yaml.representer.SafeRepresenter().represent_data(to_plain(value))
    if not isinstance(node, yaml.ScalarNode):
        raise TypeError(
            f"yaml_encode() only works with YAML scalar data; failed for {type(to_plain(value))}"
        )
    return yaml_dquote(node.value) if node.tag.endswith(":str") else str(node.value)


def join(*parts: Any, **options: Any) -> str:
    """Return the parts as one path; a part that begins with a slash does not begin anew."""
    options.pop("use_posixpath", None)  # paths are POSIX's here
    unknown = [f"{name}={value}" for name, value in options.items() if not name.startswith("__")]
    if unknown:
        words = f"The following keyword arguments are not valid: {', '.join(unknown)}"
        raise SaltFunctionError(words)
    names = [posixpath.normpath(to_text(part)) for part in parts]
    if not names:
        return ""
    return posixpath.normpath(posixpath.join(names[0], *(name.lstrip("/") for name in names[1:])))


def uuid_(value: Any) -> str:
    """Return the UUID that belongs to a text: always the same one."""
    return str(uuid.uuid5(_UUID_NAMESPACE, to_text(value)))


@pass_environment
def method_call(
    environment: Environment, /, obj: Any, f_name: str, *arguments: Any, **options: Any
) -> Any:
    """Call a method of a value by name; None where it has no such method.

    The sandbox guards it: Salt's own filter reaches any attribute.
    """
    if not hasattr(obj, f_name):
        return None
    return environment.getattr(obj, f_name)(*arguments, **options)


def _flags(ignorecase: Any, multiline: Any) -> int:
    return (re.IGNORECASE if ignorecase else 0) | (re.MULTILINE if multiline else 0)


def _groups(found: re.Match[str] | None) -> tuple[Any, ...] | None:
    """Return what the groups hold; of an expression without groups the whole match."""
    if found is None:
        return None
    return found.groups() or (found.group(),)


def regex_search(txt: str, rgx: str, ignorecase: Any = False, multiline: Any = False) -> Any:
    """Return the groups of the first match anywhere, None without one."""
    return _groups(re.search(rgx, txt, _flags(ignorecase, multiline)))


def regex_match(txt: str, rgx: str, ignorecase: Any = False, multiline: Any = False) -> Any:
    """Return the groups of a match at the beginning, None without one."""
    return _groups(re.match(rgx, txt, _flags(ignorecase, multiline)))


def regex_replace(
    txt: str, rgx: str, val: Any, ignorecase: Any = False, multiline: Any = False
) -> str:
    """Return the text with every match replaced."""
    return re.compile(rgx, _flags(ignorecase, multiline)).sub(val, txt)


def matches(txt: str, rgx: str, ignorecase: Any = False, multiline: Any = False) -> bool:
    """Say whether a text begins with a match: the test ``match``."""
    return re.match(rgx, txt, _flags(ignorecase, multiline)) is not None


def is_equal(value: Any, other: Any) -> Any:
    """Say whether two values are equal: the test ``equalto``."""
    return value == other


def regex_escape(value: Any) -> Any:
    """Return a text that matches itself as a regular expression."""
    return re.escape(value)


FILTERS: dict[str, Callable[..., Any]] = {
    "check_whitelist_blacklist": check_whitelist_blacklist,
    "contains_whitespace": contains_whitespace,
    "human_to_bytes": human_to_bytes,
    "is_hex": is_hex,
    "method_call": method_call,
    "path_join": join,
    "quote": shlex.quote,
    "regex_escape": regex_escape,
    "regex_match": regex_match,
    "regex_replace": regex_replace,
    "regex_search": regex_search,
    "skip": skip_filter,
    "str_to_num": to_num,
    "to_bool": to_bool,
    "to_bytes": to_bytes,
    "to_camelcase": snake_to_camel_case,
    "to_num": to_num,
    "to_snake_case": camel_to_snake_case,
    "uuid": uuid_,
    "yaml_dquote": yaml_dquote,
    "yaml_encode": yaml_encode,
    "yaml_squote": yaml_squote,
}
