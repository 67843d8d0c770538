"""What a configuration may do, and where its options stand."""

from pathlib import Path

import pytest

from pillarbook.publish.configuration import (
    ConfigurationError,
    UntrustedConfigurationError,
    read_configuration,
)
from pillarbook.publish.trust import refuse_untrusted

PLAIN = """\
site_name: Test
docs_dir: pages
theme: {name: pillarbook}
plugins:
  - search
  - pillarbook:
      master: master
      redact:
        keys: [a,
               b]
markdown_extensions: [tables, toc: {permalink: true}]
"""


def write(folder: Path, text: str, name: str = "mkdocs.yml") -> Path:
    (folder / "pages").mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def refuse(folder: Path, text: str) -> str:
    with pytest.raises(UntrustedConfigurationError) as caught:
        refuse_untrusted(read_configuration(write(folder, text)))
    return str(caught.value).removeprefix(f"{folder}/")


def test_a_plain_configuration_passes(tmp_path: Path) -> None:
    refuse_untrusted(read_configuration(write(tmp_path, PLAIN)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("site_name: x\nhooks: [a.py]\n", "mkdocs.yml:2: hooks run"),
        ("a: &a {hooks: [a.py]}\n<<: *a\n", "hooks run"),
        ("site_name: !!python/object/apply:os.system [id]\n", "mkdocs.yml:1: a Python tag"),
        ("x: [{y: !!python/name:os.system ''}]\n", "mkdocs.yml:1: a Python tag"),
        ("site_name: x\nsite_author: !ENV SECRET\n", "mkdocs.yml:2: !ENV"),
        ("plugins:\n  - pillarbook\n  - macros\n", "mkdocs.yml:3: the plugin macros"),
        ("plugins:\n  pillarbook: {}\n  exec: {}\n", "mkdocs.yml:3: the plugin exec"),
        ("plugins: [/gen-files]\n", "mkdocs.yml:1: the plugin /gen-files"),
        ("markdown_extensions:\n- 'subprocess:Popen': {args: id}\n", "mkdocs.yml:2: the Markdown"),
        ("theme:\n  custom_dir: mine\n", "mkdocs.yml:2: templates of a theme"),
        ("extra_templates: [a.html]\n", "mkdocs.yml:1: extra templates"),
        ("docs_dir: ../..\n", "mkdocs.yml:1: "),
        ("site_name: x\nsite_dir: /somewhere\n", "mkdocs.yml:2: /somewhere leads outside"),
    ],
)
def test_what_needs_trust_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    message = refuse(tmp_path, text)
    assert message.startswith(expected) or expected in message
    assert message.endswith("add --trust if you trust this tree")


def test_a_command_may_name_the_site_folder(tmp_path: Path) -> None:
    file = write(tmp_path, "docs_dir: pages\nsite_dir: /somewhere\n")
    refuse_untrusted(read_configuration(file), own_site_dir=False)


def test_inside_is_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "report").mkdir()
    (tmp_path / "pages").mkdir()
    file = write(tmp_path / "report", "docs_dir: ../pages\nsite_dir: ../site\n")
    refuse_untrusted(read_configuration(file))


def test_links_among_the_pages_stay_inside(tmp_path: Path) -> None:
    inner = tmp_path / "tree"
    inner.mkdir()
    file = write(inner, "docs_dir: pages\n")
    (tmp_path / "secret").write_text("s")
    (inner / "pages/fine.md").symlink_to(file)
    refuse_untrusted(read_configuration(file))
    (inner / "pages/link.md").symlink_to(tmp_path / "secret")
    with pytest.raises(UntrustedConfigurationError, match=r"link\.md leads outside"):
        refuse_untrusted(read_configuration(file))


def test_an_inherited_configuration_counts(tmp_path: Path) -> None:
    write(tmp_path, "hooks: [a.py]\n", "parent.yml")
    assert refuse(tmp_path, "INHERIT: parent.yml\n").endswith("tree")


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [\n", "mkdocs.yml:1: the MkDocs configuration is not YAML: "),
        ("a: \t- b\n  c", "mkdocs.yml:1:5: the MkDocs configuration is not YAML: "),
        ("- a\n", "mkdocs.yml:1: a MkDocs configuration is a mapping"),
        ("", "mkdocs.yml:1: a MkDocs configuration is a mapping"),
        ("? [a]\n: b\n", "mkdocs.yml:1:3: the MkDocs configuration is not YAML: found unhash"),
        ("a: 2020-13-45\n", "mkdocs.yml:1: the MkDocs configuration holds a value that "),
        ("[" * 5000, "mkdocs.yml: the MkDocs configuration is nested too deeply"),
        ("INHERIT: other.yml\n", "mkdocs.yml:1: there is no "),
        ("INHERIT: mkdocs.yml\n", "mkdocs.yml:1: mkdocs.yml inherits from itself"),
        ("INHERIT: [a]\n", "mkdocs.yml:1: INHERIT must be"),
    ],
)
def test_a_broken_configuration_is_one_message_with_its_place(
    tmp_path: Path, text: str, expected: str
) -> None:
    file = write(tmp_path, text)
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(file)
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(expected)


def test_a_missing_configuration_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no "):
        read_configuration(tmp_path / "mkdocs.yml")


def test_bytes_that_are_no_text_are_one_message(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_bytes(b"site_name: \xff\n")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read_configuration(tmp_path / "mkdocs.yml")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("master",), 7),
        (("redact", "keys"), 9),
        (("redact", "keys", 1), 10),
        (("redact", "nothing"), 8),
        (("inventory",), 6),
        ((), 6),
    ],
)
def test_an_option_is_found(tmp_path: Path, path: tuple[str | int, ...], line: int) -> None:
    configuration = read_configuration(write(tmp_path, PLAIN))[0]
    assert configuration.position_in_plugin(path).line == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x: y\nplugins:\n  pillarbook:\n    master: m\n", 4),
        ("x: y\nplugins:\n  - pillarbook\n", 3),
        ("x: y\nplugins: [search]\n", 2),
        ("x: y\n", 1),
    ],
)
def test_the_plugin_may_be_listed_in_other_forms(tmp_path: Path, text: str, line: int) -> None:
    configuration = read_configuration(write(tmp_path, text))[0]
    assert configuration.position_in_plugin(("master",)).line == line
