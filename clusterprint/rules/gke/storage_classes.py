from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage import KubernetesStorage
from clusterprint.blueprint.storage_classes import StorageClass
from clusterprint.catalog import region_of
from clusterprint.derived import names, volumes
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule, values


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


@rule("GKE431", severity=Severity.ERROR, source="Kubernetes: storage classes", firm=True)
def storage_class_repeated(storage: KubernetesStorage, context: Context) -> Iterator[Finding]:
    """Two storage classes have the same name, or both are the default.

    Of several default classes Kubernetes uses the newest one, which nobody chose.

    Give each a name of its own, and make one the default.
    """
    classes: tuple[StorageClass, ...] = (*storage.disk_classes, *storage.file_classes)
    yield from repeated(
        classes,
        context,
        lambda each: f"there are two storage classes called {each.name}",
        help="give each a name of its own",
    )
    defaults = [each for each, is_default in known(classes, lambda each: each.default) if is_default]
    for each in defaults[1:]:
        yield Finding(
            f"storage class {each.name} is a second default",
            context.at(each, "default"),
            also=(context.at(defaults[0], "default", text="the other one"),),
            help="remove default from one of them",
        )


@rule("GKE435", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def storage_class_out_of_reach(
    made: StorageClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A storage class would create volumes where the cluster cannot use them.

    Its zones are zones of the cluster's region: no pod runs elsewhere, so claims would wait forever.

    Name zones of the region, or remove `zones`.
    """
    blueprint = context.blueprint
    for index, zone in values(made, "zones"):
        if region_of(zone) != blueprint.region:
            yield Finding(
                f"storage class {made.name} is for {zone}, which is not in {blueprint.region}",
                context.at(made, "zones", index),
                also=(context.at(blueprint, "region", text="the cluster"),),
                help=f"name zones of {blueprint.region}, or remove zones",
            )
