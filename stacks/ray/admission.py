"""The policy for images that the cluster runs."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.binary_authorization_policy import (
    BinaryAuthorizationPolicy,
    BinaryAuthorizationPolicyAdmissionWhitelistPatterns,
    BinaryAuthorizationPolicyClusterAdmissionRules,
    BinaryAuthorizationPolicyDefaultAdmissionRule,
)
from constructs import Construct

from clusterprint.plan.ray.cluster import AdmissionPlan


class Admission(Construct):
    """The project's policy: this cluster runs what Cloud Build attests, other clusters run what they did."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: AdmissionPlan
    ) -> None:
        super().__init__(scope, id)
        BinaryAuthorizationPolicy(
            self,
            "Default",
            global_policy_evaluation_mode="ENABLE",  # what Google itself runs in clusters
            default_admission_rule=BinaryAuthorizationPolicyDefaultAdmissionRule(
                evaluation_mode="ALWAYS_ALLOW", enforcement_mode="ENFORCED_BLOCK_AND_AUDIT_LOG"
            ),
            cluster_admission_rules=[
                BinaryAuthorizationPolicyClusterAdmissionRules(
                    cluster=plan.cluster,
                    evaluation_mode="REQUIRE_ATTESTATION",
                    enforcement_mode=(
                        "ENFORCED_BLOCK_AND_AUDIT_LOG" if plan.enforce else "DRYRUN_AUDIT_LOG_ONLY"
                    ),
                    require_attestations_by=[plan.attestor],
                )
            ],
            admission_whitelist_patterns=[
                BinaryAuthorizationPolicyAdmissionWhitelistPatterns(name_pattern=each) for each in plan.exempt
            ],
            depends_on=list(after),
        )
