"""The files of a job: a ConfigMap, and where its pods see them."""

from collections.abc import Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from constructs import Construct

from clusterprint.plan.gke.jobs import JobFilesPlan
from stacks.addresses import addressed, terraform_type
from stacks.kubernetes.pod import Mount, Volume


def lay_files(
    scope: Construct, namespace: str, plan: JobFilesPlan, after: Sequence[TerraformResource]
) -> TerraformResource:
    """Make the ConfigMap; the one of the last run goes after it.

    It waits for namespaces only. What it waits for is created before it is destroyed, too: classes and claims
    cannot be, as another one has the same name.
    """
    namespaces = [each for each in after if terraform_type(each) == "kubernetes_namespace_v1"]
    return addressed(
        ConfigMapV1(
            scope,
            "files",
            metadata=ConfigMapV1Metadata(name=plan.config_map, namespace=namespace),
            data=plan.texts or None,
            binary_data=plan.binaries or None,
            immutable=True,
            depends_on=namespaces,
            # The last run has its files until it goes.
            lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
        )
    )


def file_volumes(plan: JobFilesPlan | None) -> list[Volume]:
    """The volume of the files, if there are any."""
    return [Volume(name="files", configMap={"name": plan.config_map})] if plan else []


def file_mounts(plan: JobFilesPlan | None) -> list[Mount]:
    """Each file at its own path."""
    return [
        Mount(name="files", mountPath=path, subPath=key, readOnly=True)
        for key, path in (plan.destinations if plan else {}).items()
    ]
