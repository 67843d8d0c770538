"""What the page of a key says of other environments."""

import pytest
from tests.report.environment import page_environment
from tests.report.reader import Reader
from tests.report.sample import SampleBook, filled
from tests.report.test_environments import BASE, STAGING

from pillarbook.report.report import Report


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (("a\nb", "c"), 'removed: "a\\nb" on m0; removed: c on m1'),
        ("abcde", "5 different values on"),
    ],
)
def test_what_one_environment_lacks_takes_one_line(values: tuple[str, ...], told: str) -> None:
    pillars = {f"m{n}": filled(f"m{n}", {"k": one}) for n, one in enumerate(values)}
    book = SampleBook(
        pillars,
        environments=(BASE, STAGING),
        elsewhere={(STAGING.name, name): filled(name, {"x": 1}) for name in pillars},
    )
    report = Report(book, page_environment())
    pages = list(report.pages)
    for page in pages:
        html = report.write(page)
        pages += report.further(page)
        if page.uri == "keys/k.html":
            assert told in Reader(html).text.replace("\n", "")
            return
    pytest.fail("the key has no page")
