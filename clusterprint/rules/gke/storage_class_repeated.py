from clusterprint.blueprint.storage import KubernetesStorage
from clusterprint.blueprint.storage_classes import StorageClass
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


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
