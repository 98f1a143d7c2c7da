from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.derived.builds import private_build
from clusterprint.rules.google._host_network import host_network
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("RAY082", severity=Severity.ERROR, firm=True)
def build_beside_private_services(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    network = blueprint.network.existing
    build = private_build(blueprint)
    if build is None or network is UNSET or blueprint.storage.private_services.create is True:
        return
    own = host_network(blueprint) is None
    for made, needed in known(volumes.with_classes(blueprint.storage), volumes.needs_private_services):
        if needed:
            yield Finding(
                f"{_noun(made)} {made.name} needs the private services that network {network.name} has, "
                "which the machines that build images would create",
                context.at(made, "kind"),
                also=(context.at_key(build, text="an image is built here"),),
                help="write pool: default for the build, or build the image in another blueprint"
                + ("; or add connect: direct" if made.kind == "filestore" and own else ""),
            )


def _noun(made: GoogleVolume | FileClass) -> str:
    return "storage class" if isinstance(made, FileClass) else "volume"
