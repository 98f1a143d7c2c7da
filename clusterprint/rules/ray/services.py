from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.blueprint.ray.jobs import NcclTest, ServeConfig
from clusterprint.rules import _texts
from clusterprint.rules.gke._gateways import at_one_address
from clusterprint.rules.gke._pools import gpus
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, given, known, rule
from clusterprint.rules.ray._shared_nodes import shares
from clusterprint.rules.ray._workers import pools_of


@rule("RAY120", severity=Severity.ERROR, firm=True)
def services_at_one_address(gateway: Gateway, context: Context) -> Iterator[Finding]:
    yield from at_one_address(gateway.routes, "services", lambda each: each.service, context)


@rule("RAY123", severity=Severity.NOTE)
def gateway_without_routes(gateway: Gateway, context: Context) -> Iterator[Finding]:
    if not gateway.routes:
        yield Finding(
            "the gateway leads to no service, and answers every request with an error",
            context.at(gateway),
            help="add routes, such as [{service: chat}]",
        )


@rule("RAY071", severity=Severity.WARNING)
def no_room_for_update_of_service(
    _blueprint: RayBlueprint, context: Context[RayBlueprint]
) -> Iterator[Finding]:
    for share in shares(context):
        update = share.largest_update
        if update is None or share.total > share.nodes:
            continue
        service, more = update
        if share.total + more > share.nodes:
            missing = share.total + more - share.nodes
            yield Finding(
                f"an update of service {service.name} temporarily needs {counted(more, 'more node')}, and "
                f"{share.place} {share.has} {missing} too few",
                context.at(service, "name"),
                also=(context.at(share.group, "min", text="what the Ray cluster has"),),
                help="lower min in workers of the service, or let the pool have more nodes",
            )


@rule("RAY043", severity=Severity.ERROR)
def serve_config_not_readable(config: ServeConfig, context: Context) -> Iterator[Finding]:
    content = _texts.content(config, context)
    if content is None or not _texts.is_text(content):
        return
    try:
        found = YAML(typ="safe", pure=True).load(content.decode())
    except YAMLError as error:
        problem = str(getattr(error, "problem", "") or error).splitlines()[0]
        yield _finding(config, context, f"is not YAML: {problem}")
        return
    if not isinstance(found, dict) or not found.get("applications"):
        yield _finding(config, context, "has no applications")


def _finding(config: ServeConfig, context: Context, what: str) -> Finding:
    return Finding(
        f"{_texts.name(config)} {what}",
        context.at(config, _texts.field(config)),
        help="write a map with `applications`, as `serve build` does",
    )


@rule("RAY044", severity=Severity.ERROR, firm=True)
def nothing_to_test(test: NcclTest, context: Context[RayBlueprint]) -> Iterator[Finding]:
    workers = context.blueprint.ray.workers
    if given(test.worker):
        found = next(
            (each for each, name in known(workers, lambda item: item.name) if name == test.worker), None
        )
    else:
        found = next((each for each in workers if any(gpus(pool) for pool in pools_of(each, context))), None)
    if found is None:
        if not given(test.worker) and all(pools_of(each, context) for each in workers):
            yield Finding("no workers have GPUs to test", context.at_key(test), help="remove nccl_test")
    elif not any(gpus(pool) for pool in pools_of(found, context)):
        if pools_of(found, context):
            yield Finding(f"workers {found.name} have no GPUs to test", context.at(test, "worker"))
    elif test.nodes > found.max:
        yield Finding(
            f"the test needs {test.nodes} workers, but {found.name} has at most {found.max}",
            context.at(test, "nodes"),
            also=(context.at(found, "max", text="the maximum"),),
            help=f"write nodes: {found.max}, or raise max",
        )
