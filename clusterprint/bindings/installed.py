"""Whether the engine for synthesis is installed: clusterprint-core comes without it.

clusterprint-core is the same package with fewer dependencies, not a part of it: one list of dependencies, one
version, and nothing to move when a command no longer needs the engine. The price: an environment has one or
the other, like `psycopg2` and `psycopg2-binary`. Having both is harmless because their files are the same,
but removing one breaks the other.
"""

from importlib.util import find_spec

from clusterprint.errors import EnvironmentFailure, from_checkout

_ENGINE = ("jsii", "constructs", "cdktf")


def require() -> None:
    """Raises EnvironmentFailure, which says what to install, when the engine is not installed."""
    if any(find_spec(package) is None for package in _ENGINE):
        message = (
            "this makes Terraform JSON, and needs the engine, which is not installed: "
            f"clusterprint-core only checks; {from_checkout('.')}"
        )
        raise EnvironmentFailure(message)
