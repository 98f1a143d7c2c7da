"""Permissions of a program inside its cluster."""

from collections.abc import Sequence
from typing import NamedTuple

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.cluster_role_binding_v1 import (
    ClusterRoleBindingV1,
    ClusterRoleBindingV1Metadata,
    ClusterRoleBindingV1RoleRef,
    ClusterRoleBindingV1Subject,
)
from cdktf_cdktf_provider_kubernetes.cluster_role_v1 import (
    ClusterRoleV1,
    ClusterRoleV1Metadata,
    ClusterRoleV1Rule,
)
from cdktf_cdktf_provider_kubernetes.role_binding_v1 import (
    RoleBindingV1,
    RoleBindingV1Metadata,
    RoleBindingV1RoleRef,
    RoleBindingV1Subject,
)
from cdktf_cdktf_provider_kubernetes.role_v1 import RoleV1, RoleV1Metadata, RoleV1Rule
from constructs import Construct

from clusterprint.plan.kubernetes import RightPlan
from stacks.addresses import addressed
from stacks.engines import block_attribute, only_block

_API_GROUP = "rbac.authorization.k8s.io"


class Right(NamedTuple):
    """The rules of a role; the core API group is an empty text.

    Without `names` it is all resources of these kinds.
    """

    group: str
    resources: Sequence[str]
    verbs: Sequence[str]
    names: Sequence[str] = ()


def rights_of(plans: Sequence[RightPlan]) -> list[Right]:
    """Rights as a plan says them."""
    return [Right(each.group, each.resources, each.verbs, each.names) for each in plans]


class Rights(Construct):
    """Rights of a service account in the whole cluster, and in its own namespace.

    `after` has to be there before: the namespace.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        namespace: str,
        account: str,
        after: Sequence[TerraformResource],
        everywhere: Sequence[Right] = (),
        at_home: Sequence[Right] = (),
    ) -> None:
        super().__init__(scope, id)
        self._after = list(after)
        self.grants: list[TerraformResource] = []
        if everywhere:
            self.grants.append(self._everywhere(name, namespace, account, everywhere))
        if at_home:
            self.grants.append(self._at_home(name, namespace, account, at_home))

    def _everywhere(
        self, name: str, namespace: str, account: str, rights: Sequence[Right]
    ) -> TerraformResource:
        role = addressed(
            ClusterRoleV1(
                self,
                "cluster-role",
                metadata=ClusterRoleV1Metadata(name=name),
                depends_on=self._after,
                rule=[
                    ClusterRoleV1Rule(
                        api_groups=[each.group],
                        resources=list(each.resources),
                        verbs=list(each.verbs),
                        resource_names=list(each.names) or None,
                    )
                    for each in rights
                ],
            )
        )
        return addressed(
            ClusterRoleBindingV1(
                self,
                "cluster-binding",
                metadata=ClusterRoleBindingV1Metadata(name=name),
                role_ref=ClusterRoleBindingV1RoleRef(
                    api_group=_API_GROUP, kind="ClusterRole", name=role.metadata.name
                ),
                subject=[
                    ClusterRoleBindingV1Subject(kind="ServiceAccount", name=account, namespace=namespace)
                ],
            )
        )

    def _at_home(self, name: str, namespace: str, account: str, rights: Sequence[Right]) -> TerraformResource:
        role = addressed(
            RoleV1(
                self,
                "role",
                metadata=only_block(RoleV1Metadata(name=name, namespace=namespace)),
                depends_on=self._after,
                rule=[
                    RoleV1Rule(
                        api_groups=[each.group],
                        resources=list(each.resources),
                        verbs=list(each.verbs),
                        resource_names=list(each.names) or None,
                    )
                    for each in rights
                ],
            )
        )
        return addressed(
            RoleBindingV1(
                self,
                "binding",
                metadata=RoleBindingV1Metadata(name=name, namespace=namespace),
                role_ref=RoleBindingV1RoleRef(
                    api_group=_API_GROUP, kind="Role", name=block_attribute(role, "metadata", "name")
                ),
                subject=[RoleBindingV1Subject(kind="ServiceAccount", name=account, namespace=namespace)],
            )
        )
