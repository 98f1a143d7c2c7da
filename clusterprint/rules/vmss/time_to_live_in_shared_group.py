from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived.scale_sets import is_uniform
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ044", severity=Severity.WARNING, source="Azure: built-in roles, Virtual Machine Contributor")
def time_to_live_in_shared_group(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """The head of a flexible cluster with an end may change all machines of an existing resource group.

    The machines of a flexible set are resources of their own, so the right to stop them is one on the whole
    resource group. Where others have machines in it, anyone who logs in to the head could stop or change
    those.

    Let the cluster create a resource group of its own, or remove `time_to_live`.
    """
    if blueprint.time_to_live is UNSET or blueprint.create_resource_group:
        return
    if not is_uniform(blueprint.nodes):
        yield Finding(
            f"the head could stop and change every machine in resource group {blueprint.resource_group}",
            context.at_key(blueprint, "time_to_live"),
            also=(context.at(blueprint, "create_resource_group", text="which the cluster does not create"),),
            help="let the cluster create a resource group of its own, or remove time_to_live",
        )
