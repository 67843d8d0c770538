"""Parts that schemas are made of, and the definitions that several schemas share.

An object of ours has no other properties than those of its schema, so that a test fails for a field
that has none. Mappings whose keys are the user's are made by ``mapping``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]


def record(description: str, optional: Sequence[str] = (), /, **fields: Schema) -> Schema:
    """Return an object with these fields and no others; all but the optional ones are needed."""
    return {
        "description": description,
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def mapping(description: str, values: Schema) -> Schema:
    """Return an object whose keys are names: of minions, say."""
    return {"description": description, "type": "object", "additionalProperties": values}


def listed(description: str, items: Schema) -> Schema:
    """Return a list."""
    return {"description": description, "type": "array", "items": items}


def records(
    description: str, each: str, optional: Sequence[str] = (), /, **fields: Schema
) -> Schema:
    """Return a list of objects; ``each`` describes one of them."""
    return listed(description, record(each, optional, **fields))


def text(description: str) -> Schema:
    """Return a text."""
    return {"description": description, "type": "string"}


def texts(description: str) -> Schema:
    """Return a list of texts."""
    return listed(description, {"type": "string"})


def number(description: str) -> Schema:
    """Return a count, an index or a line."""
    return {"description": description, "type": "integer", "minimum": 0}


def numbers(description: str) -> Schema:
    """Return a list of counts or indexes."""
    return listed(description, {"type": "integer", "minimum": 0})


def flag(description: str) -> Schema:
    """Return true or false."""
    return {"description": description, "type": "boolean"}


def word(description: str, *words: str) -> Schema:
    """Return one of some words."""
    return {"description": description, "type": "string", "enum": list(words)}


def or_null(schema: Schema, description: str | None = None) -> Schema:
    """Return the schema of what ``schema`` allows, and of null; an object needs a description."""
    if description is not None:
        return {"description": description, "anyOf": [schema, {"type": "null"}]}
    if "enum" in schema:
        return {**schema, "type": ["string", "null"], "enum": [*schema["enum"], None]}
    if "$ref" in schema:
        return or_null({"$ref": schema["$ref"]}, schema["description"])
    return {**schema, "type": [schema["type"], "null"]}


def use(definition: str, description: str) -> Schema:
    """Return one of ``DEFINITIONS``."""
    return {"description": description, "$ref": f"#/$defs/{definition}"}


def schema_mark(name: str) -> Schema:
    """Return the field ``schema`` of a document."""
    return {"description": "The form of this document.", "const": name}


def origin_fields() -> dict[str, Schema]:
    """Return the fields that name where a value is set."""
    return {
        "file": text("The file, relative to the repository."),
        "line": or_null(number("The line; null if unknown.")),
        "sls": or_null(text("The SLS; null for a value of the inventory.")),
        "saltenv": or_null(text("The environment of that SLS; null for a value of the inventory.")),
    }


def line_fields() -> dict[str, Schema]:
    """Return the fields that name another line, or a whole file."""
    return {
        "file": text("The file."),
        "line": or_null(number("The line there, or null.")),
    }


def finding_fields() -> dict[str, Schema]:
    """Return the fields that findings have in every output."""
    return {
        "code": text("The rule."),
        "severity": word("How bad it is.", *SEVERITIES),
        "message": text("One sentence."),
        **place_fields(),
    }


def place_fields() -> dict[str, Schema]:
    """Return the fields that name a line of a file, if there is one."""
    return {
        "file": or_null(text("The file to look at first, or null.")),
        "line": or_null(number("The line in it; null for the whole file.")),
    }


OUTCOMES = ("ok", "partial", "failed", "empty")
SEVERITIES = ("error", "warning", "note")
KINDS = ("added", "removed", "changed", "moved", "reordered")

_TAGS: Mapping[str, Schema] = {
    "$bytes": text("Bytes, in base64."),
    "$date": text("A date: 2020-01-31."),
    "$datetime": text("A date with a time, in ISO 8601."),
    "$float": text("A number that JSON lacks: nan, inf or -inf."),
    "$map": listed(
        "A mapping with a key that is not text, or that begins with $: pairs of key and value.",
        {
            "type": "array",
            "minItems": 2,
            "maxItems": 2,
            "items": {"$ref": "#/$defs/value"},
        },
    ),
    "$raises": text("Salt stops compiling this minion: the reason."),
    "$set": listed("A set.", {"$ref": "#/$defs/value"}),
    "$unknown": text("A value that cannot be known here: its source."),
}
DEFINITIONS: Mapping[str, Schema] = {
    "value": {
        "description": "A value of a pillar. Types that JSON lacks are tagged. A secret is "
        '{"redacted": reason, "token": token}.',
        "type": ["null", "boolean", "number", "string", "array", "object"],
        "items": {"$ref": "#/$defs/value"},
        "properties": _TAGS,
        "patternProperties": {"^(?!\\$)": {"$ref": "#/$defs/value"}},
        "additionalProperties": False,
        "dependentSchemas": {tag: {"maxProperties": 1} for tag in _TAGS},
    },
    "path": listed(
        "The keys that lead to a value, from the top. In a list, an integer is a position.",
        {"$ref": "#/$defs/value"},
    ),
    "origin": record("Where a value was set.", **origin_fields()),
    "set": record(
        "A place that set a value.",
        **origin_fields(),
        value={"$ref": "#/$defs/value", "description": "The value there."},
    ),
    "set_value": record(
        "A value and the places that set it.",
        path=use("path", "The keys that lead to it."),
        value=use("value", "A scalar, an empty mapping or an empty list."),
        origins=listed(
            "The places that set it, oldest first; the last one wins.",
            {"$ref": "#/$defs/set"},
        ),
    ),
    "line": record(
        "A changed line.",
        file=text("The file."),
        line=or_null(number("The line.")),
        side=word("The side that has the line.", "base", "head"),
    ),
}
"""Definitions by name; a schema has those that it uses."""


def change_fields() -> dict[str, Schema]:
    """Return the fields of a change, without its path; which are there depends on the kind."""
    return {
        "kind": word("How it changed.", *KINDS),
        "before": use(
            "value", "The value in the base; for `reordered`, the keys. Not with `added`."
        ),
        "after": use(
            "value", "The value in the head; for `reordered`, the keys. Not with `removed`."
        ),
        "before_origin": or_null(use("origin", "Where the value before was set.")),
        "after_origin": or_null(use("origin", "Where the value after was set.")),
        "behind": listed(
            "For `added` in a mapping: the one key before it in the head; empty if it is first.",
            {"$ref": "#/$defs/value"},
        ),
        "from": number("For `moved`: the position in the base."),
        "to": number("For `moved`: the position in the head."),
    }


OF_SOME_KINDS = ("before", "after", "before_origin", "after_origin", "behind", "from", "to")
"""The fields of a change that only changes of some kinds have."""
