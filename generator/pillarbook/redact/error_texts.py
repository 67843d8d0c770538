"""Error texts without secrets: Salt's own texts quote ciphertext, values and source lines."""

import re
from collections.abc import Iterable

from pillarbook.compile.renderers.ciphertext import hide_messages
from pillarbook.compile.renderers.render_errors import MARK
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.patterns.plain_words import is_plain_word
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_search import SecretSearch
from pillarbook.redact.target_secrets import HIDDEN

SHORTEST = 4
"""Characters; shorter secrets are not searched, since they occur in many words by chance."""
MAX_REMARKS = 20_000
"""The most remarks that are cached; then the cache is emptied."""
PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----.*?"
    r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
WORD = re.compile(r"[^\s'\"`,;(){}\[\]<>|]+")
"""A part of a line that may have the form of a secret."""
PAIR = re.compile(
    r"""([A-Za-z_][\w.@-]*)(["']?[ \t]*[:=][ \t]*)("[^"\n]*"?|'[^'\n]*'?|[^\n,}\]]+)"""
)
"""A key and a value on one line of a quoted source."""


def scrub_text(
    text: str, secrets: Iterable[str], rules: Rules, search: SecretSearch | None = None
) -> str:
    """Return an error text in which secrets are replaced.

    From the second line on the text may quote a source. ``search`` finds secrets in every form.
    """
    text = PRIVATE_KEY.sub(HIDDEN, hide_messages(text, HIDDEN))
    if search is not None:
        text = search.replace(text, lambda _: HIDDEN)
    found = sorted({form for secret in secrets for form in _forms(secret) if form in text})
    for form in sorted(found, key=len, reverse=True):
        text = text.replace(form, HIDDEN)
    head, line_feed, quoted = text.partition("\n")
    quoted = PAIR.sub(lambda pair: _hide_value(pair, rules), quoted)
    lines = (_hide_line(line, rules) for line in quoted.split("\n"))
    return _hide_words(head, rules) + line_feed + "\n".join(lines)


class ScrubbedRemarks:
    """Cached remarks without secrets; minions of one role have the same remarks.

    The key is the text alone, so rules and search must stay the same until ``forget``.
    """

    def __init__(self) -> None:
        self._kept = LimitedCache[str, str](MAX_REMARKS)

    def scrub(self, text: str, rules: Rules, search: SecretSearch) -> str:
        """Return a remark in which secrets are replaced; it is about no minion's own secrets."""
        return recall(self._kept, text, lambda: scrub_text(text, (), rules, search))

    def forget(self) -> None:
        """Empty the cache, because the search looks for other secrets now."""
        self._kept.clear()


def _hide_words(text: str, rules: Rules) -> str:
    """Hide the words that are secret by their form, whatever the key is: tokens, URLs."""
    return WORD.sub(lambda word: HIDDEN if rules.has_form(word[0]) else word[0], text)


def _hide_line(line: str, rules: Rules) -> str:
    """Hide secrets in a quoted line by their form; the whole line if the form has several words.

    The indentation and the mark of the faulty line stay.
    """
    shown = _hide_words(line, rules)
    if not rules.has_form(shown):
        return shown
    bare = line.removesuffix(MARK)
    space = bare[: len(bare) - len(bare.lstrip())]
    return f"{space}{HIDDEN}{line[len(bare) :]}"


def _forms(secret: str) -> Iterable[str]:
    """Yield the texts by which a secret is found: itself, its lines, as Python writes it."""
    for form in {secret, secret.strip(), repr(secret)[1:-1], *secret.splitlines()}:
        if len(form.strip()) >= SHORTEST:
            yield form.strip()


def _hide_value(pair: "re.Match[str]", rules: Rules) -> str:
    key, between, value = pair.groups()
    bare = value.strip().removesuffix(MARK.strip()).strip().strip("\"'")
    is_named = rules.names_secret(key) is not None and not is_plain_word(bare)
    if not is_named and (not bare or rules.find_reason((key,), bare) is None):
        return pair.group()
    return f"{key}{between}{HIDDEN}"
