"""What the tests of the way to people share."""

from collections.abc import Iterator

import pytest
from forges import Forge, serving


@pytest.fixture
def forge() -> Iterator[Forge]:
    """A forge with a pull request number 7 that has no comments yet."""
    with serving() as made:
        yield made
