"""Blueprints to measure with: mixed, valid, no two alike, the same ones every time."""

from ipaddress import IPv4Network
from pathlib import Path
from string import Template

# Clusters of all sorts; what a shape does not use of name, cidr and bucket is left out.
SHAPES = [
    """\
clusterprint: v1
kind: vm
name: $name
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-1g}
network: {cidr: $cidr}
""",
    """\
# A sample with most of what a blueprint can have.
clusterprint: v1
kind: vm
name: $name
project: supercomputer-testing
region: us-central1
zone: us-central1-f
labels: {team: ml, cost-center: ml-42}
backend:
  gcs: {bucket: spani-tst}
nodes:
  machine_type: a2-highgpu-2g
  count: 3
  boot_disk: {type: pd-ssd, size_gb: 500}
network:
  cidr: $cidr
storage:
  volumes:
    - {name: data, kind: bucket, bucket: $bucket}
    - {name: sets, kind: bucket, bucket: my-shared-datasets, create: false, access: read_only}
files:
  - {source: ./scripts}
metadata:
  key1: val
  key2: val2
""",
    """\
# Queued H200 machines with RDMA.
clusterprint: v1
kind: vm
name: $name
project: my-gpu-project
region: us-south1
zone: us-south1-b
labels: {team: pretraining}
backend:
  gcs: {bucket: my-terraform-state}
nodes:
  machine_type: a3-ultragpu-8g
  count: 4
  capacity: {model: flex_start, max_run_duration: 3d}
  boot_disk: {size_gb: 500}
  placement: {policy: workload, max_topology_distance: block}
network:
  cidr: $cidr
storage:
  volumes:
    - {name: data, kind: bucket, bucket: $bucket}
startup_script:
  inline: |
    #!/bin/bash
    mkdir --parents /mnt/checkpoints
""",
    """\
# Reserved H100 machines with nine networks.
clusterprint: v1
kind: vm
name: $name
project: my-gpu-project
region: us-east4
zone: us-east4-b
backend:
  gcs: {bucket: my-terraform-state}
nodes:
  machine_type: a3-megagpu-8g
  count: 16
  capacity:
    model: reservation
    reservation: projects/my-capacity-project/reservations/h100-mega-2026
  boot_disk: {type: pd-ssd, size_gb: 1000}
  update: proactive
network:
  cidr: $cidr
service_account:
  roles: [roles/artifactregistry.reader]
""",
    """\
# A spot box with a local disk.
clusterprint: v1
kind: vm
name: $name
project: my-gpu-project
region: europe-west4
zone: europe-west4-a
backend:
  gcs: {bucket: my-terraform-state}
nodes:
  machine_type: g2-standard-8
  capacity: {model: spot, max_run_duration: 12h}
  local_ssd: {count: 1}
network:
  cidr: $cidr
startup_script:
  file: ./scripts/hello.sh
""",
    """\
# CPU machines for MPI.
clusterprint: v1
kind: vm
name: $name
project: my-gpu-project
region: us-east4
zone: us-east4-a
labels: {team: hpc}
backend: {gcs: {bucket: my-terraform-state}}
nodes:
  machine_type: c2-standard-60
  count: 2
  threads_per_core: 1
  placement: {policy: compact}
network: {cidr: $cidr}
storage:
  volumes: [{name: data, kind: bucket, bucket: $bucket, location: us, deletion_protection: false}]
  may_lose: [data]
""",
]


def write(folder: Path, count: int) -> None:
    """Write this many blueprints, and the scripts that they name, into an empty folder."""
    scripts = folder / "scripts"
    scripts.mkdir(parents=True)
    (scripts / "hello.sh").write_text("#!/bin/bash\necho hello\n")
    ranges = IPv4Network("10.0.0.0/8").subnets(new_prefix=18)
    for number, cidr in zip(range(count), ranges, strict=False):
        name = f"bench-{number:04}"
        shape = Template(SHAPES[number % len(SHAPES)])
        (folder / f"{name}.yaml").write_text(shape.substitute(name=name, cidr=cidr, bucket=f"{name}-data"))
