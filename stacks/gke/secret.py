"""A secret, without its value."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.secret_manager_regional_secret import (
    SecretManagerRegionalSecret,
    SecretManagerRegionalSecretCustomerManagedEncryption,
)
from cdktf_cdktf_provider_google.secret_manager_secret import (
    SecretManagerSecret,
    SecretManagerSecretReplication,
    SecretManagerSecretReplicationAuto,
)
from constructs import Construct

from clusterprint.plan.gke.cluster import SecretPlan
from stacks.protection import prevent_destroy


class Secret(Construct):
    """A secret of Secret Manager, global or regional. Its value is added by others, so no state holds it."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: SecretPlan,
    ) -> None:
        super().__init__(scope, id)
        kept = prevent_destroy(protected=plan.protected)
        self.resource: TerraformResource
        if plan.location:
            self.resource = SecretManagerRegionalSecret(
                self,
                "Default",
                project=project,
                location=plan.location,
                secret_id=plan.name,
                customer_managed_encryption=(
                    SecretManagerRegionalSecretCustomerManagedEncryption(kms_key_name=plan.kms_key)
                    if plan.kms_key
                    else None
                ),
                deletion_protection=plan.protected,
                labels=labels,
                lifecycle=kept,
                depends_on=list(after),
            )
        else:
            self.resource = SecretManagerSecret(
                self,
                "Default",
                project=project,
                secret_id=plan.name,
                replication=SecretManagerSecretReplication(auto=SecretManagerSecretReplicationAuto()),
                deletion_protection=plan.protected,
                labels=labels,
                lifecycle=kept,
                depends_on=list(after),
            )
