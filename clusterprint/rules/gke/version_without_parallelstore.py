from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._versions import help_text, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule(
    "GKE212", severity=Severity.WARNING, source="Terraform provider google: parallelstore_csi_driver_config"
)
def version_without_parallelstore(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """This GKE version is not known to include the Parallelstore driver.

    Autopilot clusters have the driver since 1.29. For Standard clusters no earlier version is documented.

    Write the version that the help names; if it says so, remove `version` to get the default of the release
    channel.
    """
    version, feature = version_of(cluster), catalog.gke_feature("parallelstore")
    if version is None or feature.is_in(version):
        return
    for volume, kind in known(context.blueprint.storage.volumes, lambda each: each.kind):
        if kind == "parallelstore":
            yield Finding(
                f"GKE {cluster.version} is not known to include the Parallelstore driver, which volume "
                f"{volume.name} needs",
                context.at(cluster, "version"),
                also=(context.at(volume, "kind", text="the volume"),),
                help=help_text(feature.first_after(version), cluster, context),
            )
            return
