"""Real Terraform against a simulated cloud: no network, no credentials, no bill.

`World` is the entrance. docs/simulated-cloud.md says what the simulation knows and what it does not.
"""

from clusterprint.simcloud.cloud.contents import Cloud, Contents, Record
from clusterprint.simcloud.cloud.faults import Fault
from clusterprint.simcloud.gcs import Emulator
from clusterprint.simcloud.gcs import Fault as StorageFault
from clusterprint.simcloud.world import TerraformFailed, World, actions, binary

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
