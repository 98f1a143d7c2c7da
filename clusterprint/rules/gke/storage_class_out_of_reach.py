from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import StorageClass
from clusterprint.catalog import region_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule, values


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
