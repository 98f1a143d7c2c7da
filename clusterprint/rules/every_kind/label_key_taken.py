from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import names
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP200", severity=Severity.ERROR, source="clusterprint: labels of every resource", firm=True)
def label_key_taken(blueprint: Blueprint, context: Context) -> Iterator[Finding]:
    """A label uses a key that clusterprint sets on every resource.

    Every resource has the label `clusterprint: <name of the cluster>`, which attributes costs and leftovers
    to a cluster. A resource cannot have two labels with the same key.

    Give the label another key, or remove it.
    """
    if names.CLUSTER_LABEL in blueprint.labels:
        yield Finding(
            f"the label {names.CLUSTER_LABEL} is set by clusterprint itself",
            context.at_key(blueprint, "labels", names.CLUSTER_LABEL),
            help=f"remove it: every resource gets {names.CLUSTER_LABEL}: {blueprint.name}",
        )
