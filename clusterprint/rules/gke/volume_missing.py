from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.diagnostic import Severity
from clusterprint.guesses import nearest
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed


@rule("GKE200", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_missing(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A workload mounts a volume that does not exist.

    Workloads name volumes of `storage.volumes`, of the same blueprint.

    Name one of them, or add the volume.
    """
    volumes = context.blueprint.storage.volumes
    names = [name for _, name in known(volumes, lambda each: each.name)]
    if len(names) < len(volumes) or mount.volume in names:
        return  # it is there, or one of them has a name that cannot be read
    others = f"the volumes are {listed(names, 'and')}" if names else "add it to storage.volumes"
    yield Finding(
        f"there is no volume {mount.volume}",
        context.at(mount, "volume"),
        help=did_you_mean(nearest(mount.volume, names)) or others,
    )
