from clusterprint.blueprint.ray.ray import Ray
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_TAKEN = frozenset(
    ("RAY_REDIS_ADDRESS", "REDIS_PASSWORD", "REDIS_USERNAME", "RAY_ADDRESS", "RAY_CLUSTER_NAME", "RAY_PORT")
)


@rule("RAY055", severity=Severity.ERROR, source="KubeRay: validation of Ray clusters")
def environment_of_operator(ray: Ray, context: Context) -> Iterator[Finding]:
    """An environment variable is set that KubeRay sets itself.

    KubeRay refuses Ray clusters that set how the head reaches its Redis server, and overwrites the others.

    Remove it; `fault_tolerance` says where Redis is.
    """
    for name in ray.environment:
        if name in _TAKEN:
            yield Finding(
                f"{name} is set by the operator itself",
                context.at_key(ray, "environment", name),
                help="remove it" + ("; fault_tolerance says where Redis is" if "REDIS" in name else ""),
            )
