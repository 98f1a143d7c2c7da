from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import existing, gateways
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE358", severity=Severity.NOTE)
def proxies_in_existing_network(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    part = blueprint.cluster if existing.is_existing(blueprint) else blueprint.network
    of_google = gateways.has_proxies(blueprint) and not existing.is_plain(blueprint)
    if of_google and not existing.makes_network(blueprint):
        yield Finding(
            f"load balancers of {blueprint.name} need a proxy-only subnet of the existing network in "
            f"{blueprint.region}",
            context.at(part, "existing"),
            help="have its owner create one, unless there is one",
        )
