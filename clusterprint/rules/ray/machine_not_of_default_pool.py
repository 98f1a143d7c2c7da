from clusterprint.blueprint.gke.image_build import ImageBuild
from clusterprint.derived.builds import DEFAULT_POOL_MACHINES
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY107", severity=Severity.ERROR, source="Cloud Build: machine types of the default pool", firm=True)
def machine_not_of_default_pool(build: ImageBuild, context: Context) -> Iterator[Finding]:
    """Cloud Build's default pool does not have this machine type.

    The default pool has a few machine types; others need a private pool.

    Write one of these, leave `machine_type` out, or write `pool: private`.
    """
    if build.pool != "default" or not given(build.machine_type):
        return
    if build.machine_type not in DEFAULT_POOL_MACHINES:
        *others, last = DEFAULT_POOL_MACHINES
        yield Finding(
            f"Cloud Build's default pool has no {build.machine_type}",
            context.at(build, "machine_type"),
            also=(context.at(build, "pool", text="the pool"),),
            help=f"write {', '.join(others)} or {last}, or pool: private",
        )
