from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import existing
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_WHY = {
    "image_build": "its machines are in the network of the cluster",
    "binary_authorization": "it is enabled when a cluster is created",
}


@rule("RAY096", severity=Severity.ERROR, source="clusterprint: existing clusters", firm=True)
def own_cluster_needed(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """A setting would change an existing cluster.

    Builds of images are in the network of the cluster, and binary authorization is a setting of it.

    Remove it, and build the image elsewhere: `ray.image` names it.
    """
    if not existing.is_existing(blueprint) or existing.is_plain(blueprint):
        return
    for field, why in _WHY.items():
        if context.wrote(blueprint, field):
            yield Finding(
                f"{field} needs a cluster that clusterprint creates: {why}",
                context.at_key(blueprint, field),
                also=(context.at_key(blueprint.cluster, "existing", text="the existing cluster"),),
                help=f"remove {field}; name an existing image in ray.image",
            )
