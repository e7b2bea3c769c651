"""All tests: the naive reference is importable, compiled kernels are kept beside the checkout's virtual environment."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# Random numbers are made by arithmetic that wraps around; without compilation numpy says so each time.
WRAPS = ("pinchsim.rng", "pinchsim.games.pinch.shadow", "pinchsim_strategy_uniform_.*")


def pytest_collection_modifyitems(items):
    """Where wrapping around is meant, its warnings are no errors."""
    for item in items:
        for module in WRAPS:
            item.add_marker(pytest.mark.filterwarnings(f"ignore:overflow encountered:RuntimeWarning:{module}"))


@pytest.fixture(scope="session")
def cluster():
    """A cluster of two processes, for tests of the group "cluster" (`tests.lab.clusters`)."""
    from tests.lab.clusters import two_processes

    with two_processes() as there:
        yield there
