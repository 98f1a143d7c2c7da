from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._groups import by_cause
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._mounts import again, named_mounts
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("GKE200", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_missing(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A workload mounts a volume that does not exist.

    Workloads name volumes of `storage.volumes`, of the same blueprint.

    Name one of them, or add the volume.
    """
    volumes = blueprint.storage.volumes
    names = [name for _, name in known(volumes, lambda each: each.name)]
    if len(names) < len(volumes):
        return  # one of them has a name that cannot be read
    others = f"the volumes are {listed(names, 'and')}" if names else "add it to storage.volumes"
    missing = [mount for _, mount, name in named_mounts(context) if name not in names]
    for first, *rest in by_cause(missing, lambda each: each.volume):
        yield Finding(
            f"there is no volume {first.volume}",
            context.at(first, "volume"),
            also=again(rest, context),
            help=did_you_mean(nearest(first.volume, names)) or others,
        )
