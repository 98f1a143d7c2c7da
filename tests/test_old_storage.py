"""`storage.buckets` and `storage.shares`: the error that shows the entries of `storage.volumes`, and its fix."""

# ruff: noqa: E501, ISC004 - blueprints and messages, as they are

from pathlib import Path

import pytest

from clusterprint.diagnostic import Severity
from clusterprint.fixes import fix
from clusterprint.load import load_text
from clusterprint.validate import validate

HEAD = """\
clusterprint: v1
kind: %s
name: lab
"""
VM = (
    HEAD % "vm"
    + """\
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
nodes: {machine_type: n2-standard-4}
"""
)
GKE = VM.replace("kind: vm", "kind: gke").replace(
    "nodes: {machine_type: n2-standard-4}",
    "node_pools: [{name: cpu, machine_type: n2-standard-4}]\n"
    "cluster: {authorized_networks: [{name: office, cidr: 203.0.113.0/24}]}",
)
RAY = GKE.replace("kind: gke", "kind: ray")
VMSS = (
    HEAD % "vmss"
    + """\
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {gcs: {bucket: my-state}}
nodes: {size: Standard_ND96isr_H200_v5}
admin: {ssh_public_key: {inline: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me}}
head_node: {ssh_source_ranges: [203.0.113.0/24]}
"""
)


def problems(text: str) -> list[str]:
    document = load_text(text.encode(), "x.yaml", Path()).document
    assert document
    found = validate(document).diagnostics
    return [f"{each.message} => {each.help}" for each in found if each.severity is Severity.ERROR]


def fixed(text: str) -> str:
    return fix(text, "x.yaml", Path("x.yaml"), Path()).text


@pytest.mark.parametrize(
    ("blueprint", "old", "new"),
    [
        pytest.param(
            VM,
            "storage: {buckets: [{name: lab-data, mount: /data, profile: training}]}\n",
            "storage: {volumes: [{name: data, kind: bucket, create: false, bucket: lab-data, mount: /data, "
            "profile: training}]}\n",
            id="an existing bucket",
        ),
        pytest.param(
            VM,
            """\
storage:
  buckets:  # two
    # for results
    - name: results  # it is there
      create: true  # by us
      location: us
      force_destroy: false

    - {name: 2026-a-bucket-with-a-long-name, "create": true, force_destroy: true, storage_class: nearline}
    # the end
""",
            """\
storage:
  may_lose: [a-bucket-with-a-long]
  volumes:  # two
    # for results
    - name: results
      kind: bucket
      bucket: results  # it is there
      create: true  # by us
      location: us
      deletion_protection: true

    - {name: a-bucket-with-a-long, kind: bucket, bucket: "2026-a-bucket-with-a-long-name", "create": true, \
deletion_protection: false, storage_class: nearline}
    # the end
""",
            id="created ones, with comments",
        ),
        pytest.param(
            VM,
            """\
storage:
  volumes:
    - {name: data, kind: filestore, mount: /home}  # homes
  may_lose: []
  buckets:
    # kept
    - {name: lab-data, create: true, force_destroy: true}  # too
  private_services: {}
""",
            """\
storage:
  volumes:
    - {name: data-2, kind: bucket, bucket: lab-data, create: true, deletion_protection: false}
    - {name: data, kind: filestore, mount: /home}  # homes
  may_lose: [data-2]
  # kept
  # too
  private_services: {}
""",
            id="beside volumes",
        ),
        pytest.param(
            VM,
            "storage: {buckets: [{name: abc, mount: /b}], volumes: [{name: home, kind: filestore, mount: /home}]}\n",
            "storage: {volumes: [{name: abc, kind: bucket, create: false, bucket: abc, mount: /b}, "
            "{name: home, kind: filestore, mount: /home}]}\n",
            id="in the flow of a line, first",
        ),
        pytest.param(
            VM,
            "storage: {volumes: [{name: home, kind: filestore, mount: /home}], buckets: [{name: abc, create: true, "
            "force_destroy: true}]}\n",
            "storage: {may_lose: [abc], volumes: [{name: abc, kind: bucket, bucket: abc, create: true, "
            "deletion_protection: false}, {name: home, kind: filestore, mount: /home}]}\n",
            id="in the flow of a line, last",
        ),
        pytest.param(VM, "storage: {buckets: []}\n", "storage: {volumes: []}\n", id="an empty list"),
        pytest.param(
            VM,
            "storage:\n  buckets: []\n  volumes: [{name: home, kind: filestore, mount: /home}]\n",
            "storage:\n  volumes: [{name: home, kind: filestore, mount: /home}]\n",
            id="an empty list beside volumes",
        ),
        pytest.param(
            VM,
            "x-data: &data [{name: abc}]\nstorage: {buckets: *data}\n",
            "x-data: &data [{name: abc, kind: bucket, create: false, bucket: abc}]\nstorage: {volumes: *data}\n",
            id="an alias",
        ),
        pytest.param(
            VM,
            "storage:\r\n  buckets:\r\n    - name: abc\r\n",
            "storage:\r\n  volumes:\r\n    - name: abc\r\n      kind: bucket\r\n      create: false\r\n      bucket: abc\r\n",
            id="lines that end with a carriage return",
        ),
        pytest.param(
            GKE,
            "storage: {buckets: [{name: lab-checkpoints, create: true}]}\n",
            "storage: {volumes: [{name: checkpoints, kind: bucket, bucket: lab-checkpoints, create: true}]}\n",
            id="gke",
        ),
        pytest.param(
            RAY,
            """\
storage: {buckets: [{name: sets, mount: /sets, access: read_only}, {name: results, create: true}]}
ray:
  version: 2.48.0
  workers: [{name: cpu, pool: cpu, max: 4}]
""",
            """\
storage: {volumes: [{name: sets, kind: bucket, create: false, profile: training, bucket: sets, mount: /sets, \
access: read_only}, {name: results, kind: bucket, bucket: results, create: true}]}
ray:
  version: 2.48.0
  head: {mounts: [{volume: sets}]}
  workers: [{name: cpu, mounts: [{volume: sets}], pool: cpu, max: 4}]
""",
            id="ray, where all pods mounted it",
        ),
        pytest.param(
            RAY,
            """\
storage:
  volumes: [{name: home, kind: filestore}]
  buckets: [{name: sets, mount: /sets}]
ray:
  head: {cpus: 2, mounts: [{volume: home, path: /home/ray/all}]}
  workers:
    - name: cpu
      pool: cpu
      max: 4
      mounts:
        - {volume: home, path: /home/ray/all}
""",
            """\
storage:
  volumes: [{name: sets, kind: bucket, create: false, profile: training, bucket: sets, mount: /sets}, \
{name: home, kind: filestore}]
ray:
  head: {cpus: 2, mounts: [{volume: sets}, {volume: home, path: /home/ray/all}]}
  workers:
    - name: cpu
      pool: cpu
      max: 4
      mounts:
        - {volume: sets}
        - {volume: home, path: /home/ray/all}
""",
            id="ray, beside mounts",
        ),
        pytest.param(
            VMSS,
            """\
storage:
  shares:
    - {name: home, mount: /shared, size_gb: 200}
    - name: team
      kind: files_smb  # for Windows
      mount: /team
      create: false
      account: teamdata
      resource_group: storage
    - {name: sets, kind: blob_nfs, mount: /sets, access: read_only, deletion_protection: false}
  may_lose: [sets]
""",
            """\
storage:
  volumes:
    - {name: home, kind: azure_files, mount: /shared, size_gb: 200}
    - name: team
      kind: azure_files
      protocol: smb  # for Windows
      mount: /team
      create: false
      account: teamdata
      resource_group: storage
    - {name: sets, kind: blob_nfs, mount: /sets, access: read_only, deletion_protection: false}
  may_lose: [sets]
""",
            id="vmss",
        ),
    ],
)
def test_the_entries_are_written_and_the_blueprint_is_valid(blueprint: str, old: str, new: str) -> None:
    (problem,) = problems(blueprint + old)
    assert problem.startswith("unknown key '")
    assert " in storage => write " in problem
    assert fixed(blueprint + old) == blueprint + new
    assert problems(blueprint + new) == []


@pytest.mark.parametrize(
    ("blueprint", "storage", "help_text"),
    [
        (
            VM,
            "{buckets: [{name: lab-data, create: true}, {name: old, force_destroy: true, create: true}]}",
            "write volumes: [{name: data, kind: bucket, bucket: lab-data, create: true}, {name: old, kind: bucket, "
            "bucket: old, deletion_protection: false, create: true}] and may_lose: [old]; a created bucket is "
            "protected unless it says deletion_protection: false",
        ),
        (
            RAY + "ray: {workers: [{name: cpu, pool: cpu, max: 4}]}\n",
            "{buckets: [{name: sets, mount: /sets}]}",
            "write volumes: [{name: sets, kind: bucket, create: false, profile: training, bucket: sets, mount: "
            "/sets}], and mounts: [{volume: sets}] in ray.head and in each of ray.workers",
        ),
        *(
            (VM, f"{{buckets: {wrong}}}", "write entries of storage.volumes, such as volumes: [{name: my-bucket, "
             "kind: bucket, create: false, bucket: my-bucket, mount: /mnt/data}]")
            for wrong in ("my-data", "{name: my-data}", "[my-data]", "[{}]", "[null]", "[{name: 7}]", "null", "[[a]]")
        ),
        (
            VMSS,
            "{shares: [{mount: /data}]}",
            "write entries of storage.volumes, such as volumes: [{name: my-share, kind: azure_files, mount: "
            "/mnt/data}]",
        ),
    ],
)  # fmt: skip
def test_one_error_shows_what_to_write(blueprint: str, storage: str, help_text: str) -> None:
    (problem,) = problems(f"{blueprint}storage: {storage}\n")
    assert problem.partition(" => ")[2] == help_text


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (
            "{name: abc, create: true, access: readonly, colour: red}",
            "{name: abc, kind: bucket, bucket: abc, create: true, access: read_only, colour: red}",
            ["unknown key 'colour' in storage.volumes[0]"],
        ),
        (
            "{name: abc, location: us, force_destroy: true}",
            "{name: abc, kind: bucket, create: false, bucket: abc, location: us, deletion_protection: false}",
            [
                "location is a key of created bucket volumes, but volume abc has create: false",
                "deletion_protection is a key of created volumes, but volume abc has create: false",
            ],
        ),
    ],
)
def test_what_was_wrong_within_is_reported_where_it_is_now(old: str, new: str, left: list[str]) -> None:
    after = fixed(f"{VM}storage: {{buckets: [{old}]}}\n")
    assert after == f"{VM}storage: {{volumes: [{new}]}}\n"
    assert [each.partition(" => ")[0] for each in problems(after)] == left


def test_of_many_a_few_are_shown_and_all_written() -> None:
    text = f"{VM}storage: {{buckets: [{', '.join(f'{{name: bucket-{each}}}' for each in range(9))}]}}\n"
    (problem,) = problems(text)
    assert problem.endswith("bucket: bucket-4}], the other 4 alike")
    assert fixed(text).count("kind: bucket") == 9


@pytest.mark.parametrize(
    "storage", ["{buckets: [{name: abc}], volumes: 7}", "{buckets: [{name: abc}], may_lose: b}"]
)
def test_beside_what_is_no_list_nothing_is_written(storage: str) -> None:
    assert fixed(f"{VM}storage: {storage}\n") == f"{VM}storage: {storage}\n"
