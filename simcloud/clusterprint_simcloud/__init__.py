"""Real Terraform against a simulated cloud: no network, no credentials, no bill.

`World` is the entrance. docs/simulated-cloud.md says what the simulation knows and what it does not.
"""

from clusterprint_simcloud.cloud.contents import Cloud, Contents, Record
from clusterprint_simcloud.cloud.faults import Fault
from clusterprint_simcloud.gcs import Emulator
from clusterprint_simcloud.gcs import Fault as StorageFault
from clusterprint_simcloud.world import TerraformFailed, World, actions, binary

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
    "actions",
    "binary",
]
