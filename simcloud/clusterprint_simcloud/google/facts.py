"""Facts about the arguments of Google resources: those of the file, and those written here."""

from collections.abc import Iterable

from clusterprint_simcloud import arguments
from clusterprint_simcloud.arguments import Argument, Arguments, adding

# "must be a match of regex" in the provider's verify.ValidateGCEName.
GCE_NAME = "(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)"


def known(name: str) -> Arguments:
    """What the file knows about a type, with the provider's check of its name."""
    return arguments.load("clusterprint_simcloud.google").get(name, {})


def named(name: str) -> Arguments:
    """As `known`, for a type whose name must be a GCE name."""
    return adding(known(name), name=Argument(matches=GCE_NAME))


def immutable(*names: str) -> Arguments:
    """Arguments whose change replaces the resource: all of them, for IAM members."""
    return _all(names)


def _all(names: Iterable[str]) -> Arguments:
    return {name: Argument(force_new=True) for name in names}
