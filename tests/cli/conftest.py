"""All tests of commands: each works in an empty folder of its own."""

import pytest


@pytest.fixture(autouse=True)
def working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
