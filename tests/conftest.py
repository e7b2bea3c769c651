"""All tests: the naive reference is importable, compiled kernels are kept beside the checkout's virtual environment."""

import sys
from pathlib import Path

import hypothesis
import pytest

sys.path.insert(0, str(Path(__file__).parent))

# An example that takes long on a busy machine is not wrong.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

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
