"""What the tests of sites share."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.publish.built import make_tree


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path)


@pytest.fixture(autouse=True)
def mkdocs_loggers() -> Iterator[None]:
    """Check that a build takes its handlers away again."""
    loggers = [logging.getLogger(name) for name in ("mkdocs", "pillarbook.publish")]
    before = [list(logger.handlers) for logger in loggers]
    yield
    assert [list(logger.handlers) for logger in loggers] == before
