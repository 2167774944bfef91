"""What tests of sweeps share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clusters import Cluster


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    found = Cluster(tmp_path)
    yield found
    found.end()
