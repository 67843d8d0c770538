"""Ways of a canary from its secret place to a harmless one, written in its own SLS.

Each way is lines of YAML and Jinja below the key of its name. In Jinja, ``s`` is the canary.
"""

import base64
import hashlib
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.garden import in_jinja, in_yaml


@dataclass(frozen=True, slots=True)
class Way:
    """A way within one SLS."""

    write: Callable[[Canary], str]
    """Gives what stands behind the key; on more than one line it stands below it."""
    fits: Callable[[Canary], bool] = lambda canary: not isinstance(canary.value, bytes)
    """Whether a canary can go it."""
    in_key: bool = False
    """Whether it ends in a key."""


def _is_any(_: Canary) -> bool:
    return True


def _is_text(canary: Canary) -> bool:
    return isinstance(canary.value, str)


def _is_line(canary: Canary) -> bool:
    return canary.is_line


def _is_long(canary: Canary) -> bool:
    return isinstance(canary.value, str) and len(canary.value) >= 10


def _block(canary: Canary) -> str:
    lines = "\n".join(f"  {line}" for line in canary.text.splitlines())
    return f"|\n  # ctl\n  setting =\n{lines}\n  last = 1"


def _in_jinja(expression: str, fits: Callable[[Canary], bool] | None = None) -> Way:
    text = "{{ (" + expression + ") | yaml_dquote }}"
    return Way(lambda _: text, fits) if fits is not None else Way(lambda _: text)


def _in_python(make: Callable[[bytes], str], fits: Callable[[Canary], bool] = _is_any) -> Way:
    return Way(lambda canary: in_yaml(make(raw_of(canary))), fits)


def raw_of(canary: Canary) -> bytes:
    """Return a canary as bytes."""
    return canary.value if isinstance(canary.value, bytes) else canary.text.encode()


def _macro(canary: Canary) -> str:
    text = "{% macro wrap(x) %}<{{ x }}>{% endmacro %}"
    return text + "{{ wrap(s) | yaml_dquote }}"


def _with_anchor(canary: Canary) -> str:
    anchor = f"a{canary.name}"
    return f"{{first: &{anchor} {in_yaml(canary.value)}, second: *{anchor}, third: [*{anchor}]}}"


WAYS: Mapping[str, Way] = {
    "plain": Way(lambda canary: in_yaml(canary.value), _is_any),
    "as text": Way(lambda canary: in_yaml(canary.text), _is_any),
    "nested": Way(lambda canary: f"{{a: {{b: {{c: [{{d: {in_yaml(canary.value)}}}]}}}}}}", _is_any),
    "list": Way(lambda canary: f"[ctl-one, {in_yaml(canary.value)}, ctl-two]", _is_any),
    "maps": Way(
        lambda canary: f"[{{name: ctl, it: {in_yaml(canary.value)}}}, {{name: ctl-2}}]", _is_any
    ),
    "key": Way(lambda canary: f"{{{in_yaml(canary.text)}: ctl}}", _is_line, in_key=True),
    "part of a key": Way(
        lambda canary: f"{{{in_yaml(f'app-{canary.text}-x')}: ctl}}", _is_line, in_key=True
    ),
    "block": Way(_block),
    "concatenated": _in_jinja('"before-" ~ s ~ "-after"'),
    "joined": _in_jinja('["a", s, "b"] | join(",")'),
    "base64": _in_jinja("s | base64_encode", _is_text),
    "base64, one before": _in_jinja('("x" ~ s ~ "yz") | base64_encode'),
    "base64, two before": _in_jinja('("xy" ~ s ~ "z") | base64_encode'),
    "base64 for URLs": _in_jinja(
        '("u" ~ s) | base64_encode | replace("+", "-") | replace("/", "_")'
    ),
    "base64 in lines": _in_python(lambda raw: base64.encodebytes(raw).decode(), _is_long),
    "base64 of bytes": _in_python(lambda raw: base64.b64encode(raw).decode()),
    "hex": _in_python(bytes.hex),
    "HEX": _in_python(lambda raw: raw.hex().upper()),
    "hex in text": _in_python(lambda raw: f"data={raw.hex()};"),
    "sha256": _in_jinja("s | sha256", _is_text),
    "sha512": _in_jinja("s | sha512", _is_text),
    "md5": _in_jinja("s | md5", _is_text),
    "sha1 of a line": _in_python(lambda raw: hashlib.sha1(raw + b"\n").hexdigest()),  # noqa: S324
    "blake2b": _in_python(lambda raw: hashlib.blake2b(raw).hexdigest()),
    "sha256 as base64": _in_python(
        lambda raw: base64.b64encode(hashlib.sha256(raw).digest()).decode()
    ),
    "url": _in_jinja("s | urlencode", _is_text),
    "url, all": _in_python(lambda raw: quote(raw, safe=""), _is_text),
    "json": _in_jinja('{"a": s} | json'),
    "json in json": _in_jinja('{"b": ({"a": s} | json)} | json'),
    "json by Python": Way(lambda canary: in_yaml(json.dumps([canary.text])), _is_text),
    "yaml": _in_jinja('{"a": s} | yaml(False)'),
    "folded": _in_jinja('{"a": "a ctl of some length that goes before " ~ s} | yaml(False)'),
    "repr": _in_jinja('{"a": s} | string'),
    "html": _in_jinja("s | escape | string"),
    "shell": Way(lambda canary: in_yaml(f"cmd {shlex.quote(canary.text)}"), _is_text),
    "macro": Way(_macro),
    "anchor": Way(_with_anchor, _is_any),
    "merge key": Way(
        lambda canary: f"{{<<: {{word: {in_yaml(canary.value)}, host: ctl}}, o: ctl}}", _is_any
    ),
    "comment": Way(lambda canary: f"ctl  # {canary.text}", _is_line),
}
QUIET = frozenset({"comment"})
"""Ways at whose end nothing of the canary is left."""


def write_ways(canary: Canary, names: list[str]) -> str:
    """Return the lines that send a canary some ways, in an SLS of its name."""
    lines = []
    for name in names:
        text = WAYS[name].write(canary)
        if text.startswith("|\n"):
            text = text.replace("\n", "\n      ")
        lines.append(f"    {name!r}: {text}\n")
    literal = "" if isinstance(canary.value, bytes) else in_jinja(canary.text)
    return (f"{{% set s = {literal} %}}" if literal else "") + "".join(lines)
