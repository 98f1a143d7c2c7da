from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.rules.kit import (
    Context,
    Finding,
    Iterator,
    Severity,
    did_you_mean,
    known,
    listed,
    nearest,
    rule,
)


@rule("GKE390", severity=Severity.ERROR, source="Google Cloud: multi-tier checkpointing in GKE", firm=True)
def checkpoints_without_volume(checkpoints: Checkpoints, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """Checkpoints are copied to a volume that does not exist, or is not a bucket.

    What jobs save in the memory of nodes is copied to a bucket of Cloud Storage, and to nothing else.

    Name a volume of kind bucket.
    """
    volumes = context.blueprint.storage.volumes
    kinds = {name: kind for _, (name, kind) in known(volumes, lambda each: (each.name, each.kind))}
    buckets = [name for name, kind in kinds.items() if kind == "bucket"]
    name = checkpoints.volume
    if name in buckets or name not in kinds:
        return  # it is one, or its name or kind cannot be read
    meant = nearest(name, buckets)
    others = f"the buckets are {listed(buckets, 'and')}" if buckets else "add one to storage.volumes"
    yield Finding(
        f"volume {name} is of kind {kinds[name]}, not a bucket",
        context.at(checkpoints, "volume"),
        help=did_you_mean(meant) or others,
        instead=meant,
    )
