"""The schemas of what people write: the inventory, and the section of ``mkdocs.yml``.

The names of options, keys and rules are those of the code that reads them.
"""

from collections.abc import Mapping
from typing import Any

from pillarbook.diagnostics import Severity
from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.change_settings import FORMS, KINDS
from pillarbook.inventory.declared_clock import EXAMPLE
from pillarbook.inventory.declared_functions import ANSWER, CALLS
from pillarbook.inventory.inventory_file import MINION_KEYS
from pillarbook.inventory.settings import (
    AUTO,
    ERROR,
    MASKED,
    OPTIONS,
    PAGE_CHOICES,
    PLACEHOLDER,
    REMOVED_RENDERERS,
)
from pillarbook.schemas.pieces import Schema, listed, record, text

_JSON_TYPES: Mapping[type, str] = {dict: "object", list: "array", str: "string", bool: "boolean"}
_SOME_TEXT = {"type": "string", "pattern": "\\S"}
_MINION: Mapping[str, str] = {
    "grains": "Its grains, or the path of a JSON file with them.",
    "pillarenv": "Its pillar environment; without it, all environments are merged.",
    "saltenv": "Its state environment.",
    "pillar": "Pillar from the command line, as in salt-call pillar.items pillar='{...}'.",
    "pillar_enc": "The renderer that decrypts `pillar`: gpg.",
    "opts": "Minion options that override the master's, as on a masterless minion.",
    "mine": "Its mine data by function.",
    "secrets": "Patterns of keys with secret values, in its pillar and its grains.",
    "guessed": "Whether `init` invented it, and nobody has confirmed it yet.",
}


def describe_acknowledgements() -> Schema:
    """Return the schema of the acknowledged changes: ``.pillarbook-acks.yml``."""
    change_id = {
        "description": "The id of a change, as `pillarbook diff` prints it.",
        "type": "string",
        "pattern": "^c-[a-z2-7]{16}$",
    }
    reason = {
        "description": "Why the change is expected; it is for people.",
        "type": ["string", "number", "boolean", "null"],
    }
    entry = record("A change and the reason.", ("reason",), id=change_id, reason=reason)
    return {
        **listed("The acknowledged changes.", {"anyOf": [change_id, entry]}),
        "type": ["array", "null"],
    }


def describe_inventory() -> Schema:
    """Return the schema of an inventory: ``minions.yml``."""
    fields = {name: _describe_key(name) for name in MINION_KEYS}
    minion = {**record("A minion. All keys are optional.", tuple(fields), **fields)}
    return record(
        "The declared minions.",
        ("defaults",),
        minions={
            "description": "The minions by id, in the order of the report.",
            "type": "object",
            "propertyNames": {"minLength": 1},
            "additionalProperties": {**minion, "type": ["object", "null"]},
        },
        defaults={
            **minion,
            "description": "Defaults for all minions of this file. Mappings are merged.",
            "type": ["object", "null"],
        },
    )


def _describe_key(name: str) -> Schema:
    types = MINION_KEYS[name][0]
    if types is object:
        return {"description": _MINION[name]}
    kinds = [_JSON_TYPES[one] for one in (types if isinstance(types, tuple) else (types,))]
    described: dict[str, object] = {"description": _MINION[name], "type": [*kinds, "null"]}
    if "array" in kinds:
        described["items"] = _SOME_TEXT
    return described


def describe_configuration() -> Schema:
    """Return the schema of a MkDocs configuration, of which only our section is described."""
    entry = {"type": "object", "properties": {"pillarbook": _describe_section()}}
    plugins = {
        "description": "The plugins of MkDocs; pillarbook is one of them.",
        "anyOf": [
            {"type": "array", "items": {"anyOf": [{"type": "string"}, entry]}},
            entry,
        ],
    }
    return {
        "description": "A MkDocs configuration with a pillarbook section.",
        "type": "object",
        "properties": {"plugins": plugins},
        "required": ["plugins"],
    }


def _describe_section() -> Schema:
    described = _describe_options()
    assert described.keys() == set(OPTIONS)  # noqa: S101 (the reader knows the same options)
    return {
        "description": "The options of pillarbook. Relative paths count from this file's folder.",
        "type": "object",
        "properties": {name: described[name] for name in OPTIONS},
        "required": ["master", "inventory"],
        "additionalProperties": False,
    }


def _describe_options() -> dict[str, Schema]:
    return {
        "master": {**text("Salt's master file, unchanged."), "minLength": 1},
        "inventory": {
            "description": "The declared minions: a path, or a list of paths.",
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
            ],
        },
        "environments": _describe_environments(),
        "revisions": _fields(
            "The revision that the report and `pillarbook diff` compare with.",
            {"base": _or_null({**text("A git revision: origin/main."), "minLength": 1})},
        ),
        "redact": _fields(
            "Values that are secret besides those of the built-in rules, and values that are not.",
            {
                "keys": _patterns("Values at or below a key that matches are secret."),
                "values": _patterns("Regular expressions; values with a match are secret."),
                "allow": _patterns("Values at or below a key that matches are not secret."),
                "equality": _flag("Whether equal secrets have equal tokens; needs trust."),
            },
        ),
        "rules": _fields(
            "The rules of `check`: off, on, a severity, or exceptions.",
            {code: _describe_rule(rule.title) for code, rule in RULES.items()},
        ),
        "changes": _fields(
            "How changes are compared.",
            {"ignore": _or_null(listed("Changes to ignore.", _describe_ignored()))},
        ),
        "decrypt": _flag("Whether gpg ciphertext is decrypted in memory; needs trust."),
        "python": _flag("Whether code of the tree runs; needs trust."),
        "renderers": {
            "description": "Renderers to use although Salt removed them.",
            "anyOf": [
                {"enum": [*REMOVED_RENDERERS, None]},
                {"type": "array", "items": {"enum": list(REMOVED_RENDERERS)}},
            ],
        },
        "functions": {
            "description": "Answers of execution functions that need a machine or a service.",
            "type": ["object", "null"],
            "propertyNames": {"pattern": "[^.]\\.+[^.]"},
            "additionalProperties": _describe_answers(globs=True),
        },
        "ext_pillars": {
            "description": "Files with the answers of external pillars, by name.",
            "type": ["object", "null"],
            "additionalProperties": {"type": "string", "minLength": 1},
        },
        "paths": {
            "description": "Local folders for absolute paths and URLs of the master.",
            "type": ["object", "null"],
            "propertyNames": {"pattern": "^/|://|^[^/:]+@[^/:]+:"},
            "additionalProperties": {"type": "string", "minLength": 1},
        },
        "states": {
            "description": "Whether states are compiled. With auto, they are unless most of "
            "them are elsewhere.",
            "enum": [True, False, "auto", None],
            "default": "auto",
        },
        "clock": {
            "description": f"The current time for templates, in UTC: {EXAMPLE}.",
            "type": ["string", "null"],
            "pattern": "^\\s*\\d{4}-?(\\d\\d|W)",
        },
        "unanswered": {
            "description": "What a call without an answer gives: an error that loses its SLS, or "
            "an unknown value.",
            "enum": [ERROR, PLACEHOLDER, None],
            "default": PLACEHOLDER,
        },
        "pages": _fields(
            "What pages show.",
            {
                "source": {
                    "description": "Whether the pages of SLS files show the text of the files.",
                    "enum": list(PAGE_CHOICES["source"]),
                    "default": MASKED,
                },
                "authors": _flag("Whether pages of keys name the authors of commits."),
                "guide": {
                    "description": "Whether the site has pages that explain the report and rules.",
                    "type": "boolean",
                    "default": True,
                },
                "sections": {
                    "description": "Whether sections that many minions share have pages of their "
                    "own: in large fleets, never, or always.",
                    "enum": list(PAGE_CHOICES["sections"]),
                    "default": AUTO,
                },
            },
        ),
    }


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _flag(description: str) -> Schema:
    return {"description": description, "type": ["boolean", "null"], "default": False}


def _fields(description: str, fields: Mapping[str, Schema]) -> Schema:
    """Return a mapping that may be left empty, of which every field is optional."""
    return _or_null(record(description, tuple(fields), **fields))


def _texts(description: str) -> Schema:
    return {
        "description": description,
        "type": ["string", "array", "null"],
        "items": {"type": "string"},
    }


def _patterns(description: str) -> Schema:
    return {
        "description": description,
        "type": ["string", "array", "null"],
        "pattern": "\\S",
        "items": _SOME_TEXT,
    }


def _describe_environments() -> Schema:
    named = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": {"type": ["object", "null"]},
    }
    return {
        "description": "The environments that are compared, each with the first; by default all "
        "of pillar_roots. An entry is a pillarenv, or NAME: {master options}.",
        "type": ["array", "null"],
        "items": {"anyOf": [{"type": "string"}, named]},
    }


def _describe_rule(title: str) -> Schema:
    severity = {
        "description": "Off, on, or a severity.",
        "enum": ["off", "on", *map(str, Severity), True, False],
    }
    ignore = {
        "keys": _texts("Patterns of keys."),
        "files": _texts("Globs of files."),
        "minions": _texts("Globs of minion ids."),
    }
    both = {"severity": severity, "ignore": _fields("Findings to ignore.", ignore)}
    return {
        "description": f"Finds {title}.",
        "anyOf": [
            severity,
            record("A setting with exceptions.", tuple(both), **both),
        ],
    }


def _describe_ignored() -> Schema:
    kind = {"enum": list(KINDS)}
    fields = {
        "keys": _patterns("Changes at or below these keys."),
        "minions": _patterns("Changes on these minions."),
        "kinds": {
            "description": "Changes of these kinds.",
            "anyOf": [kind, {"type": "array", "items": kind}, {"type": "null"}],
        },
        "values": _patterns("Regular expressions; changes whose values match one completely."),
        "same_as": {
            "description": "Texts that are equal after parsing.",
            "enum": [*FORMS, None],
        },
    }
    rule = record(
        "A rule; it ignores a change that matches all of it.",
        tuple(fields),
        **fields,
    )
    return {**rule, "minProperties": 1}


def _describe_answers(*, globs: bool) -> Schema:
    """Return an answer; at the first level, a mapping without a ``$`` has answers by glob."""
    call = record(
        "The answer of some calls.",
        ("args", "kwargs"),
        args=_or_null({"description": "The positional arguments.", "type": "array"}),
        kwargs=_or_null({"description": "The named arguments.", "type": "object"}),
        answer={"description": "The result of the call."},
    )
    marked = {
        ANSWER: {"description": "An answer that is a mapping itself."},
        CALLS: _or_null(listed("Answers by arguments; the first that fits counts.", call)),
    }
    is_marked = {"type": "object", "not": {"propertyNames": {"pattern": "^(?!\\$)"}}}
    below: dict[str, Any] = {}
    if globs:
        below = {
            "minProperties": 1,
            "propertyNames": {"minLength": 1},
            "additionalProperties": _describe_answers(globs=False),
        }
    return {
        "description": "One answer for all minions, answers by minion glob, or by arguments.",
        "if": is_marked,
        "then": {"properties": marked, "additionalProperties": False},
        "else": below,
    }
