"""A cluster that is there already, as Terraform looks it up at each plan."""

from cdktf import Postcondition, TerraformResourceLifecycle, TerraformStack
from cdktf_cdktf_provider_google.data_google_container_cluster import DataGoogleContainerCluster
from constructs import Construct

from clusterprint.plan.kubernetes import ClusterAccessPlan, ExistingPlan, RequirementPlan
from stacks.addresses import addressed
from stacks.google.provider import require_google

# Minor, patch and build of a version of GKE.
_PARTS = r"^1\\.([0-9]+)\\.([0-9]+)-gke\\.([0-9]+)"
# What a patch counts, so that builds never reach the next one.
_PATCH = 1_000_000_000


class ExistingCluster(Construct):
    """An existing cluster, looked up by name.

    It must have what the plan requires, or no plan of Terraform's is made. It depends on nothing: what is
    looked up after something else is made would be unknown while Terraform plans.
    """

    def __init__(self, scope: Construct, id: str, *, plan: ExistingPlan) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            DataGoogleContainerCluster(
                self,
                "Default",
                name=plan.name,
                location=plan.location,
                project=plan.project,
                lifecycle=TerraformResourceLifecycle(
                    postcondition=[
                        Postcondition(condition=_condition(each), error_message=each.message)
                        for each in plan.requirements
                    ]
                )
                if plan.requirements
                else None,
            )
        )
        self.name = self.resource.name
        self.location = plan.location
        self.endpoint = self.resource.endpoint
        self.certificate = self.resource.master_auth.get(0).cluster_ca_certificate
        endpoints = self.resource.control_plane_endpoints_config.get(0)
        self.dns_name = endpoints.dns_endpoint_config.get(0).endpoint


def look_up(
    stack: TerraformStack, plan: ClusterAccessPlan, *, project: str, region: str
) -> ExistingCluster | None:
    """The cluster of a stack that somebody else made; None if we did, or if it is not one of GKE."""
    if plan.existing is None:
        return None
    require_google(stack, plan.existing.google_provider, project=project, region=region)
    return ExistingCluster(stack, "cluster", plan=plan.existing)


def _condition(plan: RequirementPlan) -> str:
    if plan.since:
        return _is_since(plan)
    # A word of ours, or a name with a project's in it: none has quotes.
    value = f'"{plan.value}"'
    if plan.contains:
        return f"${{contains(try(self.{plan.attribute}, []), {value})}}"
    return f'${{try(tostring(self.{plan.attribute}), "") == {value}}}'


def _is_since(plan: RequirementPlan) -> str:
    """A later minor version than all of those, or a late enough one of the same."""
    later = f"tonumber(v[0]) > {max(minor for minor, _, _ in plan.since)}"
    same = [
        f"tonumber(v[0]) == {minor} ? v[1] * {_PATCH} + v[2] >= {patch * _PATCH + build} : false"
        for minor, patch, build in plan.since
    ]
    found = f'regex("{_PARTS}", self.{plan.attribute})'
    return f"${{try(anytrue([for v in [{found}] : anytrue([{', '.join([later, *same])}])]), false)}}"
