"""Slurm in a Kubernetes cluster: the values of its chart, from which its operator makes everything."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.slurm import ClusterSlurm, SlurmDatabase
from clusterprint.derived import cluster_slurm, durations, volume_mounts
from clusterprint.derived.chart_values import laid_over
from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.kubernetes import ChartPlan, TolerationPlan
from clusterprint.resolve.gke.pod_volumes import resolve_pod_volumes
from clusterprint.resolve.gke.pods import GPU, resolve_tolerations, selector_of, whole_node

# Where GKE puts NVIDIA's libraries and programs into containers that ask for GPUs.
_NVIDIA = "/usr/local/nvidia"

Values = dict[str, Any]


def with_slurm(chart: ChartPlan, blueprint: GkeBlueprint, cluster: GkeClusterPlan) -> ChartPlan:
    """The chart of Slurm with what the blueprint says, under the user's values; other charts as they are."""
    slurm = blueprint.workloads.slurm
    if slurm is UNSET or chart.key != cluster_slurm.CHART:
        return chart
    values = laid_over(_values(slurm, blueprint, cluster), chart.values)
    return msgspec.structs.replace(chart, values=values)


def without_slurm(cluster: GkeClusterPlan, blueprint: GkeBlueprint) -> GkeClusterPlan:
    """The cluster without the nodes of Slurm, as queues see it."""
    slurm = blueprint.workloads.slurm
    if slurm is UNSET:
        return cluster
    taken = frozenset(cluster_slurm.pools(slurm))
    return msgspec.structs.replace(
        cluster,
        pools=tuple(each for each in cluster.pools if each.group not in taken),
        nodes=tuple(each for each in cluster.nodes if each.group not in taken),
    )


def _values(slurm: ClusterSlurm, blueprint: GkeBlueprint, cluster: GkeClusterPlan) -> Values:
    volumes = resolve_pod_volumes(slurm.mounts, blueprint)
    account = volume_mounts.slurm_account(slurm, blueprint)
    groups: dict[str, PoolPlan] = {}
    for pool in (*cluster.pools, *cluster.nodes):
        groups.setdefault(pool.group, pool)
    pools = {name: groups[name] for name in cluster_slurm.pools(slurm)}
    has_gpus = any(pool.node.accelerator for pool in pools.values())
    login = {"login": _container(slurm.login_image, volumes), **_pod(volumes, account)}
    return {
        "clusterName": blueprint.name,
        "controller": {"extraConfMap": {"GresTypes": "gpu"}} if has_gpus else {},
        **({"configFiles": {"gres.conf": "AutoDetect=nvidia\n"}} if has_gpus else {}),
        **({"accounting": _accounting(slurm.accounting)} if slurm.accounting is not UNSET else {}),
        # Without an address outside: kubectl leads there.
        "loginsets": {cluster_slurm.LOGIN_SET: {**login, "service": {"spec": {"type": "ClusterIP"}}}},
        "nodesets": {name: _workers(slurm, pool, volumes, account) for name, pool in pools.items()},
        "partitions": _partitions(slurm),
    }


def _workers(slurm: ClusterSlurm, pool: PoolPlan, volumes: PodVolumesPlan, account: str) -> Values:
    """One worker on each node of a pool, which it has for itself."""
    gpus = pool.node.accelerator.count if pool.node.accelerator else 0
    cpus = whole_node([pool]) if pool.vcpus else 0
    program = _container(slurm.image, volumes)
    if gpus:
        program["env"] = [{"name": "LD_LIBRARY_PATH", "value": f"{_NVIDIA}/lib64"}]
        program["resources"] = {"limits": {GPU: gpus}}
    elif cpus:
        program["resources"] = {"requests": {"cpu": cpus}}
    return {
        "scalingMode": "DaemonSet",
        # A node that is replaced has another name, and nobody waits for the old one.
        "pruneSlurmNodeRecords": "NodeNotFound",
        "slurmd": program,
        **({"extraConfMap": {"Gres": f"gpu:{gpus}"}} if gpus else {}),
        **_pod(volumes, account, nodes=selector_of(pool), tolerations=resolve_tolerations(pool)),
    }


def _partitions(slurm: ClusterSlurm) -> Values:
    default = cluster_slurm.default(slurm)
    return {
        each.name: {
            "enabled": True,
            "nodesets": list(each.pools),
            "configMap": {
                "Default": "YES" if each is default else "NO",
                "MaxTime": "UNLIMITED" if each.max_time is UNSET else _slurm_time(each.max_time),
                "PriorityTier": str(each.priority),
                **({"OverSubscribe": "EXCLUSIVE"} if each.exclusive else {}),
            },
        }
        for each in slurm.partitions
    }


def _slurm_time(text: str) -> str:
    """As Slurm writes it, without rounding: hours:minutes:seconds."""
    seconds = durations.seconds(text)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _accounting(given: SlurmDatabase) -> Values:
    return {
        "enabled": True,
        "storageConfig": {
            "host": given.host,
            "port": given.port,
            "database": given.database,
            "username": given.user,
            "passwordKeyRef": {"name": given.secret, "key": "password"},
        },
    }


def _container(image: str | UnsetType, volumes: PodVolumesPlan) -> Values:
    found: Values = {} if image is UNSET else {"image": image}
    if volumes.mounts:
        found["volumeMounts"] = [
            {"name": each.key, "mountPath": each.path, **({"readOnly": True} if each.read_only else {})}
            for each in volumes.mounts
        ]
    return found


def _pod(
    volumes: PodVolumesPlan,
    account: str,
    *,
    nodes: dict[str, str] | None = None,
    tolerations: tuple[TolerationPlan, ...] = (),
) -> Values:
    spec: Values = {
        **({"nodeSelector": nodes} if nodes else {}),
        **({"tolerations": [_toleration(each) for each in tolerations]} if tolerations else {}),
        **({"serviceAccountName": account} if account else {}),
    }
    if volumes.volumes:
        spec["volumes"] = [
            {
                "name": each.key,
                "persistentVolumeClaim": {"claimName": each.claim, "readOnly": each.read_only},
            }
            for each in volumes.volumes
        ]
    return {
        **({"podSpec": spec} if spec else {}),
        **({"metadata": {"annotations": volumes.annotations}} if volumes.annotations else {}),
    }


def _toleration(plan: TolerationPlan) -> Values:
    return {
        "key": plan.key,
        "operator": "Equal" if plan.value else "Exists",
        **({"value": plan.value} if plan.value else {}),
        **({"effect": plan.effect} if plan.effect else {}),
    }
