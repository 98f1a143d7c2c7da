"""The facts that scripts read, as files."""

from collections.abc import Iterator

from msgspec.structs import replace

from clusterprint.nodes import file
from clusterprint.nodes.file import File
from clusterprint.nodes.slurm_facts import slurm_facts
from clusterprint.plan.vmss_nodes import HEAD_KEY_TAG, TIME_TO_LIVE_TAG, NodeSettings

SCRATCH = "/mnt/resource_nvme"


def facts(role: str, settings: NodeSettings) -> Iterator[File]:
    """The files of facts for a machine: `settings`, and `shares` and `nccl-environment` where needed."""
    yield file.settings(_settings(role, settings))
    if settings.shares:
        yield file.facts(
            "shares",
            (
                "\t".join(
                    (
                        share.kind,
                        # What is not known is said as well: an empty field would vanish.
                        share.server or "-",
                        share.resource_id or "-",
                        share.share,
                        share.mount,
                        # Nobody but the head can fill a share that is made here and read only elsewhere.
                        "ro" if share.read_only and not (role == "head" and share.created) else "rw",
                        "ours" if share.created else "theirs",
                    )
                )
                for share in settings.shares
            ),
        )
    if settings.slurm:
        # Only the controller needs these, and for a new partition no node has to be replaced.
        told = settings.slurm if role == "head" else replace(settings.slurm, partitions=(), qos=())
        yield file.facts("slurm", slurm_facts(told))
    if role == "node" or settings.head_is_node:
        yield file.facts(
            "nccl-environment", (f"{key}={value}" for key, value in sorted(settings.nccl.environment.items()))
        )


def _settings(role: str, settings: NodeSettings) -> dict[str, str]:
    """Every key is there on every machine, so that a script never has to guess."""
    nodes = "yes" if role == "node" or settings.head_is_node else "no"
    return {
        "role": role,
        "computes": nodes,
        "cluster": settings.cluster,
        "admin_user": settings.admin_user,
        "scale_set_id": settings.scale_set_id,
        "orchestration": settings.orchestration,
        "head_id": settings.head_id,
        "identity": settings.head_identity if role == "head" else settings.node_identity,
        "head_key_tag": HEAD_KEY_TAG,
        "time_to_live_tag": TIME_TO_LIVE_TAG,
        "cluster_range": settings.cluster_range,
        # What Azure calls its local disks; OS and data disks are "MSFT NVMe Accelerator".
        "local_disk_model": "NVMe Direct Disk",
        "scratch": SCRATCH,
        "gpu_vendor": settings.gpu_vendor,
        "gpus_per_node": str(settings.gpus_per_node),
        "infiniband": "yes" if settings.infiniband else "no",
        "nccl_topology_file": settings.nccl.topology_file,
        "nccl_single_node_gb_per_s": f"{settings.nccl.single_node_gb_per_s:g}",
        "nccl_multi_node_gb_per_s": f"{settings.nccl.multi_node_gb_per_s:g}",
        "health_checks": "yes" if settings.health_checks else "no",
        "dcgm_level": str(settings.dcgm_level),
        "health_endpoint": "yes" if settings.health_endpoint else "no",
        "security_type": settings.security_type,
        "ssh_between_nodes": "yes" if settings.ssh_between_nodes else "no",
        **({"group": "nodes" if nodes == "yes" else "head"} if settings.slurm else {}),
    }
