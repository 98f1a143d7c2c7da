from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived.queues import TOPOLOGY_SINCE, version
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE234", severity=Severity.ERROR, source="Kueue: changelog of 0.14")
def topology_too_new_for_kueue(kueue: Kueue, context: Context) -> Iterator[Finding]:
    """Jobs are placed by topology, which this version of Kueue does not do by default.

    Before 0.14 it had to be enabled, and its objects were of another version.

    Leave `version` out, or use a newer one.
    """
    if given(kueue.version) and kueue.topology_pools and version(kueue.version) < TOPOLOGY_SINCE:
        least = ".".join(map(str, TOPOLOGY_SINCE))
        yield Finding(
            f"Kueue {kueue.version} does not place jobs by topology; {least} is the first that does",
            context.at(kueue, "version"),
            also=(context.at(kueue, "topology_pools", text="set here"),),
            help="leave version out",
        )
