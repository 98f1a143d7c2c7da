"""Tests that start programs are left out of `make quick`, whoever writes them."""

import pytest

# Fixtures that start programs; others that do stand on these.
STARTERS = frozenset({"warm", "browser", "engine", "editor", "tools"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and STARTERS.intersection(item.fixturenames):
            item.add_marker("process")
