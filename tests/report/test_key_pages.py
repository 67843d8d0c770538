"""The pages of keys: descriptions, links to lines, environments and states."""

import re
from pathlib import Path

import pytest
from tests.report.reader import Reader
from tests.report.test_states import pages_of

MASTER = {"pillar_roots": {"base": ["pillar"]}, "file_roots": {"base": ["states"]}}


def describe(tmp_path: Path, comment: str, rest: str = "  workers: 4\n") -> str:
    """Return what the page of a top-level key says of the keys below it, above their values."""
    files = {"pillar/all.sls": f"app:\n{comment}{rest}"}
    page = pages_of(tmp_path, MASTER, **files)["keys/app.html"]
    return " ".join(re.findall(r"<p>([^<]*)</p></th>", page))


COMMENTS = {
    "a comment": ("  # Number of processes.\n", "Number of processes."),
    "several lines": ("  # Number of\n  #  processes; raise it\n", "Number of processes; raise it"),
    "none": ("", ""),
    "of the key before only": ("  # The name.\n  name: x\n", "The name."),
    "with an empty line between": ("  # All settings.\n\n", ""),
    "of the key above": ("# About the rest.\n", ""),
    "a setting that was taken out": ("  # workers: 8\n", ""),
    "prose and a setting": ("  # The processes\n  # workers: 8\n", ""),
    "a line of a list": ("  # - eight\n", ""),
    "a template": ("  # {{ grains.id }} needs more\n", ""),
    "a rule only": ("  # ------\n", ""),
    "for an editor": ("  # vim:ft=yaml sw=2\n", ""),
    "for a linter": ("  # yamllint disable-line\n", ""),
    "a secret": ("  # password is s3kR1t-Hunter2!\n", ""),
    "a token": ("  # see ghp_16C7e42F292c6912E7710c838347Ae178B4a\n", ""),
    "markup": ("  # <b>bold</b> words\n", ""),
}


@pytest.mark.sample(6)
@pytest.mark.parametrize(("comment", "expected"), COMMENTS.values(), ids=COMMENTS)
def test_a_key_is_described_by_the_comment_above_it(
    comment: str, expected: str, tmp_path: Path
) -> None:
    assert describe(tmp_path, comment) == expected


def test_a_list_is_described_by_the_comment_above_its_key(tmp_path: Path) -> None:
    rest = "  servers:\n  - one\n  - two\n"
    assert describe(tmp_path, "  # Where requests go.\n", rest) == "Where requests go."


def test_lines_link_to_their_files(tmp_path: Path) -> None:
    files = {
        "pillar/all.sls": "app:\n  workers: 4\nmotd: hi\n",
        "pillar/db.sls": "app: {workers: 8}\n",
    }
    pages = pages_of(tmp_path, MASTER, **files)
    own = Reader(pages["keys/app~workers.html"])
    assert {"../sls/base/db.html#L1", "../sls/base/all.html#L2"} <= set(own.links)
    assert own.row("8|") == "|8|a|pillar/db.sls:1 base: dboverrides 4 pillar/all.sls:2 base: all"
    for uri in ("keys/app~workers.html", "keys/app.html", "keys/motd.html", "keys/index.html"):
        for link in Reader(pages[uri]).links:
            address, _, anchor = link.partition("#")
            target = str(Path("/keys", address).resolve()).lstrip("/") if address else uri
            assert not anchor or anchor in Reader(pages[target]).ids, (uri, link)
    assert "../keys/app.html#k-app.workers" in Reader(pages["minions/a.html"]).links


def test_a_page_of_a_blank_key_has_a_heading(tmp_path: Path) -> None:
    pages = pages_of(tmp_path, MASTER, **{"pillar/all.sls": "'': {a: 1}\n' ': {b: {c: 1}}\n"})
    own = [page for uri, page in pages.items() if uri.startswith("keys/") and "index" not in uri]
    heads = [re.sub("<[^>]*>", "", re.findall("<h1.*?</h1>", page)[0]) for page in own]
    assert sorted(heads) == ["Keys below &#34; &#34;", "Keys below &#34;&#34;", "Keys below db"]


@pytest.mark.slow
def test_the_pages_of_many_keys_are_called_by_what_is_on_them(tmp_path: Path) -> None:
    def keys(count: int, name: str) -> str:
        return "".join(f"  {name}{number:04}: {number}\n" for number in range(count))

    text = f"alpha:\n{keys(700, 'a')}beta:\n{keys(700, 'b')}gamma:\n{keys(700, 'c')}"
    pages = pages_of(tmp_path, MASTER, **{"pillar/all.sls": text})
    for name in ("keys/index.html", "keys/index~3.html"):
        for words in ("alpha … beta", "beta … gamma", "gamma"):
            assert words in Reader(pages[name]).text
    assert "gamma:c0699" in Reader(pages["keys/index~3.html"]).text


def test_a_large_key_is_a_list_that_leads_to_its_parts(tmp_path: Path) -> None:
    keys = "".join(f"  key{number:03}:\n    port: {number}\n" for number in range(260))
    pages = pages_of(tmp_path, MASTER, **{"pillar/all.sls": f"services:\n{keys}"})
    brief = Reader(pages["keys/services.html"])
    anchors = {f"k-services.key{number:03}.port" for number in range(260)}
    assert anchors == {one for one in brief.ids if one.startswith("k-services.")}
    assert "services~1.html#k-services.key249.port" in brief.links
    assert "services~2.html#k-services.key250.port" in brief.links
    assert "services:key007:port|integer|2|7" in brief.row("services:key007:port")
    parts = [Reader(pages[f"keys/services~{number}.html"]) for number in (1, 2)]
    assert [len(anchors & set(part.ids)) for part in parts] == [250, 10]
    assert "services.html" in parts[1].links
    assert "pillar/all.sls:521" in parts[1].row("259|")


def test_a_key_of_few_does_not_repeat_whom_its_values_name(tmp_path: Path) -> None:
    minions: dict[str, dict[str, str]] = {f"m{number:02}": {} for number in range(20)}
    few = "{% if grains.id in ['m00', 'm03', 'm07', 'm11', 'm15'] %}beta: true{% endif %}"
    page = pages_of(tmp_path, MASTER, minions, **{"pillar/all.sls": f"a: 1\n{few}\n"})
    text = Reader(page["keys/beta.html"]).text
    assert "m00, m03, m07, m11, m15" in text
    assert "et on all except" not in text
    assert "et only on" not in text
