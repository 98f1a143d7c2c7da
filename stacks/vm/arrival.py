"""The script that waits for the nodes during an apply, and the check that reports missing nodes at each plan.

Google's API accepts requests for nodes and creates machines later or never, and the provider has no way to
wait. The script in `nodes/deploy` waits, with `gcloud`, and only reads; in the simulated cloud it finds that
cloud's `gcloud`.
"""

from cdktf import (
    DataResource,
    LocalExecProvisioner,
    TerraformDataSource,
    TerraformResource,
    TerraformStack,
)
from cdktf_cdktf_provider_google.data_google_compute_instance_group_manager import (
    DataGoogleComputeInstanceGroupManager,
)
from constructs import Construct

from clusterprint.plan.vm import ArrivalPlan, GroupPartPlan
from stacks.addresses import address, addressed


def wait(
    scope: Construct, manager: TerraformResource, nodes: TerraformResource, plan: ArrivalPlan
) -> DataResource:
    """Let an apply that asks for nodes wait until their group has them, and fail if it does not get them."""
    return addressed(
        DataResource(
            scope,
            "arrival",
            # Other nodes, or the same ones in another group, are waited for once more.
            triggers_replace={"group": f"${{{address(manager)}.id}}", "nodes": plan.environment["NODES"]},
            depends_on=[nodes],
            provisioners=[
                LocalExecProvisioner(
                    type="local-exec",
                    interpreter=["bash"],
                    command=plan.script,
                    environment=plan.environment,
                    working_dir="${path.module}",
                )
            ],
        )
    )


def check_group(
    scope: Construct, project: str, part: GroupPartPlan, after: TerraformResource, plan: ArrivalPlan
) -> None:
    """Say at each plan and apply whether the group of a part has all of its nodes."""
    # Not inside of the check, which Terraform would have read again by each plan: none would be empty.
    found = addressed(
        DataGoogleComputeInstanceGroupManager(
            scope, "now", project=project, zone=part.zone, name=part.name, depends_on=[after]
        )
    )
    _check(found, f"data.{address(found)}.status[0].is_stable", plan)


def check_request(request: TerraformResource, plan: ArrivalPlan) -> None:
    """Say at each plan and apply whether a request for nodes has been granted."""
    _check(request, f'{address(request)}.state == "SUCCEEDED"', plan)


def _check(about: TerraformResource | TerraformDataSource, condition: str, plan: ArrivalPlan) -> None:
    said = {"condition": f"${{{condition}}}", "error_message": plan.missing}
    # The engine knows no checks.
    TerraformStack.of(about).add_override(f"check.{about.friendly_unique_id}", {"assert": said})
