from ipaddress import IPv4Network

from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.storage import Storage
from clusterprint.derived import service_ranges, volumes
from clusterprint.rules import _ranges
from clusterprint.rules.google._own_ranges import own_ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("GCP110", severity=Severity.ERROR)
def private_services_unused(storage: Storage, context: Context) -> Iterator[Finding]:
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


@rule("GCP112", severity=Severity.ERROR, firm=True)
def private_services_range_unfit(storage: Storage, context: Context[NetworkedBlueprint]) -> Iterator[Finding]:
    services = storage.private_services
    needed = any(volumes.in_private_services(storage))
    if services.create is True and services.cidr is UNSET and needed and _existing(context.blueprint):
        yield Finding(
            "private service access of an existing network needs a range, and none is given",
            context.at(services, "create"),
            help="add cidr: a range that is free there, such as 10.100.0.0/20",
        )
    if services.cidr is UNSET:
        yield from _of_itself(storage, context)
        return
    problem = _problem(services.cidr, service_ranges.least_prefix(storage))
    if problem:
        yield Finding(problem, context.at(services, "cidr"), help="write a free range, such as 10.100.0.0/20")
        return
    wanted = IPv4Network(services.cidr)
    network = context.blueprint.network
    written = own_ranges(network, context)
    for each, cidr in known(written, lambda one: _ranges.read(one.text)):
        if cidr and cidr.overlaps(wanted):
            yield Finding(
                f"the range {wanted} of private services overlaps {each.field} {cidr}",
                context.at(services, "cidr"),
                also=(each.place,) if context.wrote(network, each.field) else (),
                help="choose a range outside of it",
            )


def _of_itself(storage: Storage, context: Context[NetworkedBlueprint]) -> Iterator[Finding]:
    """The range that is taken where nothing is said, and what it is too small for."""
    most = service_ranges.least_prefix(storage)
    is_made = storage.private_services.create is not False and not _existing(context.blueprint)
    if is_made and most < service_ranges.DEFAULT_PREFIX:
        yield Finding(
            f"private services have a /{service_ranges.DEFAULT_PREFIX} if nothing is said, and these volumes "
            f"need a /{most} or larger",
            context.at_key(storage, "volumes" if context.wrote(storage, "volumes") else "file_classes"),
            help=f"add private_services: {{cidr: a free range}}, such as 10.100.0.0/{most}",
        )


def _existing(blueprint: NetworkedBlueprint) -> bool:
    return blueprint.network.existing is not UNSET


def _problem(cidr: str, most: int) -> str:
    network = _ranges.read(cidr)
    if network is None:
        return f"{cidr} is not a range: {_ranges.fault(cidr)}"
    if not _ranges.is_canonical(cidr):
        return f"{cidr} has bits set after its prefix: the network is {network}"
    if not _ranges.is_private(network) or _ranges.reserved(network) or network.overlaps(_ranges.DOCKER):
        return f"{cidr} is not private, or is reserved"
    if network.prefixlen > most:
        return f"{cidr} is too small for the volumes: they need a /{most} or larger"
    return ""
