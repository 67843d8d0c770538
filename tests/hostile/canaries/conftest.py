"""The planted tree, compiled and built once with keys and once without.

It holds fewer canaries by default than with ``--all``, and fewer commands run over it.
"""

import shutil

import pytest
from tests.hostile.canaries.garden import Garden
from tests.hostile.canaries.harvest import Harvest, reap
from tests.hostile.canaries.plant import COUNT, FEW, plant
from tests.support.tiers import is_thorough


@pytest.fixture(scope="session")
def garden(request: pytest.FixtureRequest) -> Garden:
    if shutil.which("gpg") is None:
        pytest.skip("needs the gpg program")
    return plant(COUNT if is_thorough(request.config) else FEW)


@pytest.fixture(scope="session")
def opened(
    garden: Garden, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Harvest:
    thorough = is_thorough(request.config)
    return reap(garden, tmp_path_factory.mktemp("opened"), decrypt=True, thorough=thorough)


@pytest.fixture(scope="session")
def sealed(
    garden: Garden, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Harvest:
    thorough = is_thorough(request.config)
    return reap(garden, tmp_path_factory.mktemp("sealed"), decrypt=False, thorough=thorough)
