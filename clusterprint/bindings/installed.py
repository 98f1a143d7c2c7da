"""Which engine for synthesis is installed, if any: clusterprint-core comes without it.

clusterprint-core is the same package with fewer dependencies, not a part of it: one list of dependencies, one
version, and nothing to move when a command no longer needs the engine. The price: an environment has one or
the other, like `psycopg2` and `psycopg2-binary`. Having both is harmless because their files are the same,
but removing one breaks the other.
"""

import os
from importlib.util import find_spec

from clusterprint.errors import EnvironmentFailure, UsageError, from_checkout

#: cdktf is archived, cdktn is what its users go on with: `pip install 'clusterprint[cdktn]'` adds it.
CDKTF, CDKTN = "cdktf", "cdktn"
_BESIDE = ("jsii", "constructs")
_EXTRA = "'.[cdktn]'"


def engine() -> str:
    """The engine in use: what CLUSTERPRINT_ENGINE says, else cdktn where it is installed, else cdktf.

    Raises UsageError for the name of no engine and for complete bindings of cdktn, and EnvironmentFailure,
    which says what to install, when the engine is not installed.
    """
    named = os.environ.get("CLUSTERPRINT_ENGINE")
    if named not in {None, "", CDKTF, CDKTN}:
        raise UsageError(f"CLUSTERPRINT_ENGINE is {named!r}, which is no engine: write {CDKTF} or {CDKTN}")
    chosen = named or (CDKTN if find_spec(CDKTN) else CDKTF)
    if chosen == CDKTN and os.environ.get("CLUSTERPRINT_BINDINGS") == "full":
        raise UsageError("CLUSTERPRINT_BINDINGS=full is for the engine cdktf: add CLUSTERPRINT_ENGINE=cdktf")
    if all(find_spec(package) for package in (chosen, *_BESIDE)):
        return chosen
    if chosen == CDKTN:
        raise EnvironmentFailure(f"the engine {CDKTN} is not installed: {from_checkout(_EXTRA)}")
    message = (
        "this makes Terraform JSON, and needs the engine, which is not installed: "
        f"clusterprint-core only checks; {from_checkout('.')}"
    )
    raise EnvironmentFailure(message)
