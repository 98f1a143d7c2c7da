"""The facts that scripts read, as files: data that is parsed, never shell that is run."""

from collections.abc import Iterable, Iterator

from clusterprint.errors import InternalError
from clusterprint.nodes.cloud_config import File
from clusterprint.plan.vmss_nodes import HEAD_KEY_TAG, TIME_TO_LIVE_TAG, NodeSettings

FOLDER = "/etc/clusterprint"


def facts(role: str, settings: NodeSettings) -> Iterator[File]:
    """The files of facts for a machine: `settings`, and `shares` and `nccl-environment` where needed."""
    yield _file("settings", (f"{key}={value}" for key, value in _settings(role, settings).items()))
    if settings.shares:
        yield _file(
            "shares",
            (
                "\t".join(
                    (
                        share.kind,
                        share.account,
                        # Nothing to ask for is said as well: an empty field would vanish.
                        share.account_id or "-",
                        share.share,
                        share.mount,
                        "ro" if share.read_only else "rw",
                    )
                )
                for share in settings.shares
            ),
        )
    if role == "node" or settings.head_is_node:
        yield _file(
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
        "gpu_vendor": settings.gpu_vendor,
        "gpus_per_node": str(settings.gpus_per_node),
        "infiniband": "yes" if settings.infiniband else "no",
        "nccl_topology_file": settings.nccl.topology_file,
        "nccl_single_node_gb_per_s": f"{settings.nccl.single_node_gb_per_s:g}",
        "nccl_multi_node_gb_per_s": f"{settings.nccl.multi_node_gb_per_s:g}",
        "health_checks": "yes" if settings.health_checks else "no",
        "dcgm_level": str(settings.dcgm_level),
        "health_endpoint": "yes" if settings.health_endpoint else "no",
    }


def _file(name: str, lines: Iterable[str]) -> File:
    """One fact a line. A line break inside one would be another fact, so none passes."""
    checked = []
    for line in lines:
        if not line.replace("\t", "").isprintable():
            raise InternalError(f"a fact for the machines holds a control character: {line!r}")
        checked.append(line)
    return File(path=f"{FOLDER}/{name}", text="\n".join([*checked, ""]), mode="0644")
