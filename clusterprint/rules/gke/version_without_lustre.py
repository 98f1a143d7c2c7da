from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.derived import volumes
from clusterprint.rules.gke._versions import help_text, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE210", severity=Severity.ERROR, source="Google Cloud: Managed Lustre CSI driver", firm=True)
def version_without_lustre(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """The version of GKE is older than those that can mount Managed Lustre at its default port.

    Older nodes use port 988 for something else, so their driver and the instance would both have to be
    switched to another one, which Google is phasing out.

    Write the version that the help names; if it says so, `version` may also be left out, for the default of
    the release channel.
    """
    version, feature = version_of(cluster), catalog.gke_feature("lustre")
    if version is None or feature.is_in(version):
        return
    for made, kind in known(volumes.with_classes(context.blueprint.storage), lambda each: each.kind):
        if kind == "lustre":
            what = "storage class" if isinstance(made, FileClass) else "volume"
            yield Finding(
                f"GKE {cluster.version} cannot mount Managed Lustre, which {what} {made.name} is",
                context.at(cluster, "version"),
                also=(context.at(made, "kind", text=f"the {what}"),),
                help=help_text(feature.first_after(version), cluster, context),
            )
            return
