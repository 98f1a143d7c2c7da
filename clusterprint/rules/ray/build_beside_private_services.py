from collections.abc import Iterator

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("RAY082", severity=Severity.ERROR, source="Google Cloud: private services access", firm=True)
def build_beside_private_services(
    blueprint: RayBlueprint, context: Context[RayBlueprint]
) -> Iterator[Finding]:
    """Images are built in the network of file systems that need private service access, too.

    A network has one peering with Google's services, and here it is made with the range of the build machines
    alone: file systems find no addresses in it. The two cannot be together in one blueprint yet.

    Build the image in another blueprint and name it in `ray.image`, or take a volume without private service
    access: a bucket, or a filestore with `connect: direct`.
    """
    if not given(blueprint.image_build):
        return
    for volume, needed in known(blueprint.storage.volumes, volumes.needs_private_services):
        if needed:
            yield Finding(
                f"volume {volume.name} and image_build cannot share the network's private services yet",
                context.at(volume, "kind"),
                also=(context.at_key(blueprint, "image_build", text="the image is built here"),),
                help="build the image in another blueprint and name it in ray.image"
                + ("; or add connect: direct" if volume.kind == "filestore" else ""),
            )
