from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE122", severity=Severity.ERROR, source="Google Cloud: regions and zones")
def provisioner_zone_not_in_region(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner creates pools in a zone outside the cluster's region.

    Nodes of a cluster are in its region.

    Name a zone of the region.
    """
    region = context.blueprint.region
    places = [(context.at(provisioner, "zone"), provisioner.zone)] if given(provisioner.zone) else []
    places += [
        (context.at(provisioner, "fallback_zones", index), zone)
        for index, zone in enumerate(provisioner.fallback_zones)
    ]
    for place, zone in places:
        if wrong := elsewhere(zone, region):
            yield Finding(
                wrong.message,
                place,
                also=(context.at(context.blueprint, "region", text="the region"),),
                help=wrong.help or f"name a zone of {region}",
            )
