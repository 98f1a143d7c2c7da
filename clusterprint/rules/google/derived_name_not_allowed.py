from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import google_names
from clusterprint.rules import _names
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP050", severity=Severity.ERROR, source="Google Cloud: names of resources and objects", firm=True)
def derived_name_not_allowed(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """A name that is derived from the cluster's name or the state prefix is not allowed.

    Everything that a cluster is made of has a name derived from these two. Google refuses a name that is too
    long only when that resource is created, with half of the cluster already there.

    Shorten the name of the cluster, or the state prefix; where a group of machines in several zones is named,
    a shorter name of that group helps, too.
    """
    derived = (*google_names.of_kind(blueprint.kind), *google_names.of_zones(blueprint))
    yield from _names.not_allowed(derived, blueprint, context)
