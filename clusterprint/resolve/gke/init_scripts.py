"""Scripts that nodes of pools run when they are created."""

from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import state_names
from clusterprint.derived.state import state_root
from clusterprint.derived.texts import text_of
from clusterprint.plan.gke.cluster import GkeClusterPlan, InitScriptPlan

_Cluster = TypeVar("_Cluster", bound=GkeClusterPlan)


def with_init_scripts(cluster: _Cluster, blueprint: KubernetesBlueprint, folder: Path) -> _Cluster:
    """The plan of a cluster with the scripts of its pools, which may be files beside the blueprint."""
    root = state_root(blueprint)
    scripts = tuple(
        InitScriptPlan(
            pool=pool.name,
            bucket=blueprint.backend.gcs.bucket,
            prefix=state_names.init_scripts(root),
            object=state_names.init_script(root, pool.name, sha256(text.encode()).hexdigest()),
            text=text,
        )
        for pool in blueprint.node_pools
        if pool.system.init_script is not UNSET
        for text in [text_of(pool.system.init_script, folder)]
    )
    return msgspec.structs.replace(cluster, init_scripts=scripts) if scripts else cluster
