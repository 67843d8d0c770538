"""Writes pillars as texts: the output of ``compile``, and the files beside a minion's page.

Minions share the objects below their top-level keys, so each of these is written once.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from pillarbook.model import write_as_salt
from pillarbook.model.limited_cache import RecentCache
from pillarbook.patterns.bidi_controls import BIDI_CONTROL
from pillarbook.redact import RedactedLeaf, RedactedPillar, to_json, values_to_json

MAX_TEXTS = 5_000
"""The number of written parts after which those that were not written again are dropped."""

UNBROKEN = 2**30
"""The line length of YAML, so that texts are never wrapped: a wrapped text could not be
searched."""
EXPLAIN_SCHEMA = "pillarbook.explain/1"


class PillarTexts:
    """Writes pillars as JSON and YAML."""

    def __init__(self, token: Callable[[int], str]) -> None:
        self._token = token
        # By the identity of redacted parts, which minions share and which never change.
        self._json = RecentCache[int, tuple[Any, str]](MAX_TEXTS)
        self._yaml = RecentCache[tuple[str, int], tuple[Any, str]](MAX_TEXTS)

    def tagged(self, pillar: RedactedPillar, *, in_yaml: bool = False) -> Any:
        """Return the output of ``compile`` for a pillar, as data for ``json.dumps``.

        In YAML, keys such as ``$ref`` stay unchanged.
        """
        if pillar.raises is not None:
            return {"$raises": pillar.raises}
        return to_json(pillar.data, self._token, in_yaml=in_yaml)

    def as_json(self, pillar: RedactedPillar) -> str:
        """Return a pillar as one line of JSON."""
        if not _is_plain(pillar):
            return write_as_salt(self.tagged(pillar))
        members = (
            f"{json.dumps(key, ensure_ascii=False)}: {self._json_of(item)}"
            for key, item in pillar.data.items()
        )
        return "{" + ", ".join(members) + "}"

    def as_yaml(self, pillar: RedactedPillar) -> str:
        """Return a pillar as YAML; types that YAML lacks are tagged as in JSON."""
        if not pillar.data or not _is_plain(pillar):
            return dump_yaml(self.tagged(pillar, in_yaml=True))
        return "".join(self._yaml_of(key, item) for key, item in pillar.data.items())

    def _json_of(self, data: Any) -> str:
        known: tuple[Any, str] | None = self._json.get(id(data))
        if known is None:  # the data is kept with its text, so that no other object gets its id
            text = write_as_salt(to_json(data, self._token))
            known = self._json[id(data)] = (data, text)
        return known[1]

    def _yaml_of(self, key: str, data: Any) -> str:
        known: tuple[Any, str] | None = self._yaml.get((key, id(data)))
        if known is None:
            # a plain text: the dumper takes no key that is not known
            text = dump_yaml({str(key): to_json(data, self._token, in_yaml=True)})
            known = self._yaml[key, id(data)] = (data, text)
        return known[1]


def dump_yaml(data: Any) -> str:
    """Return plain data as a YAML document in block style, keys in their order.

    Controls of the direction of text are escaped, because they let a line look like another one.
    """
    import yaml  # noqa: PLC0415 (most commands write no YAML)

    fast = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    try:
        text = _dump(data, fast)
    except UnicodeEncodeError:  # half of a surrogate pair, which only Python's own writes
        fast, text = yaml.SafeDumper, _dump(data, yaml.SafeDumper)
    if BIDI_CONTROL.search(text) is None:
        return text
    # Few pillars have them, so only then is each text looked at.
    return BIDI_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04X}", _dump(data, _quoting(fast)))


def _dump(data: Any, dumper: Any) -> str:
    import yaml  # noqa: PLC0415 (as above)

    written: str = yaml.dump(
        data,
        Dumper=dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=UNBROKEN,
    )
    return written


def _quoting(dumper: Any) -> Any:
    """Return a dumper with double quotes around texts in which controls are to be escaped."""

    class Quoting(dumper):  # type: ignore[misc]
        """Writes such texts in the only style that has escapes."""

    def represent(to: Any, text: str) -> Any:
        style = '"' if BIDI_CONTROL.search(text) else None
        return to.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Quoting.add_representer(str, represent)
    return Quoting


def _is_plain(pillar: RedactedPillar) -> bool:
    """Say whether a pillar has no tagged keys, so that its parts can be joined."""
    if pillar.raises is not None:
        return False
    return all(isinstance(key, str) and not key.startswith("$") for key in pillar.data)


def explained(
    pillar: RedactedPillar, leaves: Sequence[RedactedLeaf], token: Callable[[int], str]
) -> dict[str, Any]:
    """Return the origins of a minion's values, as data for ``json.dumps``."""
    return {
        "schema": EXPLAIN_SCHEMA,
        "minion": pillar.minion,
        "outcome": pillar.outcome,
        "unknown": pillar.unknown,
        "absent": pillar.absent,
        "faults": list(pillar.faults),
        "targets": [
            {
                "target": target.target,
                "match": target.match,
                "saltenv": target.saltenv,
                "file": target.file,
                "line": target.line,
                "matched": target.matched,
                "sls": list(target.sls),
            }
            for target in pillar.targets
        ],
        "values": list(values_to_json(leaves, token)),
    }
