"""How tests are handed to workers."""

import pytest


@pytest.mark.xdist_group("group")
def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """By names that pytest-xdist changes; where it cannot, it says nothing, and CI takes twice as long."""
    if request.config.getoption("loadgroup", default=False):
        assert request.node.nodeid.endswith("@group")
