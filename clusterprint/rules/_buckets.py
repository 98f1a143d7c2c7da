"""Cloud Storage's limits of bucket names, beyond their letters."""

import re
from ipaddress import IPv4Address
from typing import NamedTuple

LONGEST = 63
LONGEST_WITH_DOTS = 222

SOURCE = "Cloud Storage: bucket names"

# Letters that are taken for others: g00gle, goog1e.
_LOOK_ALIKE = str.maketrans("013", "ole")


class NameProblem(NamedTuple):
    """The fault of a name, completing "bucket <name> ...", and the help."""

    message: str
    help: str


def problem(name: str) -> NameProblem | None:
    """Cloud Storage's restrictions on names for every owner."""
    parts = name.split(".")
    longest = LONGEST_WITH_DOTS if len(parts) > 1 else LONGEST
    if len(name) > longest:
        return NameProblem(f"has a name of {len(name)} characters", f"use at most {longest}")
    if any(len(part) > LONGEST for part in parts):
        return NameProblem(
            f"has a part of more than {LONGEST} characters between dots", f"use at most {LONGEST} in each"
        )
    if _is_address(name):
        return NameProblem("is named like an IP address", "use a name with a letter in it")
    if re.search(r"\.\.|\.-|-\.", name):
        return NameProblem("has a dot beside another dot or a hyphen", "put letters or digits around dots")
    return None


def owned_problem(name: str) -> NameProblem | None:
    """Cloud Storage's restrictions on names for all owners but Google."""
    if name.startswith("goog"):
        return NameProblem(
            "has a name beginning with 'goog'", "these names are reserved for Google; use another one"
        )
    if "google" in name.translate(_LOOK_ALIKE):
        return NameProblem("has 'google', or what looks like it, in its name", "use a name without it")
    return problem(name)


def _is_address(name: str) -> bool:
    try:
        IPv4Address(name)
    except ValueError:
        return False
    return True
