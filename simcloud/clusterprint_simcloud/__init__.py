"""Real Terraform against a simulated cloud: no network, no credentials, no bill.

`World` is the entrance. docs/simulated-cloud.md says what the simulation knows and what it does not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clusterprint_simcloud.cloud.contents import Cloud, Contents, Record
    from clusterprint_simcloud.cloud.faults import Fault
    from clusterprint_simcloud.gcs import Emulator
    from clusterprint_simcloud.gcs import Fault as StorageFault
    from clusterprint_simcloud.world import TerraformFailed, World, binary

__version__ = "0.1.0"

__all__ = [
    "Cloud",
    "Contents",
    "Emulator",
    "Fault",
    "Record",
    "StorageFault",
    "TerraformFailed",
    "World",
    "binary",
]

# Loaded when somebody asks: programs that Terraform starts again and again need little of it.
_PLACES = {
    **dict.fromkeys(("Cloud", "Contents", "Record"), ("cloud.contents", "")),
    "Fault": ("cloud.faults", ""),
    "Emulator": ("gcs", ""),
    "StorageFault": ("gcs", "Fault"),
    **dict.fromkeys(("TerraformFailed", "World", "binary"), ("world", "")),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, other = _PLACES[name]
    found = getattr(import_module(f"{__name__}.{module}"), other or name)
    globals()[name] = found
    return found
