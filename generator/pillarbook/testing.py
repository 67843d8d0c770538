"""A pytest plugin for the tests of a pillar repository.

Its ``conftest.py`` says ``pytest_plugins = ["pillarbook.testing"]``. The plugin has no entry point:
pytest would then load pillarbook in every project that has it installed.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pillarbook.api import PillarSession, open_session
from pillarbook.inventory.settings import Settings

CONFIGURATION = "mkdocs.yml"


@pytest.fixture(scope="session")
def pillar_config(pytestconfig: pytest.Config) -> Settings | Path | str:
    """Return the configuration of the repository: ``mkdocs.yml`` above or beside the tests.

    A repository that has it elsewhere has a fixture of this name in its ``conftest.py``.
    """
    # Without a pytest.ini, pytest's root folder is that of the tests which were named.
    top = pytestconfig.rootpath
    for folder in (top, *top.parents):
        if (folder / CONFIGURATION).is_file():
            return folder / CONFIGURATION
        if (folder / ".git").exists():  # whatever is above is not the repository's
            break
    pytest.fail(
        f"there is no {CONFIGURATION} in {top} or above it in the repository; return its path from "
        "a session fixture named pillar_config",
        pytrace=False,
    )


@pytest.fixture(scope="session")
def pillar(pillar_config: Settings | Path | str) -> Iterator[PillarSession]:
    """Return a session over the repository's configuration, opened once in a test run."""
    with open_session(pillar_config) as session:
        yield session
