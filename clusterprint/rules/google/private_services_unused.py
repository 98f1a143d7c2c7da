from clusterprint.blueprint.storage import Storage
from clusterprint.derived import volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP110", severity=Severity.ERROR, source="The blueprint language: storage.private_services")
def private_services_unused(storage: Storage, context: Context) -> Iterator[Finding]:
    """Private service access is configured, but no volume or storage class uses it.

    The range and its peering are there for file systems that are created: lustre, parallelstore, and
    filestore unless its `connect` is direct. Without one, neither is created.

    Remove `private_services`, or add the volume.
    """
    if not context.wrote(storage, "private_services"):
        return
    services = storage.private_services
    if not any(volumes.in_private_services(storage)):
        yield Finding(
            "no volume uses private service access",
            context.at_key(storage, "private_services"),
            help="remove private_services, or add the volume that uses it",
        )
    elif services.create is False and services.cidr is not UNSET:
        yield Finding(
            f"the range {services.cidr} is not created: private_services.create is false",
            context.at(services, "cidr"),
            help="remove cidr, or create: false",
        )
