"""Artifact Registry repositories of a cluster."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.artifact_registry_repository import (
    ArtifactRegistryRepository,
    ArtifactRegistryRepositoryCleanupPolicies,
    ArtifactRegistryRepositoryCleanupPoliciesCondition,
    ArtifactRegistryRepositoryCleanupPoliciesMostRecentVersions,
    ArtifactRegistryRepositoryRemoteRepositoryConfig,
    ArtifactRegistryRepositoryRemoteRepositoryConfigDockerRepository,
    ArtifactRegistryRepositoryRemoteRepositoryConfigPythonRepository,
    ArtifactRegistryRepositoryVirtualRepositoryConfig,
    ArtifactRegistryRepositoryVirtualRepositoryConfigUpstreamPolicies,
    ArtifactRegistryRepositoryVulnerabilityScanningConfig,
)
from constructs import Construct

from clusterprint.plan.builds import MirrorPlan, RegistryPlan
from stacks.addresses import addressed

_DAY = 86400


class _Common(TypedDict):
    """Arguments of all repositories."""

    location: str
    format: str
    labels: dict[str, str]
    kms_key_name: str | None
    depends_on: list[TerraformResource]


class Registry(Construct):
    """The cluster's own repository; if wanted one with copies of public packages, and one that has both.

    `own` is what builds write to; `sources` are the others, which builds read.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        region: str,
        labels: Mapping[str, str],
        after: Sequence[TerraformResource],
        plan: RegistryPlan,
    ) -> None:
        super().__init__(scope, id)
        common = _Common(
            location=region,
            format=plan.form.upper(),
            labels=dict(labels),
            kms_key_name=plan.kms_key or None,
            depends_on=list(after),
        )
        self.own = ArtifactRegistryRepository(
            self,
            "Default",
            repository_id=plan.own,
            cleanup_policies=[_delete("untagged", plan.untagged_days, "UNTAGGED"), _keep(plan.keep)],
            vulnerability_scanning_config=_scanning(plan.scanned),
            **common,
        )
        self.sources: dict[str, ArtifactRegistryRepository] = {}
        if plan.mirror:
            self._mirror(plan, plan.mirror, common)

    def _mirror(self, plan: RegistryPlan, mirror: MirrorPlan, common: _Common) -> None:
        remote = addressed(
            ArtifactRegistryRepository(
                self,
                "remote",
                repository_id=mirror.remote,
                mode="REMOTE_REPOSITORY",
                remote_repository_config=_upstream(plan.form, mirror.upstream),
                cleanup_policies=[_delete("old-copies", mirror.days, "ANY"), _keep(plan.keep)],
                **common,
            )
        )
        upstreams = [
            _policy("own", self.own, mirror.own_priority),
            _policy("remote", remote, mirror.remote_priority),
        ]
        virtual = addressed(
            ArtifactRegistryRepository(
                self,
                "virtual",
                repository_id=mirror.virtual,
                mode="VIRTUAL_REPOSITORY",
                virtual_repository_config=ArtifactRegistryRepositoryVirtualRepositoryConfig(
                    upstream_policies=upstreams
                ),
                **common,
            )
        )
        self.sources = {"remote": remote, "virtual": virtual}


def _scanning(scanned: bool | None) -> ArtifactRegistryRepositoryVulnerabilityScanningConfig | None:  # noqa: FBT001
    if scanned is None:
        return None
    return ArtifactRegistryRepositoryVulnerabilityScanningConfig(
        enablement_config="INHERITED" if scanned else "DISABLED"
    )


def _upstream(form: str, public: str) -> ArtifactRegistryRepositoryRemoteRepositoryConfig:
    if form == "docker":
        return ArtifactRegistryRepositoryRemoteRepositoryConfig(
            docker_repository=ArtifactRegistryRepositoryRemoteRepositoryConfigDockerRepository(
                public_repository=public
            )
        )
    return ArtifactRegistryRepositoryRemoteRepositoryConfig(
        python_repository=ArtifactRegistryRepositoryRemoteRepositoryConfigPythonRepository(
            public_repository=public
        )
    )


def _policy(
    id: str, repository: ArtifactRegistryRepository, priority: int
) -> ArtifactRegistryRepositoryVirtualRepositoryConfigUpstreamPolicies:
    return ArtifactRegistryRepositoryVirtualRepositoryConfigUpstreamPolicies(
        id=id, repository=repository.id, priority=priority
    )


def _delete(id: str, days: int, tagged: str) -> ArtifactRegistryRepositoryCleanupPolicies:
    return ArtifactRegistryRepositoryCleanupPolicies(
        id=id,
        action="DELETE",
        condition=ArtifactRegistryRepositoryCleanupPoliciesCondition(
            tag_state=tagged, older_than=f"{days * _DAY}s"
        ),
    )


def _keep(count: int) -> ArtifactRegistryRepositoryCleanupPolicies:
    return ArtifactRegistryRepositoryCleanupPolicies(
        id="newest",
        action="KEEP",
        most_recent_versions=ArtifactRegistryRepositoryCleanupPoliciesMostRecentVersions(keep_count=count),
    )
