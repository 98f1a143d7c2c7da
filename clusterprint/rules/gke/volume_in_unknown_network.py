from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule

_OUTSIDE_OF_NETWORKS = ("bucket", "disk")


@rule("GKE296", severity=Severity.ERROR, source="Google Cloud: private services access", firm=True)
def volume_in_unknown_network(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A file system would be created in the network of an existing cluster, which is not known here.

    File systems have addresses in the network of their clients, and what lets them in there
    belongs to the owner of the network.

    Have the owner create it, and mount it with `create: false`; or use a bucket.
    """
    if not given(blueprint.cluster.existing):
        return
    for volume, (kind, create) in known(blueprint.storage.volumes, lambda each: (each.kind, each.create)):
        if kind not in _OUTSIDE_OF_NETWORKS and create:
            yield Finding(
                f"volume {volume.name} would be created in the network of an existing cluster",
                context.at(volume, "kind"),
                also=(context.at_key(blueprint.cluster, "existing", text="the existing cluster"),),
                help="write create: false to mount an existing one, or kind: bucket",
            )
    for files in blueprint.storage.file_classes:
        yield Finding(
            f"storage class {files.name} would create file systems in the network of an existing cluster",
            context.at(files, "kind"),
            also=(context.at_key(blueprint.cluster, "existing", text="the existing cluster"),),
            help="remove it, and use a storage class that the owner of the cluster creates",
        )
