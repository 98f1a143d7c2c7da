"""The managed instance group that keeps the nodes alive."""

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
    ComputeInstanceGroupManagerInstanceLifecyclePolicy,
    ComputeInstanceGroupManagerResourcePolicies,
    ComputeInstanceGroupManagerTimeouts,
    ComputeInstanceGroupManagerUpdatePolicy,
    ComputeInstanceGroupManagerVersion,
)
from cdktf_cdktf_provider_google.compute_per_instance_config import (
    ComputePerInstanceConfig,
    ComputePerInstanceConfigTimeouts,
)
from cdktf_cdktf_provider_google.compute_resize_request import ComputeResizeRequest
from constructs import Construct

from clusterprint.plan.vm import GroupPlan
from stacks.addresses import addressed
from stacks.vm.template import Template


class Group(Construct):
    """A zonal managed instance group, and its nodes: by name, or queued for all at once.

    The group's own size is never written: it follows from the nodes, and Terraform leaves alone what
    the group does to it. `after` has to be there before the first node boots.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        zone: str,
        template: Template,
        workload_policy: str,
        after: Sequence[TerraformResource],
        plan: GroupPlan,
    ) -> None:
        super().__init__(scope, id)
        wait = f"{plan.wait_minutes}m"
        queue = addressed(DataResource(self, "queue", input={"nodes": plan.queued})) if plan.queued else None
        self.resource = addressed(
            ComputeInstanceGroupManager(
                self,
                "Default",
                name=plan.name,
                base_instance_name=plan.base_instance_name,
                zone=zone,
                depends_on=list(after),
                version=[
                    ComputeInstanceGroupManagerVersion(instance_template=template.resource.self_link_unique)
                ],
                update_policy=_update_policy(plan),
                instance_lifecycle_policy=_lifecycle_policy(plan),
                resource_policies=(
                    ComputeInstanceGroupManagerResourcePolicies(workload_policy=workload_policy)
                    if workload_policy
                    else None
                ),
                timeouts=ComputeInstanceGroupManagerTimeouts(create=wait, update=wait, delete=wait),
                # A queue is granted once, for all nodes; another number of nodes is another queue.
                lifecycle=(
                    TerraformResourceLifecycle(
                        replace_triggered_by=[f"terraform_data.{queue.friendly_unique_id}"]
                    )
                    if queue
                    else None
                ),
            )
        )
        #: What has to be there before all nodes are.
        self.nodes: list[TerraformResource] = [self.resource]
        if queue:
            self._queue(zone, plan)
        elif plan.nodes:
            self._name(zone, plan)

    def _name(self, zone: str, plan: GroupPlan) -> None:
        """Nodes by name: each is created, and after a failure made anew, under its own name."""
        wait = f"{plan.wait_minutes}m"
        node = TerraformIterator.from_list(list(plan.nodes))
        named = addressed(
            ComputePerInstanceConfig(
                self,
                "node",
                for_each=node,
                name=Token.as_string(node.value),
                instance_group_manager=self.resource.name,
                zone=zone,
                remove_instance_on_destroy=True,
                timeouts=ComputePerInstanceConfigTimeouts(create=wait, update=wait, delete=wait),
            )
        )
        self.nodes.append(named)

    def _queue(self, zone: str, plan: GroupPlan) -> None:
        """All nodes at once, as soon as there is room for all; how long they run, the template says."""
        addressed(
            ComputeResizeRequest(
                self,
                "request",
                name=plan.resize_request,
                instance_group_manager=self.resource.name,
                zone=zone,
                resize_by=plan.queued,
            )
        )


def _update_policy(plan: GroupPlan) -> ComputeInstanceGroupManagerUpdatePolicy:
    return ComputeInstanceGroupManagerUpdatePolicy(
        type=plan.update_type,
        minimal_action="REPLACE",
        # Names are kept only if the old node goes before the new one comes.
        replacement_method="RECREATE",
        max_surge_fixed=0,
        max_unavailable_fixed=1,
    )


def _lifecycle_policy(plan: GroupPlan) -> ComputeInstanceGroupManagerInstanceLifecyclePolicy | None:
    """A queued node that is gone is gone: its place was granted once."""
    if not plan.queued:
        return None
    return ComputeInstanceGroupManagerInstanceLifecyclePolicy(default_action_on_failure="DO_NOTHING")
