from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE391", severity=Severity.ERROR, source="Google Cloud: multi-tier checkpointing in GKE", firm=True)
def checkpoints_in_flat_bucket(checkpoints: Checkpoints, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """Checkpoints are copied to a bucket that cannot take them.

    A copy is complete when its folder has been renamed. Only buckets with a hierarchical namespace can rename
    folders; in others, copies fail. A read-only volume takes none at all. An existing bucket needs a
    hierarchical namespace, too, which is not checked here; only a new bucket can get one.

    Write `hierarchical_namespace: true` for the volume. That creates another bucket: an existing one cannot
    be changed.
    """
    named = known(context.blueprint.storage.volumes, lambda each: (each.name, each.kind))
    volume = next((each for each, found in named if found == (checkpoints.volume, "bucket")), None)
    if volume is not None:
        yield from _lacking(volume, checkpoints, context)


def _lacking(volume: GoogleVolume, checkpoints: Checkpoints, context: Context) -> Iterator[Finding]:
    asked = context.at(checkpoints, "volume", text="checkpoints are copied there")
    if volume.access == "read_only":
        yield Finding(
            f"volume {volume.name} is read-only, so no checkpoints can be copied there",
            context.at(volume, "access"),
            also=(asked,),
            help="name another volume, or remove `access: read_only`",
        )
    elif volume.create and not volumes.has_folders(volume):
        yield Finding(
            f"volume {volume.name} has no hierarchical namespace, without which copies of checkpoints fail",
            context.at(volume, "name"),
            also=(asked,),
            help="write `hierarchical_namespace: true` for the volume",
        )
