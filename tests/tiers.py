"""The tests that `make quick` and `make test` leave out."""

import pytest

# Fixtures that start programs; others that do stand on these.
STARTERS = frozenset({"warm", "browser", "engine", "editor", "tools"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and STARTERS.intersection(item.fixturenames):
            item.add_marker("process")
        if item.get_closest_marker("terraform") and not item.get_closest_marker("covering"):
            item.add_marker("long")
