"""Resources for building images: registries, accounts, machines."""

from collections.abc import Mapping, Sequence

from cdktf import TerraformResource, TerraformStack

from clusterprint.plan.builds import BuildsPlan
from stacks.addresses import address, terraform_type
from stacks.google.build_pool import BuildPool
from stacks.google.builder import Builder
from stacks.google.network import Network
from stacks.google.private_services import PrivateServices
from stacks.google.registry import Registry

#: Where the peering with Google's services is in a state: with builds alone, and shared with file systems.
_PEERINGS = ("builds_peering", "volumes_services_peering")


def make_builds(
    stack: TerraformStack,
    *,
    project: str,
    region: str,
    labels: Mapping[str, str],
    networks: Mapping[str, Network],
    shared: PrivateServices | None,
    after: Sequence[TerraformResource],
    plan: BuildsPlan,
) -> None:
    """Make what the plan says, in the cluster's own stack: their addresses are in states of users."""
    registries: dict[str, Registry] = {
        each.form: Registry(
            stack, f"registry-{each.form}", region=region, labels=labels, after=after, plan=each
        )
        for each in plan.registries
    }
    if plan.builder:
        Builder(stack, "builder", project=project, registries=registries, after=after, plan=plan.builder)
    if plan.pool:
        pool = BuildPool(
            stack, "builds", region=region, networks=networks, after=after, shared=shared, plan=plan.pool
        )
        _move_peering(stack, pool)


def _move_peering(stack: TerraformStack, pool: BuildPool) -> None:
    """The one peering stays when file systems come to a network that builds, and when they leave it."""
    here = address(pool.peering)
    places = (f"{terraform_type(pool.peering)}.{each}" for each in _PEERINGS)
    stack.add_override("moved", [{"from": each, "to": here} for each in places if each != here])
