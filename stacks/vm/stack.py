"""The stack of `kind: vm`."""

from collections.abc import Mapping
from typing import NamedTuple

from cdktf import GcsBackend, TerraformResource, TerraformStack
from constructs import Construct

from clusterprint.plan.vm import NodeGroupPlan, VmPlan, WaitPlan
from clusterprint.plan.vm_end import EndPlan
from clusterprint.plan.volumes import VolumesPlan
from stacks.google.bucket import Bucket
from stacks.google.custom_role import CustomRole
from stacks.google.image_repository import ImageRepository
from stacks.google.key_grants import KeyGrants
from stacks.google.monitoring import Monitoring
from stacks.google.nat import Nat
from stacks.google.network import Network
from stacks.google.outputs import Outputs
from stacks.google.placement_policy import PlacementPolicy
from stacks.google.provider import require_google
from stacks.google.service_account import ServiceAccount
from stacks.google.services import Services
from stacks.google.upload import Upload
from stacks.google.volumes import Volumes
from stacks.kept_data import KeptData
from stacks.vm.end import End
from stacks.vm.group import Group
from stacks.vm.health import HealthCheck, HealthFirewall
from stacks.vm.image import Image
from stacks.vm.ray import RayHead
from stacks.vm.template import Template
from stacks.vm.wait import Wait


def build(scope: Construct, plan: VmPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:  # noqa: ARG001 - refers to no other stack
    """Make the stack of a plan."""
    return VmStack(scope, plan)


class Made(NamedTuple):
    """A group of nodes, and what its nodes are made from."""

    template: Template
    group: Group


class VmStack(TerraformStack):
    """A cluster of virtual machines: names its parts and wires them."""

    def __init__(self, scope: Construct, plan: VmPlan) -> None:
        super().__init__(scope, plan.name)
        GcsBackend(self, bucket=plan.state.bucket, prefix=plan.state.prefix)
        require_google(self, plan.google_provider, project=plan.project, region=plan.region, zone=plan.zone)
        self._plan = plan
        self._enabled = _services(self, plan)
        if plan.key_grants:
            grants = KeyGrants(self, "keys", project=plan.project, after=self._enabled, plans=plan.key_grants)
            self._enabled = [*self._enabled, *grants.resources]
        self.networks = {
            each.key: Network(self, each.key, after=self._enabled, plan=each) for each in plan.networks
        }
        self.account = ServiceAccount(
            self, "account", project=plan.project, after=self._enabled, plan=plan.service_account
        )
        role = (
            CustomRole(
                self, "role", project=plan.project, account=self.account, after=self._enabled, plan=plan.role
            )
            if plan.role
            else None
        )
        admitted = (
            HealthFirewall(
                self,
                "health",
                network=self.networks[plan.health_firewall.network],
                plan=plan.health_firewall,
            )
            if plan.health_firewall
            else None
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
        stored = tuple(zip(plan.buckets, buckets, strict=True))
        own = {each.name: bucket.name for each, bucket in stored}
        self._volumes = self._make_volumes(plan.volumes, own) if plan.volumes else None
        if plan.kept_data:
            stores = self._volumes.stores if self._volumes else ()
            KeptData(self, "kept_data", volumes=stores, plan=plan.kept_data)
        self._remotes = {
            **{each.volume: bucket.name for each, bucket in stored},
            **(self._volumes.remotes if self._volumes else {}),
        }
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
            *(role.grants if role else []),
            *(grant for bucket in buckets for grant in bucket.grants),
            *([admitted.resource] if admitted else []),
            *(grant for repository in repositories for grant in repository.grants),
            *(self._volumes.resources if self._volumes else []),
            *([nat.resource] if nat else []),
            *(upload.resources if upload else []),
        ]
        if plan.ray:
            ready += RayHead(self, "ray-head", nodes=self.account, plan=plan.ray).resources
        if plan.end:
            ready += self._end(plan.end).resources
        self._images = self._build_images([nat.resource] if nat else [])
        made = {each.key: self._nodes(each, after=ready) for each in plan.groups}
        if plan.wait:
            self._wait(made, plan.wait)
        if plan.monitoring:
            Monitoring(self, "monitoring", labels=plan.labels, after=self._enabled, plan=plan.monitoring)
        Outputs(self, "outputs", plan=plan.outputs)

    def _build_images(self, way_out: list[TerraformResource]) -> list[TerraformResource]:
        """Images are built in the network of the nodes, before any of those."""
        found: list[TerraformResource] = []
        for each in self._plan.images:
            subnets = self.networks[each.network].subnets.values() if each.network else ()
            after = [*self._enabled, *subnets, *way_out]
            found.append(Image(self, f"image-{each.family}", after=after, plan=each).resource)
        return found

    def _make_volumes(self, plan: VolumesPlan, buckets: Mapping[str, str]) -> Volumes:
        return Volumes(
            self,
            "volumes",
            network="" if plan.existing_network else self.networks[plan.network].resource.id,
            labels=self._plan.labels,
            buckets=buckets,
            after=self._enabled,
            plan=plan,
        )

    def _end(self, plan: EndPlan) -> End:
        return End(
            self,
            "end",
            project=self._plan.project,
            region=self._plan.region,
            nodes=self.account,
            after=self._enabled,
            plan=plan,
        )

    def _nodes(self, plan: NodeGroupPlan, after: list[TerraformResource]) -> Made:
        """Nodes come last: on their first boot they find their network, their rights and their files."""
        scope = Construct(self, f"nodes-{plan.key}") if plan.key else self
        policy = (
            PlacementPolicy(scope, "placement", after=self._enabled, plan=plan.policy, first=True)
            if plan.policy
            else None
        )
        policy_id = policy.resource.id if policy else plan.existing_policy
        template = Template(
            scope,
            "template",
            plan=plan.template,
            labels=plan.labels,
            subnets={
                key: subnet.id for each in self.networks.values() for key, subnet in each.subnets.items()
            },
            email=self.account.email,
            policies=[policy_id] if plan.placement == "compact" else [],
            remotes=self._remotes,
            after=[*self._enabled, *self._images, *(self._volumes.disk_pools if self._volumes else [])],
        )
        check = (
            HealthCheck(scope, "health-check", after=self._enabled, plan=plan.group.health_check)
            if plan.group.health_check
            else None
        )
        group = Group(
            scope,
            "group",
            health_check=check.resource.id if check else "",
            project=self._plan.project,
            template=template,
            workload_policy=policy_id if plan.placement == "workload" else "",
            after=after,
            plan=plan.group,
        )
        return Made(template, group)

    def _wait(self, made: Mapping[str, Made], plan: WaitPlan) -> None:
        Wait(
            self,
            "wait",
            told_by=_told_by(made),
            after=[resource for each in made.values() for resource in each.group.nodes],
            plan=plan,
        )


def _told_by(made: Mapping[str, Made]) -> dict[str, str]:
    """The resources that are replaced along with nodes: templates of groups, and managed instance groups."""
    templates = {
        f"template {key}".strip(): each.template.resource.self_link_unique for key, each in made.items()
    }
    managers = {
        " ".join(filter(None, ("group", key, part))): manager.id
        for key, each in made.items()
        for part, manager in each.group.managers.items()
    }
    return templates | managers


def _services(stack: TerraformStack, plan: VmPlan) -> list[TerraformResource]:
    """The APIs come before everything that has no other reason to wait."""
    return [Services(stack, "services", services=plan.services).resource] if plan.services else []
