"""What is shown of the text of files: secrets nowhere, ordinary lines as they are."""

import time
from collections import Counter
from itertools import islice
from pathlib import Path

import jinja2
import pytest
from tests.sources.planted_source import planted, shows

from pillarbook.compile.renderers.jinja.literals import find_literals
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_search import SecretSearch
from pillarbook.redact.source_files import JudgedLines
from pillarbook.sources.source_entries import read_entries, read_inside
from pillarbook.sources.source_judge import SourceJudge
from pillarbook.sources.source_mask import SourceMask, Template

EXAMPLE = Path(__file__).parents[2] / "example/pillar"
READABLE = 0.9
"""The share of ordinary lines that are shown whole."""
HIDDEN = "▒"
UNJUDGED = JudgedLines()


def template(text: str) -> Template:
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])  # noqa: S701 (only parsed)
    try:
        return Template(text, find_literals(environment.parse(text)))
    except jinja2.TemplateSyntaxError:
        return Template(text, None)


def mask(text: str, lines: JudgedLines = UNJUDGED, *, known: tuple[str, ...] = ()) -> str:
    """Return a text as it is shown, with a sign for each part that is hidden."""
    masks = SourceMask(SourceJudge(Rules()), SecretSearch.of(enumerate(known)))
    return "\n".join(HIDDEN.join(line.parts) for line in masks.mask(template(text), lines))


@pytest.mark.slow
def test_no_secret_of_the_labelled_table_is_shown_wherever_it_is_planted() -> None:
    # Each secret in one of its forms by default, so that all forms come up many times.
    by_row: dict[str, list[tuple[str, str]]] = {}
    rows = {}
    for form, text, row in planted():
        by_row.setdefault(row.words, []).append((form, text))
        rows[row.words] = row
    assert len(rows) >= 500
    shown = [
        (form, words)
        for at, (words, forms) in enumerate(by_row.items())
        for form, text in [forms[at % len(forms)]]
        if shows(mask(f"a: 1\n{text}\nb: 2"), rows[words])
    ]
    assert shown == []


@pytest.mark.slow
def test_no_secret_is_shown_in_any_form() -> None:
    tried: Counter[str] = Counter()
    for form, text, row in planted():
        tried[form] += 1
        assert not shows(mask(f"a: 1\n{text}\nb: 2"), row), (form, row.words)
    assert min(tried.values()) >= 50
    assert tried.total() >= 8_000


def test_ordinary_lines_of_the_example_are_readable_if_no_compile_has_judged_them() -> None:
    ordinary = shown = 0
    for file in sorted(path for path in EXAMPLE.rglob("*") if path.is_file()):
        text = file.read_text(encoding="utf-8")
        for line, masked in zip(text.split("\n"), mask(text).split("\n"), strict=True):
            if line.strip() and not is_secret(line):
                ordinary += 1
                shown += line == masked
    assert ordinary > 500
    assert shown >= READABLE * ordinary


def is_secret(line: str) -> bool:
    """Say whether a line of the example is, or belongs to, a secret."""
    bare = line.strip()
    is_armor = bare.startswith(("-----", "=")) or (len(bare) > 40 and " " not in bare)
    return is_armor or "test-only" in bare or "$6$" in bare


ROWS = {
    "a password in a comment": ("# password: Sommerregen", "▒"),
    "a comment that names one": ("# the old password\n# Sommerregen", "▒\n▒"),
    "a branch": (
        "{% if x %}\ndb_password: Sommer\n{% endif %}",
        "{% if x %}\ndb_password: ▒\n{% endif %}",
    ),
    "a literal by its name": ("{% set api_token = 'kiebitz' %}", "{% set api_token = ▒ %}"),
    "a literal of odd signs": ("{% set x = 'aB3xY9kk' %}", "{% set x = ▒ %}"),
    "a plain literal": ("{% set name = 'wildcard' %}", "{% set name = 'wildcard' %}"),
    "a list": ("tokens:\n  - kiebitz\n  - lerche", "tokens:\n  - ▒\n  - ▒"),
    "what is commented out below a key": (
        "passwords:\n  # anna: lerche",
        "passwords:\n  # anna: ▒",
    ),
    "a name beside": ("- name: DB_PASSWORD\n  value: lerche", "- name: DB_PASSWORD\n  value: ▒"),
    "an option before it": (
        "{% if false %}\nargs: [app, --db-password, lerche, -v]\n{% endif %}",
        "{% if false %}\nargs: [app, --db-password, ▒, -v]\n{% endif %}",
    ),
    "an option on the line before": (
        "args:\n- --db-password\n- lerche\n- --port\n- 80",
        "args:\n- --db-password\n- ▒\n- --port\n- 80",
    ),
    "a copy of what is hidden": ("# token: k9Xz-77aQ\nmotd: k9Xz-77aQ", "▒\nmotd: ▒"),
    "a text on several lines": ("password: |\n  lerche\n  amsel", "password: ▒\n  ▒\n  ▒"),
    "eyaml": ("x: >\n  ENC[PKCS7,MIIB\n  abc]", "x: ▒\n  ▒\n  ▒"),
    "a private key in a comment": (
        "# -----BEGIN RSA PRIVATE KEY-----\n# abcd\n# -----END RSA PRIVATE KEY-----\na: 1",
        "▒\n▒\n▒\na: 1",
    ),
    "an expression under a secret's key": ("token: {{ x.token }}", "token: {{ x.token }}"),
    "a default under a secret's key": ("token: {{ x or 'amsel' }}", "token: {{ x or ▒ }}"),
    "an argument by its place": (
        "{% macro m(user, password) %}{% endmacro %}\nx: 1{{ m('ann', 'kiebitz') }}",
        "{% macro m(user, password) %}{% endmacro %}\nx: 1{{ m('ann', ▒) }}",
    ),
    "an argument of a call block": (
        "{% macro m(password) %}{% endmacro %}{% call m('kiebitz') %}{% endcall %}",
        "{% macro m(password) %}{% endmacro %}{% call m(▒) %}{% endcall %}",
    ),
    "an argument before its macro": (
        "{{ m('kiebitz' ~ x) }}{% macro m(password) %}{% endmacro %}",
        "{{ m(▒ ~ x) }}{% macro m(password) %}{% endmacro %}",
    ),
    "a member of an argument": (
        "{% macro m(tokens) %}{% endmacro %}{{ m(['kiebitz', 'lerche']) }}",
        "{% macro m(tokens) %}{% endmacro %}{{ m([▒, ▒]) }}",
    ),
    "a number": ("{% set pin = 4711 %}", "{% set pin = ▒ %}"),
    "ordinary": ("port: 8000  # behind nginx", "port: 8000  # behind nginx"),
}


def test_what_is_hidden() -> None:
    for name, (text, expected) in ROWS.items():
        assert mask(text) == expected, name


def test_a_line_whose_values_are_shown_elsewhere_is_shown() -> None:
    text = "selector: tea2024\nother: tea2025"
    assert mask(text, JudgedLines(shown={1})) == "selector: tea2024\nother: ▒"


def test_a_comment_behind_such_a_line_is_judged_all_the_same() -> None:
    text = "selector: tea2024  # token k9Xz-77aQ"
    assert mask(text, JudgedLines(shown={1})) == "selector: tea2024  #▒"


def test_a_literal_on_such_a_line_is_judged_all_the_same() -> None:
    text = "selector: {{ 'tea2024' if x else 'k9Xz-77aQ' }}"
    assert "k9Xz" not in mask(text, JudgedLines(shown={1}))


def test_a_line_of_such_a_text_that_nobody_rendered_is_judged_all_the_same() -> None:
    text = "motd: |\n  tea2024\n  {% if x %}\n  k9Xz-77aQ\n  {% endif %}"
    shown = mask(text, JudgedLines(shown={1}, unrendered={4}))
    assert shown == "motd: |\n  tea2024\n  {% if x %}\n  ▒\n  {% endif %}"


def test_a_long_line_of_a_comment_is_hidden_and_not_searched_behind_each_name() -> None:
    searched = 0

    class CountingRules(Rules):
        def has_form(self, text: str) -> bool:
            nonlocal searched
            searched += len(text)
            return super().has_form(text)

    line = "a: 1 # " + ", ".join(f"n{number}: {number}" for number in range(3_000))
    masks = SourceMask(SourceJudge(CountingRules()), SecretSearch.of(()))
    (shown,) = masks.mask(template(line), UNJUDGED)
    assert shown.parts[0] == "a: 1 #"
    assert searched < 3 * len(line)


def test_the_value_of_a_line_that_the_redactor_hid_is_hidden() -> None:
    text = "app:\n  mode: kiebitz\n  other: lerche"
    shown = mask(text, JudgedLines(shown={2, 3}, secret={2}))
    assert shown == "app:\n  mode: ▒\n  other: lerche"


@pytest.mark.parametrize(
    "text",
    ["motd: the k9Xz-77aQ of it", "motd: azlYei03N2FR", "motd: >\n  the\n  k9Xz-77aQ"],
    ids=["as it is", "in base64", "on a line of its own"],
)
def test_a_known_secret_is_hidden_in_any_form(text: str) -> None:
    shown = mask(text, JudgedLines(shown={1, 2, 3}), known=("k9Xz-77aQ",))
    assert HIDDEN in shown
    assert "k9Xz" not in shown
    assert "azlYei" not in shown


def test_a_known_secret_that_yaml_folds_is_hidden() -> None:
    text = "motd: correct horse\n  battery staple 77\nport: 80"
    shown = mask(text, JudgedLines(shown={1}), known=("correct horse battery staple 77",))
    assert "horse" not in shown
    assert "staple" not in shown
    assert shown.endswith("port: 80")


def test_a_line_of_two_secrets_hides_no_line_above_it() -> None:
    known = ("k9Xz-77aQ-first one\nline-of-Both-44", "k9Xz-77aQ-other one\nline-of-Both-44")
    text = "#!yaml\nport: 80\nmotd: |\n  k9Xz-77aQ-first one\n  line-of-Both-44"
    shown = mask(text, JudgedLines(shown={1, 2, 3}), known=known)
    assert shown.startswith("#!yaml\nport: 80\nmotd: |\n")
    assert "77aQ" not in shown
    assert "Both" not in shown


def test_what_is_hidden_of_one_file_is_hidden_in_others() -> None:
    masks = SourceMask(SourceJudge(Rules()), SecretSearch.of(()))
    found = masks.find_secrets(template("# token: k9Xz-77aQ"), UNJUDGED)
    assert found == ("k9Xz-77aQ",)
    other = template("motd: k9Xz-77aQ")
    lines = masks.mask(other, JudgedLines(shown={1}), SecretSearch.of(enumerate(found)))
    assert "k9Xz" not in "".join(lines[0].parts)


def test_allowed_keys_are_shown() -> None:
    masks = SourceMask(SourceJudge(Rules(allow=["app:api_token"])), SecretSearch.of(()))
    (_, line) = masks.mask(template("app:\n  api_token: kiebitz"), UNJUDGED)
    assert line.parts == ("  api_token: kiebitz",)


def test_patterns_of_values_count_on_every_line() -> None:
    masks = SourceMask(SourceJudge(Rules(values=["lerche"])), SecretSearch.of(()))
    lines = masks.mask(template("# the lerche sings\nbird: lerche"), JudgedLines(shown={2}))
    assert "lerche" not in "".join(part for line in lines for part in line.parts)


@pytest.mark.slow
def test_no_line_is_lost() -> None:
    for _, text, _ in islice(planted(), 0, None, 97):
        assert len(mask(text).split("\n")) == len(text.split("\n"))


def test_a_comment_of_a_template_costs_what_it_is_long() -> None:
    text = "a: 1\n" * 20_000 + "b: {# password: x #}\n"
    begun = time.process_time()
    list(read_entries(text))
    whole, start = time.process_time() - begun, text.index("{#") + 2
    begun = time.process_time()
    found = [read_inside(text, start, start + 13) for _ in range(50)]
    assert time.process_time() - begun < whole
    (entry,) = found[0]
    assert (entry.path, entry.text, entry.line) == (("password",), "x", 20_000)
    assert text[entry.start : entry.end].strip() == "x"


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("include:\n  - web.vhost:\n      key: nginx\n", True),
        ("include:\n  - web.vhost:\n      key: nginx:sites\n      defaults: {port: 80}\n", True),
        ("include:\n  - web.vhost:\n      key: Tr0ub4dor-3x\n", False),
        ("include:\n  - web.vhost:\n      defaults:\n        password: nginx\n", False),
        ("web:\n  - vhost:\n      key: nginx\n", False),
        ("include:\n  key: nginx\n", False),
    ],
)
def test_the_key_that_an_include_nests_below_is_shown(text: str, is_shown: bool) -> None:
    assert (HIDDEN not in mask(text)) is is_shown


def test_what_is_only_unusual_in_a_comment_is_shown_where_the_pillar_shows_it() -> None:
    text = "# address6mask: fdf3:2049::a22/64\nnet:\n  address6mask: fdf3:2049::a22/64"
    assert mask(text, JudgedLines(shown={3})).endswith("\n  address6mask: fdf3:2049::a22/64")
    masks = SourceMask(SourceJudge(Rules()), SecretSearch.of(()))
    assert masks.find_secrets(template("# Xk7p-77aQ-Lm9R\n# mode: Xk7p-77aQ"), UNJUDGED) == ()
