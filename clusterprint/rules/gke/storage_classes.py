from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage import KubernetesStorage
from clusterprint.blueprint.storage_classes import StorageClass
from clusterprint.catalog import region_of
from clusterprint.derived import names, volumes
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule, values


@rule("GKE430", severity=Severity.ERROR, firm=True)
def storage_class_name_taken(made: StorageClass, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
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


@rule("GKE431", severity=Severity.ERROR, firm=True)
def storage_class_repeated(storage: KubernetesStorage, context: Context) -> Iterator[Finding]:
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


@rule("GKE435", severity=Severity.ERROR, firm=True)
def storage_class_out_of_reach(
    made: StorageClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    blueprint = context.blueprint
    for index, zone in values(made, "zones"):
        if region_of(zone) != blueprint.region:
            yield Finding(
                f"storage class {made.name} is for {zone}, which is not in {blueprint.region}",
                context.at(made, "zones", index),
                also=(context.at(blueprint, "region", text="the cluster"),),
                help=f"name zones of {blueprint.region}, or remove zones",
            )
