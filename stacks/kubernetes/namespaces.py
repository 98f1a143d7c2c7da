"""Namespaces and service accounts."""

from collections.abc import Mapping
from types import MappingProxyType

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.labels import Labels, LabelsMetadata
from cdktf_cdktf_provider_kubernetes.namespace_v1 import NamespaceV1, NamespaceV1Metadata
from cdktf_cdktf_provider_kubernetes.service_account_v1 import (
    ServiceAccountV1,
    ServiceAccountV1Metadata,
)
from constructs import Construct

from clusterprint.plan.kubernetes import ServiceAccountObjectPlan
from stacks.addresses import addressed
from stacks.engines import only_block


class Namespaces(Construct):
    """Namespaces by name; those that every cluster has are not among them, but may get `labels`, too."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        names: tuple[str, ...],
        labels: Mapping[str, dict[str, str]] = MappingProxyType({}),
    ) -> None:
        super().__init__(scope, id)
        self._made: dict[str, TerraformResource] = {
            name: addressed(
                NamespaceV1(
                    self, name, metadata=only_block(NamespaceV1Metadata(name=name, labels=labels.get(name)))
                )
            )
            for name in names
        }
        for name in labels.keys() - self._made.keys():
            self._made[name] = addressed(
                Labels(
                    self,
                    f"labels-{name}",
                    api_version="v1",
                    kind="Namespace",
                    metadata=LabelsMetadata(name=name),
                    labels=labels[name],
                )
            )

    @property
    def all(self) -> list[TerraformResource]:
        """All of them."""
        return list(self._made.values())

    def before(self, *names: str) -> list[TerraformResource]:
        """The dependencies of all objects in these namespaces."""
        return [self._made[name] for name in dict.fromkeys(names) if name in self._made]


class ServiceAccount(Construct):
    """A Kubernetes service account that has rights at Google."""

    def __init__(
        self, scope: Construct, id: str, *, namespaces: Namespaces, plan: ServiceAccountObjectPlan
    ) -> None:
        super().__init__(scope, id)
        annotations = {"iam.gke.io/gcp-service-account": plan.acts_as} if plan.acts_as else None
        self.resource = ServiceAccountV1(
            self,
            "Default",
            metadata=ServiceAccountV1Metadata(
                name=plan.name, namespace=plan.namespace, annotations=annotations
            ),
            depends_on=namespaces.before(plan.namespace),
        )
