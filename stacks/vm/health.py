"""Health checks that recreate nodes."""

from collections.abc import Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.compute_firewall import ComputeFirewall, ComputeFirewallAllow
from cdktf_cdktf_provider_google.compute_health_check import (
    ComputeHealthCheck,
    ComputeHealthCheckHttpHealthCheck,
)
from constructs import Construct

from clusterprint.plan.vm import HealthCheckPlan, HealthFirewallPlan
from stacks.addresses import addressed
from stacks.google.network import Network


class HealthCheck(Construct):
    """How the group asks its nodes for their health. `after` has to be there before it."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: HealthCheckPlan
    ) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            ComputeHealthCheck(
                self,
                "Default",
                name=plan.name,
                check_interval_sec=plan.interval_seconds,
                timeout_sec=plan.timeout_seconds,
                unhealthy_threshold=plan.unhealthy_threshold,
                http_health_check=ComputeHealthCheckHttpHealthCheck(port=plan.port, request_path=plan.path),
                depends_on=list(after),
                # It is taken down after its group was told to do without it: in use it cannot go.
                lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
            )
        )


class HealthFirewall(Construct):
    """Lets health checks in: without it every node would count as broken."""

    def __init__(self, scope: Construct, id: str, *, network: Network, plan: HealthFirewallPlan) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            ComputeFirewall(
                self,
                "Default",
                name=plan.name,
                network=network.resource.id,
                direction="INGRESS",
                source_ranges=list(plan.ranges),
                allow=[ComputeFirewallAllow(protocol="tcp", ports=[str(plan.port)])],
            )
        )
