"""The stack of `kind: vm`."""

from collections.abc import Mapping

from cdktf import GcsBackend, TerraformResource, TerraformStack
from cdktf_cdktf_provider_google.provider import GoogleProvider
from constructs import Construct

from clusterprint.plan.vm import NodeGroupPlan, VmPlan
from stacks.google.bucket import Bucket
from stacks.google.image_repository import ImageRepository
from stacks.google.nat import Nat
from stacks.google.network import Network
from stacks.google.outputs import Outputs
from stacks.google.placement_policy import PlacementPolicy
from stacks.google.service_account import ServiceAccount
from stacks.google.services import Services
from stacks.google.upload import Upload
from stacks.vm.group import Group
from stacks.vm.template import Template


def build(scope: Construct, plan: VmPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:  # noqa: ARG001 - refers to no other stack
    """Make the stack of a plan."""
    return VmStack(scope, plan)


class VmStack(TerraformStack):
    """A cluster of virtual machines: names its parts and wires them."""

    def __init__(self, scope: Construct, plan: VmPlan) -> None:
        super().__init__(scope, plan.name)
        GcsBackend(self, bucket=plan.state.bucket, prefix=plan.state.prefix)
        GoogleProvider(self, "google", project=plan.project, region=plan.region, zone=plan.zone)
        self._plan = plan
        self._enabled = _services(self, plan)
        self.networks = {
            each.key: Network(self, each.key, after=self._enabled, plan=each) for each in plan.networks
        }
        self.account = ServiceAccount(
            self, "account", project=plan.project, after=self._enabled, plan=plan.service_account
        )
        nat = Nat(self, "nat", network=self.networks[plan.nat.network], plan=plan.nat) if plan.nat else None
        buckets = [
            Bucket(
                self,
                f"bucket-{each.name}",
                account=self.account,
                labels=plan.labels,
                after=self._enabled,
                plan=each,
            )
            for each in plan.buckets
        ]
        repositories = [
            ImageRepository(
                self,
                f"images-{each.location}-{each.name}",
                account=self.account,
                after=self._enabled,
                plan=each,
            )
            for each in plan.image_repositories
        ]
        upload = Upload(self, "files", account=self.account, plan=plan.upload) if plan.upload else None
        ready = [
            *self.account.grants,
            *(grant for bucket in buckets for grant in bucket.grants),
            *(grant for repository in repositories for grant in repository.grants),
            *([nat.resource] if nat else []),
            *(upload.resources if upload else []),
        ]
        for each in plan.groups:
            self._nodes(each, after=ready)
        Outputs(self, "outputs", plan=plan.outputs)

    def _nodes(self, plan: NodeGroupPlan, after: list[TerraformResource]) -> None:
        """Nodes come last: on their first boot they find their network, their rights and their files."""
        scope = Construct(self, f"nodes-{plan.key}") if plan.key else self
        policy = (
            PlacementPolicy(scope, "placement", after=self._enabled, plan=plan.policy)
            if plan.policy
            else None
        )
        policy_id = policy.resource.id if policy else ""
        compact = plan.policy is not None and plan.policy.kind == "compact"
        template = Template(
            scope,
            "template",
            plan=plan.template,
            labels=plan.labels,
            subnets={
                key: subnet.id for each in self.networks.values() for key, subnet in each.subnets.items()
            },
            email=self.account.email,
            policies=[policy_id] if compact else [],
            after=self._enabled,
        )
        Group(
            scope,
            "group",
            zone=plan.zone,
            template=template,
            workload_policy=policy_id if policy and not compact else "",
            after=after,
            plan=plan.group,
        )


def _services(stack: TerraformStack, plan: VmPlan) -> list[TerraformResource]:
    """The APIs come before everything that has no other reason to wait."""
    return [Services(stack, "services", services=plan.services).resource] if plan.services else []
