"""The rows of a pillar."""

from tests.report.sample import leaf, origin

from pillarbook.redact.model import Redacted
from pillarbook.report.rows import Rows, write_row


def token(place: int) -> str:
    return f"t{place}"


def test_a_row_has_path_value_and_place() -> None:
    html = write_row(leaf(("nginx", "workers"), 8), token)
    assert '<tr id="k-nginx.workers">' in html
    assert 'href="#k-nginx.workers"><span>nginx.</span><b>workers</b></a>' in html
    assert '<code class="other">8</code>' in html
    assert "<code>pillar/base/app.sls:3</code> <small>base: app</small>" in html
    assert "overrode" not in html


def test_overridden_values_stand_oldest_first_with_their_places() -> None:
    html = write_row(
        leaf(
            ("a",),
            "new",
            origin("oldest", "first.sls", 1),
            origin(Redacted("gpg renderer", 4), "second.sls", None),
        ),
        token,
    )
    assert html.index("app.sls:3") < html.index("oldest") < html.index("first.sls:1")
    assert html.index("first.sls:1") < html.index("t4") < html.index("<code>second.sls</code>")


def test_a_top_level_key_heads_a_section() -> None:
    leaves = [leaf(("a", "x"), 1), leaf(("a", "y"), 2), leaf(("b",), 3), leaf((1, "z"), 4)]
    html = [section.html for section in Rows(token).sections(leaves)]
    assert [part.count("<tbody>") for part in html] == [1, 1, 1]
    assert 'id="k-a" class="section"' in html[0]
    assert "2 values" in html[0]
    assert "section" not in html[1]
    assert "1 value<" in html[2]


def test_equal_keys_of_two_types_are_two_sections() -> None:
    assert len(Rows(token).sections([leaf((1, "x"), 1), leaf((True, "x"), 2)])) == 2


def test_shared_leaves_are_written_once() -> None:
    asked: list[int] = []

    def count(place: int) -> str:
        asked.append(place)
        return "t"

    rows = Rows(count)
    shared, other = leaf(("a", "x"), Redacted("gpg", 1)), leaf(("a", "y"), Redacted("gpg", 2))
    first, again = rows.sections([shared]), rows.sections([shared])
    assert first[0] is again[0]
    assert first[0].secrets == (1,)
    rows.sections([shared, other])
    assert asked == [1, 2]


def test_what_is_kept_is_bounded_and_never_taken_for_something_else() -> None:
    rows = Rows(token, most_kept=3)
    for number in range(200):
        section = rows.sections([leaf(("a", "x"), number), leaf(("a", "y"), -number)])[0]
        assert f">{number}</code>" in section.html
        assert len(rows._rows) <= 4
        assert len(rows._sections) <= 2
