from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import StorageClass
from clusterprint.derived import names, volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE430", severity=Severity.ERROR, source="Google Cloud: GKE, default StorageClasses", firm=True)
def storage_class_name_taken(made: StorageClass, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A storage class has the name of one that exists already.

    GKE creates classes in each cluster, and a volume with a disk for each pod has a class, too. A class
    cannot be created twice, and its parameters never change: the apply would fail.

    Give it another name.
    """
    if made.name in catalog.storage_classes():
        yield Finding(
            f"{made.name} is a storage class that GKE creates",
            context.at(made, "name"),
            help="give it another name",
        )
    cluster = context.blueprint.name
    for volume, _ in known(context.blueprint.storage.volumes, lambda each: (each.name, each.kind)):
        if volumes.is_own_disk(volume) and names.storage_class(cluster, volume.name) == made.name:
            yield Finding(
                f"{made.name} is the storage class of volume {volume.name}",
                context.at(made, "name"),
                also=(context.at(volume, "name", text="this volume"),),
                help="give it another name, or use that class",
            )
