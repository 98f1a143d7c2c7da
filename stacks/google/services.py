"""The Google Cloud APIs that a cluster needs."""

from cdktf import TerraformIterator, Token
from cdktf_cdktf_provider_google.project_service import ProjectService
from constructs import Construct


class Services(Construct):
    """APIs enabled in the project; they stay when the cluster goes, because others may use them."""

    def __init__(self, scope: Construct, id: str, *, services: tuple[str, ...]) -> None:
        super().__init__(scope, id)
        each = TerraformIterator.from_list(list(services))
        self.resource = ProjectService(
            self, "Default", for_each=each, service=Token.as_string(each.value), disable_on_destroy=False
        )
