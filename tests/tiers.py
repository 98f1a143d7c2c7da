"""Tests that start programs are left out of `make quick`, whoever writes them."""

import pytest

# Fixtures that start a command, Terraform, a browser or what builds images.
STARTERS = frozenset(
    {"clusterprint", "synthesized", "stacks", "running", "change", "life", "browser", "engine"}
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and STARTERS.intersection(item.fixturenames):
            item.add_marker("process")
