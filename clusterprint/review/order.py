"""The order in which people look for names: c2 before c10."""

import re

_NUMBER = re.compile(r"(\d{1,18})")


def natural(text: str) -> tuple[tuple[str, int], ...]:
    """A key to sort texts by, in which digits count as numbers."""
    parts = _NUMBER.split(text)
    return tuple(zip(parts[::2], (*map(int, parts[1::2]), -1), strict=True))
