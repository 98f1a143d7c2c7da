from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import cluster_ranges, gateways
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE359", severity=Severity.ERROR, source="Google Cloud: proxy-only subnets", firm=True)
def range_too_small_for_proxies(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """The range of the network leaves too little for the proxies of load balancers.

    They get the last of the 32 parts of the range for GPU networks, and Google accepts no subnet for proxies
    that is smaller than a /26.

    Give the network a larger range; `gpu_cidr` must be a /21 at least, `cidr` a /19.
    """
    if not gateways.makes_proxies(blueprint):
        return
    try:
        fits = cluster_ranges.proxies(blueprint.network).prefixlen <= cluster_ranges.PROXY_PREFIX
    except ValueError:
        return  # another rule says that it cannot be cut
    if not fits:
        field = "gpu_cidr" if given(blueprint.network.gpu_cidr) else "cidr"
        yield Finding(
            f"{field} {getattr(blueprint.network, field)} leaves no /26 for the proxies of load balancers",
            context.at(blueprint.network, field),
            help="write a larger range: a /21 at least for gpu_cidr, a /19 for cidr",
        )
