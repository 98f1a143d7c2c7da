"""ML Diagnostics: runs of machine learning, their metrics and profiles, in Google's console."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.texts import KubernetesName
from clusterprint.blueprint.part import Part


class MlDiagnostics(Part, frozen=True, kw_only=True):
    """Components for Google's ML Diagnostics SDK in a cluster. Requires `cert_manager`.

    A webhook tells pods of JobSets, LeaderWorkerSets and Ray jobs what they are part of, and an operator
    takes profiles of them when asked to.
    """

    namespaces: Annotated[
        tuple[KubernetesName, ...],
        Meta(
            description="Namespaces whose pods the webhook prepares. Empty: those of jobs and queues, "
            "`default` if there are none.",
            examples=[["research"]],
        ),
    ] = ()
    webhook: Annotated[Chart, Meta(description="Helm chart of the webhook.")] = Chart()
    operator: Annotated[Chart, Meta(description="Helm chart of the operator.")] = Chart()
