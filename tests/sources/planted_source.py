"""Secrets of the labelled table as files hold them that nobody renders.

Each is written as a comment, into a branch that no minion takes, and as a literal of a template.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml
from tests.redact.labelled_rows import Document, Row, read_documents

NAMED_ELSEWHERE = (
    "alarm:panel:code",
    "alarm:user_codes:anna",
    "alarm:user_codes:ben",
    "home_assistant:alarm_control_panel:0:code",
    "kubernetes:manifests:deploy:env:2:value",
    "mail:sasl_map:[mx.example.net]:587",
    "network:snmp:communities:0:name",
    "postfix:mapping:smtp_sasl_password_maps:0:[mail.relay.example]:587",
    "rsyncd:secrets:backup",
    "rsyncd:secrets:mirror",
    "yourls:yourls_user_passwords:bert",
)
"""Secrets that look like words and whose own key does not say what they are."""


def planted() -> Iterator[tuple[str, str, Row]]:
    """Yield the form, the text of a file, and the row for each secret and each way to write it."""
    for document in read_documents():
        for row in document.rows if not document.is_held_out else ():
            if row.is_secret:
                yield from ((form, text, row) for form, text in _write(document, row))


def shows(text: str, row: Row) -> bool:
    """Say whether a text shows a row's secret, or a line of it."""
    parts = (part for secret in row.secrets for part in _lines_of(secret))
    return any(part in text for part in parts)


def _lines_of(secret: str) -> list[str]:
    lines = [line.strip() for line in secret.split("\n")]
    return [one for one in lines if len(one) > 7 and not one.startswith("---")] or [secret]


def _write(document: Document, row: Row) -> Iterator[tuple[str, str]]:
    keys = _keys(document.pillar, row)
    part = _nest(document.pillar, keys, row.value)
    whole = yaml.safe_dump(part, allow_unicode=True, sort_keys=False, width=200).rstrip()
    yield "comment", "\n".join(f"# {line}" for line in whole.split("\n"))
    yield "code as comment", "\n".join(f"#{line}" for line in whole.split("\n"))
    yield "branch", "{% if grains['os'] == 'Plan 9' %}\n" + whole + "\n{% endif %}"
    if not row.is_key and row.words not in NAMED_ELSEWHERE:
        leaf = next((str(key) for key in reversed(keys) if isinstance(key, str)), "x")
        yield from _literals(leaf, row.value)
        yield from _remarks(leaf, str(row.value))


def _literals(leaf: str, value: Any) -> Iterator[tuple[str, str]]:
    name = re.sub(r"\W", "_", leaf)
    quoted = json.dumps(value, ensure_ascii=False)
    yield "set", f"{{% set {name} = {quoted} %}}"
    yield "dict", f"{{% set cfg = {{'a': {{{leaf!r}: {value!r}}}}} %}}"
    yield "default", f"x: {{{{ salt['pillar.get']({'a:' + leaf!r}, {value!r}) }}}}"
    yield "macro", f"{{% macro m({name}={quoted}) %}}a{{% endmacro %}}"
    if "\n" in str(value):
        yield "block", f"{{% set {name} %}}{value}{{% endset %}}"


def _remarks(leaf: str, text: str) -> Iterator[tuple[str, str]]:
    if "\n" not in text:
        yield "remark of Jinja", f"{{# {leaf}: {text} #}}"
        yield "remark", f"# {leaf}: {text}"
        yield "assignment", f"# {leaf}={text}"
        yield "remark behind", f"port: 80  # {leaf}: {text}"
        yield "sentence", f"# the {leaf} is {text}"


def _keys(pillar: Any, row: Row) -> list[Any]:
    keys: list[Any] = []
    for index in row.path:
        key = list(pillar)[index] if isinstance(pillar, dict) else index
        keys.append(key)
        pillar = pillar[key]
    return keys


def _nest(pillar: Any, keys: list[Any], value: Any) -> Any:
    """Return the part of a pillar that holds one value, with the key beside that names it."""
    if not keys:
        return value
    below = _nest(pillar[keys[0]], keys[1:], value)
    if not isinstance(pillar, dict):
        return [below]
    named = {
        name: pillar[name]
        for name in ("name", "key", "var")
        if len(keys) == 1 and name != keys[0] and isinstance(pillar.get(name), str)
    }
    return {**named, keys[0]: below}
