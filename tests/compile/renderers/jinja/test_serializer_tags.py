"""The tags that load and import data, and what they share between renders."""

from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, TemplateSyntaxError
from jinja2.exceptions import TemplateRuntimeError
from tests.compile.renderers.jinja.stand_ins import make_environment

from pillarbook.compile.renderers.jinja.serializers import ParsedTexts, SerializerExtension
from pillarbook.compile.renderers.jinja.undefined import LenientUndefined
from pillarbook.compile.renderers.yaml_loader import load_plain

FILES = {
    "data.yaml": "k: [1]\nmode: 0755\n",
    "sized.yaml": "disks: {{ size }}\n",
    "limits.json": '{"nofile": {{ 1024 * 4 }}}',
    "motd.txt": "Welcome {{ 1 + 1 }}\n# kept\n",
    "broken.yaml": "a: [1\n",
    "uses.jinja": "{% import_yaml 'data.yaml' as data %}",
}


def environment_with_files(**options: Any) -> Environment:
    environment = make_environment(**options)
    environment.loader = DictLoader(FILES)
    return environment


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("{% import_yaml 'data.yaml' as d %}{{ d | json }}", '{"k": [1], "mode": 755}'),
        ("{% import_json 'limits.json' as d %}{{ d.nofile }}", "4096"),
        ("{% import_text 'motd.txt' as d %}{{ d | json }}", '"Welcome 2\\n# kept"'),
        ("{% import_yaml 'da' ~ 'ta.yaml' as d %}{{ d.k }}", "[1]"),
        ("{% set size = 3 %}{% import_yaml 'sized.yaml' as d with context %}{{ d.disks }}", "3"),
        ("{% from 'uses.jinja' import data %}{{ data.k }}", "[1]"),
        (
            "{% macro m() %}{% import_yaml 'data.yaml' as d %}{{ d.k }}{% endmacro %}{{ m() }}",
            "[1]",
        ),
    ],
)
def test_imports_data(source: str, printed: str) -> None:
    assert environment_with_files().from_string(source).render() == printed


def test_an_import_without_context_does_not_see_the_importers_names() -> None:
    source = "{% set size = 3 %}{% import_yaml 'sized.yaml' as d %}"
    with pytest.raises(TemplateRuntimeError, match="'size' is undefined"):
        environment_with_files().from_string(source).render()


def test_loaded_data_is_a_fresh_copy_each_time() -> None:
    source = (
        "{% import_yaml 'data.yaml' as one %}{% do one.k.append(2) %}"
        "{% import_yaml 'data.yaml' as two %}{{ one.k }} {{ two.k }}"
    )
    environment = environment_with_files()
    assert environment.from_string(source).render() == "[1, 2] [1]"
    assert environment.from_string(source).render() == "[1, 2] [1]"


def test_the_same_text_is_parsed_once_for_all_environments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[str] = []

    def count(text: str) -> Any:
        parsed.append(text)
        return load_plain(text)

    monkeypatch.setattr("pillarbook.compile.renderers.jinja.serializers.load_plain", count)
    shared = ParsedTexts()
    for _ in range(3):
        environment = environment_with_files()
        environment.parsed_texts = shared  # type: ignore[attr-defined]
        environment.from_string("{% import_yaml 'data.yaml' as d %}{{ d.k }}").render()
    assert parsed == ["k: [1]\nmode: 0755"]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a\n\n{% load_yaml as x %}\na: [1\n{% endload %}", 3),
        ("a\n{% import_yaml 'broken.yaml' as x %}", 2),
        ("a\n\n\n{{ '[1' | load_yaml }}", 4),
    ],
)
def test_an_error_is_on_the_line_of_the_tag(source: str, line: int) -> None:
    template = environment_with_files().from_string(source)
    with pytest.raises(TemplateRuntimeError, match="Encountered error loading yaml: ") as caught:
        template.render()
    lines = [entry.lineno for entry in caught.traceback if str(entry.path) == "<template>"]
    assert lines[0] + 1 == line


def test_an_unknown_load_tag_is_no_tag() -> None:
    with pytest.raises(TemplateSyntaxError, match="unknown tag 'load_xml'"):
        make_environment().from_string("{% load_xml as x %}{% endload %}")


def test_a_finalizer_of_the_environment_stays() -> None:
    environment = Environment(  # noqa: S701 (prints no HTML)
        extensions=[SerializerExtension], finalize=lambda value: f"<{value}>"
    )
    assert environment.from_string("{{ {} }}").render() == "<{}>"


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("{{ nothing | json | default('d') }}", None),
        ("{{ nothing | yaml }}", "NULL"),
        ("{{ {'a': nothing} | yaml }}", "{a: NULL}"),
        ("{{ nothing }}", ""),
        ("{{ [nothing] }}", "[Undefined]"),
    ],
)
def test_a_lenient_undefined_is_a_value_like_others(source: str, printed: str | None) -> None:
    template = make_environment(LenientUndefined).from_string(source)
    if printed is None:
        with pytest.raises(TypeError, match="not JSON serializable"):
            template.render()
    else:
        assert template.render() == printed


def test_joined_undefined_values_keep_their_class() -> None:
    class Own(StrictUndefined):
        pass

    environment = make_environment(Own)
    made = environment.filters["json"]([environment.undefined(name=name) for name in "ab"])
    assert type(made) is Own
    assert made._undefined_message == "'a' is undefined\n'b' is undefined"
