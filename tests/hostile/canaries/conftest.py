"""The planted tree, compiled and built once with keys and once without."""

import shutil

import pytest
from tests.hostile.canaries.garden import Garden
from tests.hostile.canaries.harvest import Harvest, reap
from tests.hostile.canaries.plant import plant


@pytest.fixture(scope="session")
def garden() -> Garden:
    if shutil.which("gpg") is None:
        pytest.skip("needs the gpg program")
    return plant()


@pytest.fixture(scope="session")
def opened(garden: Garden, tmp_path_factory: pytest.TempPathFactory) -> Harvest:
    return reap(garden, tmp_path_factory.mktemp("opened"), decrypt=True)


@pytest.fixture(scope="session")
def sealed(garden: Garden, tmp_path_factory: pytest.TempPathFactory) -> Harvest:
    return reap(garden, tmp_path_factory.mktemp("sealed"), decrypt=False)
