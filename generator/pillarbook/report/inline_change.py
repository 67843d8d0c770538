"""A changed value on one line of Markdown or HTML."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pillarbook.compare.change import Change
from pillarbook.compare.secret_pairs import describe_secrets
from pillarbook.model import to_tagged
from pillarbook.model.phrases import clip_middle, clip_pair, describe_move
from pillarbook.redact import Redacted
from pillarbook.report.diff_wording import describe_lines
from pillarbook.report.few_values import show_few
from pillarbook.report.value_html import TokenOf

MAX_VALUE = 80
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True)
class InlineChange:
    """Writes changes without their paths."""

    token: TokenOf
    """Gives tokens of secrets."""
    code: Callable[[str], str]
    """Writes text of a tree."""
    words: Callable[[str], str]
    """Writes prose."""

    def write(self, change: Change, secrets: str | None = None) -> str:
        """Return a change of a value.

        ``secrets`` is what is known of its two secrets; None to find it out.
        """
        before, after = change.before, change.after
        if change.kind == "reordered":
            return "order of keys changed"
        if change.kind == "moved":
            return f"{self._show(after)} {describe_move(change.moved_from, change.moved_to)}"
        if change.kind in ("added", "removed"):
            return f"{change.kind}: {self._show(after if change.kind == 'added' else before)}"
        if isinstance(before, Redacted) and isinstance(after, Redacted):
            tokens = f"token {self.token(before.secret_id)} → {self.token(after.secret_id)}"
            return f"{secrets or describe_secrets(change)} ({tokens})"
        return describe_lines(before, after, self.code) or self._show_two(before, after)

    def _show_two(self, before: object, after: object) -> str:
        if isinstance(before, str) and isinstance(after, str) and before and after:
            return " → ".join(map(self.code, clip_pair(before, after, MAX_VALUE)))
        return f"{self._show(before, as_json=True)} → {self._show(after, as_json=True)}"

    def _show(self, value: object, *, as_json: bool = False) -> str:
        if isinstance(value, Redacted):
            return f"{self.words(value.reason)}, token {self.token(value.secret_id)}"
        if isinstance(value, Mapping | list | tuple):
            text = show_few(value, self.token)
            return self.code(text) if text[0] in "{[" else text
        is_plain = isinstance(value, str) and value and "\n" not in value and not as_json
        text = str(value) if is_plain else json.dumps(to_tagged(value), ensure_ascii=False)
        return self.code(clip_middle(text, MAX_VALUE))
