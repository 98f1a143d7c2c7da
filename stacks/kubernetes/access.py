"""Terraform's access to a cluster."""

from typing import Protocol

import jsii
from cdktf import Aspects, Fn, IAspect, TerraformStack
from cdktf_cdktf_provider_helm.provider import (
    HelmProvider,
    HelmProviderKubernetes,
    HelmProviderKubernetesExec,
)
from cdktf_cdktf_provider_helm.release import Release
from cdktf_cdktf_provider_kubernetes.provider import KubernetesProvider, KubernetesProviderExec
from constructs import IConstruct

from clusterprint.plan.kubernetes import ClusterAccessPlan
from stacks.engines import require


class Reachable(Protocol):
    """The address and certificate of a cluster; `certificate` is the base64 text of its authority's."""

    dns_name: str
    endpoint: str
    certificate: str


# Runs whenever a token is needed, with the credentials that Terraform uses. A token that came from a
# data source would stand in the state and in saved plans, and be stale when a plan is applied later.
_PLUGIN = "gke-gcloud-auth-plugin"
# Left alone, the plug-in asks gcloud for its active account: none in CI, perhaps another than that of the
# provider google, which made the cluster.
_ARGUMENTS = ["--use_application_default_credentials"]
_API = "client.authentication.k8s.io/v1beta1"


@jsii.implements(IAspect)
class _Guests:
    """Releases in a cluster that others use, too: one of the same name may be theirs, and is left alone.

    So a first installation that has failed is removed, instead of being upgraded by the next apply. What is
    not waited for is not removed either: Helm would wait for it.
    """

    def visit(self, node: IConstruct) -> None:
        """Change a construct, if it is a release."""
        if isinstance(node, Release):
            node.add_override("upgrade_install", False)
            node.add_override("atomic", node.wait_input)


def connect(stack: TerraformStack, plan: ClusterAccessPlan, cluster: Reachable | None) -> None:
    """Give a stack the providers for workloads of a cluster, or for where its context leads to."""
    if plan.existing or plan.context:
        Aspects.of(stack).add(_Guests())
    require(stack, "kubernetes", plan.kubernetes_provider)
    require(stack, "helm", plan.helm_provider)
    if cluster is None:
        KubernetesProvider(stack, "kubernetes", config_context=plan.context)
        HelmProvider(stack, "helm", kubernetes=HelmProviderKubernetes(config_context=plan.context))
        return
    address = cluster.dns_name if plan.dns_endpoint else cluster.endpoint
    host = f"https://{address}"
    # The DNS name has a certificate that everybody trusts; the address has one of the cluster's own.
    certificate = None if plan.dns_endpoint else Fn.base64decode(cluster.certificate)
    KubernetesProvider(
        stack,
        "kubernetes",
        host=host,
        cluster_ca_certificate=certificate,
        exec=[KubernetesProviderExec(api_version=_API, command=_PLUGIN, args=_ARGUMENTS)],
    )
    HelmProvider(
        stack,
        "helm",
        kubernetes=HelmProviderKubernetes(
            host=host,
            cluster_ca_certificate=certificate,
            exec=HelmProviderKubernetesExec(api_version=_API, command=_PLUGIN, args=_ARGUMENTS),
        ),
    )
