"""Whether the packages for synthesis are installed: clusterprint-core comes without them.

clusterprint-core is the same package with fewer dependencies, not a part of it: one list of dependencies, one
version, and nothing to move when a command no longer needs the engine. The price: an environment has one or
the other, like `psycopg2` and `psycopg2-binary`. Having both is harmless because their files are the same,
but removing one breaks the other.
"""

from importlib.util import find_spec
from pathlib import Path

from clusterprint.bindings import brought
from clusterprint.bindings.scan import modules_imported
from clusterprint.errors import EnvironmentFailure, from_checkout

_ENGINE = ("jsii", "constructs", "cdktf")


def require(stacks: Path | None) -> None:
    """Raises EnvironmentFailure, which says what to install, when the engine or bindings are not there.

    `stacks` is the folder whose imports name the packages of bindings.
    """
    if any(find_spec(package) is None for package in _ENGINE):
        message = (
            "this makes Terraform JSON, and needs the engine, which is not installed: "
            f"clusterprint-core only checks; {from_checkout('.')}"
        )
        raise EnvironmentFailure(message)
    packages = modules_imported(stacks) if stacks else {}
    missing = [each for each in packages if not brought.has(each) and find_spec(each) is None]
    if missing:
        message = f"provider bindings are not installed ({', '.join(sorted(missing))}): " + from_checkout(
            "'.[bindings]'"
        )
        raise EnvironmentFailure(message)
