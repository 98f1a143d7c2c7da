"""Lives in which the cloud has no capacity: the first wish is out, of the second only a part, the third exists."""

import json
import stat
from pathlib import Path

import pytest
from lives import Life

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault

pytestmark = [pytest.mark.slow, pytest.mark.terraform, pytest.mark.covering]

GOOGLE = (
    "The zone does not have enough resources available to fulfill the request. ZONE_RESOURCE_POOL_EXHAUSTED"
)
AZURE = "Allocation failed. We do not have sufficient capacity for the requested VM size. AllocationFailed"
WISHES = """\
    capacity:
      model: reservation
      reservation: r1
      fallbacks: [{model: spot, zone: us-central1-b}, {model: on_demand, zone: us-central1-c}]
"""
HEAD = """\
clusterprint: v1
name: wishing
project: my-gpu-project
region: us-central1
zone: us-central1-f
backend: {gcs: {bucket: my-terraform-state}}
"""
POOLS = f"""\
node_pools:
  - {{name: cpus, machine_type: n2-standard-4, capacity: {{fallbacks: [{{model: spot}}]}}}}
  - name: gpus
    machine_type: a2-highgpu-1g
    count: 2
{WISHES}"""
SIZES = ("Standard_NC40ads_H100_v5", "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4")
BLUEPRINTS = {
    "vm": f"""\
kind: vm
{HEAD}node_groups:
  - {{name: login, machine_type: n2-standard-4}}
  - name: gpus
    machine_type: a2-highgpu-1g
    count: 2
{WISHES}""",
    "gke": f"kind: gke\n{HEAD}{POOLS}",
    "ray": f"kind: ray\n{HEAD}{POOLS}ray: {{workers: [{{name: gpus, pool: gpus, max: 2}}]}}\n",
    "vmss": f"""\
clusterprint: v1
kind: vmss
name: wishing
subscription: 00000000-0000-0000-0000-000000000000
location: eastus2
backend: {{gcs: {{bucket: my-terraform-state}}}}
nodes: {{size: {SIZES[0]}, count: 2, capacity: {{fallbacks: [{{size: {SIZES[1]}}}, {{size: {SIZES[2]}}}]}}}}
admin: {{ssh_public_key: {{inline: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me}}}}
head_node: {{ssh_source_ranges: [203.0.113.7/32]}}
""",
}
NODE, POOL = "google_compute_per_instance_config", "google_container_node_pool"
SET = "azurerm_.*virtual_machine_scale_set"
_POOLS = [
    Fault("create", POOL, match="^n2-standard-4$", error=GOOGLE),
    Fault("create", POOL, match="^us-central1-f$", nth=2, times=99, error=GOOGLE),
    Fault("create", POOL, match="^us-central1-b$", times=99, error=GOOGLE, after=True),
]
FAULTS = {
    "vm": [
        Fault("create", NODE, match="^wishing-gpus-0$", times=1, error=GOOGLE),
        Fault("create", NODE, match="^us-central1-b$", nth=2, times=99, error=GOOGLE),
    ],
    "gke": _POOLS,
    "ray": _POOLS,
    "vmss": [
        Fault("create", SET, match=f"^{SIZES[0]}$", times=99, error=AZURE),
        Fault("(create|update)", SET, match=f"^{SIZES[1]}$", times=99, error=AZURE, after=True),
    ],
}
