"""A program that runs in the cluster and looks after it: one pod, with the rights that it needs."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.deployment_v1 import (
    DeploymentV1,
    DeploymentV1Metadata,
    DeploymentV1Spec,
    DeploymentV1SpecSelector,
    DeploymentV1SpecTemplate,
    DeploymentV1SpecTemplateMetadata,
    DeploymentV1SpecTemplateSpec,
    DeploymentV1SpecTemplateSpecContainer,
    DeploymentV1SpecTemplateSpecContainerEnvFrom,
    DeploymentV1SpecTemplateSpecContainerEnvFromConfigMapRef,
    DeploymentV1SpecTemplateSpecContainerLivenessProbe,
    DeploymentV1SpecTemplateSpecContainerLivenessProbeHttpGet,
    DeploymentV1SpecTemplateSpecContainerReadinessProbe,
    DeploymentV1SpecTemplateSpecContainerReadinessProbeHttpGet,
    DeploymentV1SpecTemplateSpecContainerResources,
    DeploymentV1SpecTemplateSpecContainerSecurityContext,
    DeploymentV1SpecTemplateSpecContainerSecurityContextCapabilities,
    DeploymentV1SpecTemplateSpecContainerVolumeMount,
    DeploymentV1SpecTemplateSpecSecurityContext,
    DeploymentV1SpecTemplateSpecSecurityContextSeccompProfile,
    DeploymentV1SpecTemplateSpecVolume,
    DeploymentV1SpecTemplateSpecVolumeSecret,
)
from constructs import Construct

from clusterprint.plan.kubernetes import ProbePlan, ProgramPlan


class Controller(Construct):
    """One pod of a program, recreated wherever it ends. `labels` select it for services."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        namespace: str,
        service_account: str | None,
        after: Sequence[TerraformResource],
        program: ProgramPlan,
    ) -> None:
        super().__init__(scope, id)
        self.labels = {"app.kubernetes.io/name": name}
        annotations = {"clusterprint/settings": program.checksum} if program.checksum else None
        self.resource = DeploymentV1(
            self,
            "Default",
            metadata=DeploymentV1Metadata(name=name, namespace=namespace, labels=self.labels),
            spec=DeploymentV1Spec(
                replicas="1",
                selector=DeploymentV1SpecSelector(match_labels=self.labels),
                template=DeploymentV1SpecTemplate(
                    metadata=DeploymentV1SpecTemplateMetadata(labels=self.labels, annotations=annotations),
                    spec=_pod(name, service_account, program),
                ),
            ),
            wait_for_rollout=None if program.wait else False,
            depends_on=list(after),
        )


def _pod(name: str, service_account: str | None, program: ProgramPlan) -> DeploymentV1SpecTemplateSpec:
    return DeploymentV1SpecTemplateSpec(
        service_account_name=service_account,
        automount_service_account_token=service_account is not None,
        node_selector=program.nodes or None,
        termination_grace_period_seconds=program.grace_seconds,
        security_context=DeploymentV1SpecTemplateSpecSecurityContext(
            run_as_non_root=True if program.non_root else None,
            seccomp_profile=DeploymentV1SpecTemplateSpecSecurityContextSeccompProfile(type="RuntimeDefault"),
        ),
        container=[_container(name, program)],
        volume=(
            [
                DeploymentV1SpecTemplateSpecVolume(
                    name="secret",
                    secret=DeploymentV1SpecTemplateSpecVolumeSecret(secret_name=program.secret),
                )
            ]
            if program.secret
            else None
        ),
    )


def _container(name: str, program: ProgramPlan) -> DeploymentV1SpecTemplateSpecContainer:
    return DeploymentV1SpecTemplateSpecContainer(
        name=name,
        image=program.image,
        command=list(program.command) or None,
        args=list(program.args) or None,
        env_from=(
            [
                DeploymentV1SpecTemplateSpecContainerEnvFrom(
                    config_map_ref=DeploymentV1SpecTemplateSpecContainerEnvFromConfigMapRef(
                        name=program.settings
                    )
                )
            ]
            if program.settings
            else None
        ),
        volume_mount=(
            [
                DeploymentV1SpecTemplateSpecContainerVolumeMount(
                    name="secret", mount_path=program.secret_path, read_only=True
                )
            ]
            if program.secret
            else None
        ),
        liveness_probe=_liveness(program.alive) if program.alive else None,
        readiness_probe=_readiness(program.ready) if program.ready else None,
        resources=(
            DeploymentV1SpecTemplateSpecContainerResources(
                requests=program.resources, limits=program.resources
            )
            if program.resources
            else None
        ),
        security_context=DeploymentV1SpecTemplateSpecContainerSecurityContext(
            allow_privilege_escalation=False,
            capabilities=DeploymentV1SpecTemplateSpecContainerSecurityContextCapabilities(drop=["ALL"]),
        ),
    )


def _liveness(probe: ProbePlan) -> DeploymentV1SpecTemplateSpecContainerLivenessProbe:
    return DeploymentV1SpecTemplateSpecContainerLivenessProbe(
        initial_delay_seconds=probe.delay_seconds,
        period_seconds=probe.period_seconds,
        http_get=DeploymentV1SpecTemplateSpecContainerLivenessProbeHttpGet(
            path=probe.path, port=str(probe.port)
        ),
    )


def _readiness(probe: ProbePlan) -> DeploymentV1SpecTemplateSpecContainerReadinessProbe:
    return DeploymentV1SpecTemplateSpecContainerReadinessProbe(
        initial_delay_seconds=probe.delay_seconds,
        period_seconds=probe.period_seconds,
        http_get=DeploymentV1SpecTemplateSpecContainerReadinessProbeHttpGet(
            path=probe.path, port=str(probe.port)
        ),
    )
