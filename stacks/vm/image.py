"""An image that is built for nodes."""

from collections.abc import Sequence

from cdktf import (
    DataResource,
    LocalExecProvisioner,
    Postcondition,
    TerraformIterator,
    TerraformResource,
    TerraformResourceLifecycle,
    Token,
)
from cdktf_cdktf_provider_google.compute_image_iam_member import ComputeImageIamMember
from cdktf_cdktf_provider_google.data_google_compute_images import DataGoogleComputeImages
from constructs import Construct

from clusterprint.plan.vm_image import NodeImagePlan
from stacks.addresses import addressed


class Image(Construct):
    """Runs a script that builds the image, again whenever it is another one, and sees that it is there.

    No provider builds images: it takes a machine that sets itself up and goes. What is built is no resource,
    so that an image outlives the change to the next one, and the cluster: nodes and others may still have it.
    """

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: NodeImagePlan
    ) -> None:
        super().__init__(scope, id)
        built = addressed(
            DataResource(
                self,
                "Default",
                triggers_replace={"image": plan.name},
                depends_on=list(after),
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
        addressed(
            DataGoogleComputeImages(
                self,
                "there",
                project=plan.project,
                filter=f'name = "{plan.name}"',
                depends_on=[built],
                lifecycle=TerraformResourceLifecycle(
                    postcondition=[
                        Postcondition(condition="${length(self.images) == 1}", error_message=plan.missing)
                    ]
                ),
            )
        )
        #: Whoever boots from the image waits for it.
        self.resource = built
        if plan.users:
            user = TerraformIterator.from_list(list(plan.users))
            addressed(
                ComputeImageIamMember(
                    self,
                    "user",
                    for_each=user,
                    project=plan.project,
                    image=plan.name,
                    role=plan.users_role,
                    member=Token.as_string(user.value),
                    depends_on=[built],
                )
            )
