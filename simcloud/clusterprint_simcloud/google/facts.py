"""Facts about the arguments of Google resources: those of the file, and those written here."""

from clusterprint_simcloud import arguments
from clusterprint_simcloud.arguments import Argument, Arguments, adding

# "must be a match of regex" in the provider's verify.ValidateGCEName.
GCE_NAME = "(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)"


def known(name: str) -> Arguments:
    """Facts of the file about a type."""
    return arguments.load("clusterprint_simcloud.google").get(name, {})


def named(name: str) -> Arguments:
    """As `known`, for a type whose name must be a GCE name."""
    return adding(known(name), name=Argument(matches=GCE_NAME))
