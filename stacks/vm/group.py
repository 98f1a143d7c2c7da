"""The managed instance groups that keep the nodes alive.

Nodes keep their names, so the size of a group is never set. On-demand, spot and reserved nodes are
per-instance configs, created by name, and keep their boot disks. Flex-start nodes are one queued request, all
or nothing: Compute Engine names them, and another number of nodes is another request and another group. A
placement policy cannot be removed from running nodes either, so groups and policies are named after it.
"""

from collections.abc import Sequence

from cdktf import (
    DataResource,
    TerraformIterator,
    TerraformResource,
    TerraformResourceLifecycle,
    Token,
)
from cdktf_cdktf_provider_google.compute_instance_group_manager import (
    ComputeInstanceGroupManager,
    ComputeInstanceGroupManagerAutoHealingPolicies,
    ComputeInstanceGroupManagerInstanceLifecyclePolicy,
    ComputeInstanceGroupManagerResourcePolicies,
    ComputeInstanceGroupManagerStatefulDisk,
    ComputeInstanceGroupManagerStatefulExternalIp,
    ComputeInstanceGroupManagerTimeouts,
    ComputeInstanceGroupManagerUpdatePolicy,
    ComputeInstanceGroupManagerVersion,
)
from cdktf_cdktf_provider_google.compute_per_instance_config import (
    ComputePerInstanceConfig,
    ComputePerInstanceConfigPreservedState,
    ComputePerInstanceConfigTimeouts,
)
from cdktf_cdktf_provider_google.compute_resize_request import ComputeResizeRequest
from constructs import Construct

from clusterprint.plan.vm import GroupPartPlan, GroupPlan
from stacks.addresses import address, addressed
from stacks.vm import arrival
from stacks.vm.template import Template


class Group(Construct):
    """Zonal managed instance groups, mostly one, and their nodes: by name, or queued for all at once.

    A group's own size is never written: it follows from the nodes, and Terraform leaves alone what
    the group does to it. `health_check` is empty where none is asked for. `after` has to be there
    before the first node boots.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        template: Template,
        workload_policy: str,
        health_check: str,
        after: Sequence[TerraformResource],
        plan: GroupPlan,
    ) -> None:
        super().__init__(scope, id)
        # A queue is granted once, for all nodes; another number of nodes is another queue.
        queue = addressed(DataResource(self, "queue", input={"nodes": plan.queued})) if plan.queued else None
        follows = [f"terraform_data.{queue.friendly_unique_id}"] if queue else []
        #: What has to be there before all nodes are, and been waited for.
        self.nodes: list[TerraformResource] = []
        #: The managed instance groups, by the keys of their parts: a node in another one is another node.
        self.managers: dict[str, ComputeInstanceGroupManager] = {}
        for part in plan.parts:
            inside = Construct(self, part.key) if part.key else self
            manager = addressed(
                _manager(
                    inside,
                    template=template,
                    workload_policy=workload_policy,
                    health_check=health_check,
                    after=after,
                    follows=follows,
                    plan=plan,
                    part=part,
                )
            )
            self.managers[part.key] = manager
            # What is in a group goes with it, and Terraform sees nothing of that when the new one has the
            # same name.
            with_group = TerraformResourceLifecycle(replace_triggered_by=[f"{address(manager)}.id"])
            if queue:
                request = _queue(inside, manager, with_group, plan, part)
                self.nodes.append(request)
                if part.arrival:
                    arrival.check_request(request, part.arrival)
            elif part.arrival:
                nodes = _name(inside, manager, with_group, plan, part)
                waited = arrival.wait(inside, manager, nodes, part.arrival)
                self.nodes += [nodes, waited]
                arrival.check_group(inside, project, part, waited, part.arrival)


def _manager(
    scope: Construct,
    *,
    template: Template,
    workload_policy: str,
    health_check: str,
    after: Sequence[TerraformResource],
    follows: list[str],
    plan: GroupPlan,
    part: GroupPartPlan,
) -> ComputeInstanceGroupManager:
    wait = f"{plan.wait_minutes}m"
    return ComputeInstanceGroupManager(
        scope,
        "Default",
        name=part.name,
        base_instance_name=plan.base_instance_name,
        zone=part.zone,
        depends_on=list(after),
        version=[ComputeInstanceGroupManagerVersion(instance_template=template.resource.self_link_unique)],
        update_policy=_update_policy(plan, part),
        instance_lifecycle_policy=ComputeInstanceGroupManagerInstanceLifecyclePolicy(
            default_action_on_failure="REPAIR" if plan.repair else "DO_NOTHING",
            # By default, a repair recreates a node from the template that it came from.
            force_update_on_repair="YES" if plan.repair else None,
        ),
        auto_healing_policies=(
            ComputeInstanceGroupManagerAutoHealingPolicies(
                health_check=health_check, initial_delay_sec=plan.health_check.initial_delay_seconds
            )
            if plan.health_check
            else None
        ),
        # Until somebody takes the node out for good: then its disks go, too.
        stateful_disk=[
            ComputeInstanceGroupManagerStatefulDisk(
                device_name=each, delete_rule="ON_PERMANENT_INSTANCE_DELETION"
            )
            for each in plan.kept_disks
        ]
        or None,
        stateful_external_ip=(
            [
                ComputeInstanceGroupManagerStatefulExternalIp(
                    interface_name="nic0", delete_rule="ON_PERMANENT_INSTANCE_DELETION"
                )
            ]
            if plan.keep_public_ip
            else None
        ),
        resource_policies=(
            ComputeInstanceGroupManagerResourcePolicies(workload_policy=workload_policy)
            if workload_policy
            else None
        ),
        timeouts=ComputeInstanceGroupManagerTimeouts(create=wait, update=wait, delete=wait),
        lifecycle=TerraformResourceLifecycle(replace_triggered_by=follows) if follows else None,
    )


def _name(
    scope: Construct,
    manager: ComputeInstanceGroupManager,
    lifecycle: TerraformResourceLifecycle,
    plan: GroupPlan,
    part: GroupPartPlan,
) -> ComputePerInstanceConfig:
    """Nodes by name: each is created, and after a failure recreated, under its own name."""
    wait = f"{plan.wait_minutes}m"
    node = TerraformIterator.from_list(list(part.nodes))
    name = Token.as_string(node.value)
    return addressed(
        ComputePerInstanceConfig(
            scope,
            "node",
            for_each=node,
            name=name,
            instance_group_manager=manager.name,
            zone=part.zone,
            # Not known to be kept and listed by the API without any state of its own.
            preserved_state=ComputePerInstanceConfigPreservedState(metadata={_NODE_KEY: name}),
            remove_instance_on_destroy=True,
            timeouts=ComputePerInstanceConfigTimeouts(create=wait, update=wait, delete=wait),
            lifecycle=lifecycle,
        )
    )


# A key of the metadata of each node that is known by name.
_NODE_KEY = "clusterprint-node"


def _queue(
    scope: Construct,
    manager: ComputeInstanceGroupManager,
    lifecycle: TerraformResourceLifecycle,
    plan: GroupPlan,
    part: GroupPartPlan,
) -> ComputeResizeRequest:
    """All nodes at once, as soon as there is room for all; how long they run, the template says."""
    return addressed(
        ComputeResizeRequest(
            scope,
            "request",
            name=plan.resize_request,
            instance_group_manager=manager.name,
            zone=part.zone,
            resize_by=plan.queued,
            lifecycle=lifecycle,
        )
    )


def _update_policy(plan: GroupPlan, part: GroupPartPlan) -> ComputeInstanceGroupManagerUpdatePolicy:
    return ComputeInstanceGroupManagerUpdatePolicy(
        type=plan.update_type,
        minimal_action="REPLACE",
        # Names are kept only if the old node goes before the new one comes.
        replacement_method="RECREATE",
        max_surge_fixed=0,
        max_unavailable_fixed=part.batch,
    )
