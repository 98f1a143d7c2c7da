"""NCCL plug-ins, put on nodes by a pod on each of them."""

from collections.abc import Mapping, Sequence

from cdktf_cdktf_provider_kubernetes.daemon_set_v1 import (
    DaemonSetV1,
    DaemonSetV1Metadata,
    DaemonSetV1Spec,
    DaemonSetV1SpecSelector,
    DaemonSetV1SpecTemplate,
    DaemonSetV1SpecTemplateMetadata,
    DaemonSetV1SpecTemplateSpec,
    DaemonSetV1SpecTemplateSpecContainer,
    DaemonSetV1SpecTemplateSpecContainerResources,
    DaemonSetV1SpecTemplateSpecContainerSecurityContext,
    DaemonSetV1SpecTemplateSpecContainerVolumeMount,
    DaemonSetV1SpecTemplateSpecInitContainer,
    DaemonSetV1SpecTemplateSpecInitContainerResources,
    DaemonSetV1SpecTemplateSpecInitContainerSecurityContext,
    DaemonSetV1SpecTemplateSpecInitContainerVolumeMount,
    DaemonSetV1SpecTemplateSpecToleration,
    DaemonSetV1SpecTemplateSpecVolume,
    DaemonSetV1SpecTemplateSpecVolumeHostPath,
)
from constructs import Construct

from clusterprint.plan.kubernetes import DeviceInjectorPlan, PluginPlan, PreparePlan

NAMESPACE = "kube-system"


class Plugin(Construct):
    """A plug-in on every node with one type of GPU: installed when the node comes, then a pod that rests."""

    def __init__(self, scope: Construct, id: str, *, plan: PluginPlan) -> None:
        super().__init__(scope, id)
        self.resource = _daemon_set(
            self,
            f"nccl-{plan.key}",
            accelerator=plan.accelerator,
            init=[
                *([_prepare(plan.prepare)] if plan.prepare else []),
                DaemonSetV1SpecTemplateSpecInitContainer(
                    name="install",
                    image=plan.image,
                    command=list(plan.command),
                    resources=DaemonSetV1SpecTemplateSpecInitContainerResources(requests={"cpu": plan.cpu}),
                    security_context=DaemonSetV1SpecTemplateSpecInitContainerSecurityContext(privileged=True),
                    volume_mount=[
                        DaemonSetV1SpecTemplateSpecInitContainerVolumeMount(name=name, mount_path=path)
                        for name, path in plan.mounts.items()
                    ],
                ),
            ],
            container=DaemonSetV1SpecTemplateSpecContainer(name="pause", image=plan.pause_image),
            folders=plan.folders,
        )


class DeviceInjector(Construct):
    """The device plug-in that hands GPUs to containers by annotation, on nodes with one type of GPU."""

    def __init__(self, scope: Construct, id: str, *, plan: DeviceInjectorPlan) -> None:
        super().__init__(scope, id)
        self.resource = _daemon_set(
            self,
            f"device-injector-{plan.key}",
            accelerator=plan.accelerator,
            init=[],
            container=DaemonSetV1SpecTemplateSpecContainer(
                name="device-injector",
                image=plan.image,
                resources=DaemonSetV1SpecTemplateSpecContainerResources(requests={"cpu": plan.cpu}),
                security_context=DaemonSetV1SpecTemplateSpecContainerSecurityContext(privileged=True),
                volume_mount=[
                    DaemonSetV1SpecTemplateSpecContainerVolumeMount(name=name, mount_path=path)
                    for name, path in plan.folders.items()
                ],
            ),
            folders=plan.folders,
        )


def _prepare(plan: PreparePlan) -> DaemonSetV1SpecTemplateSpecInitContainer:
    """Run a script on the node itself."""
    return DaemonSetV1SpecTemplateSpecInitContainer(
        name="prepare",
        image=plan.image,
        command=list(plan.command),
        security_context=DaemonSetV1SpecTemplateSpecInitContainerSecurityContext(privileged=True),
    )


def _daemon_set(
    scope: Construct,
    name: str,
    *,
    accelerator: str,
    init: Sequence[DaemonSetV1SpecTemplateSpecInitContainer],
    container: DaemonSetV1SpecTemplateSpecContainer,
    folders: Mapping[str, str],
) -> DaemonSetV1:
    """A pod on each node with GPUs of this type, whatever its taints."""
    labels = {"k8s-app": name}
    return DaemonSetV1(
        scope,
        "Default",
        metadata=DaemonSetV1Metadata(name=name, namespace=NAMESPACE, labels=labels),
        # Nodes may be there only later: nobody waits for them.
        wait_for_rollout=False,
        spec=DaemonSetV1Spec(
            selector=DaemonSetV1SpecSelector(match_labels=labels),
            template=DaemonSetV1SpecTemplate(
                metadata=DaemonSetV1SpecTemplateMetadata(labels=labels),
                spec=DaemonSetV1SpecTemplateSpec(
                    priority_class_name="system-node-critical",
                    host_network=True,
                    host_pid=True,
                    toleration=[DaemonSetV1SpecTemplateSpecToleration(operator="Exists")],
                    node_selector={"cloud.google.com/gke-accelerator": accelerator},
                    init_container=list(init) or None,
                    container=[container],
                    volume=[
                        DaemonSetV1SpecTemplateSpecVolume(
                            name=volume,
                            host_path=DaemonSetV1SpecTemplateSpecVolumeHostPath(path=path),
                        )
                        for volume, path in folders.items()
                    ],
                ),
            ),
        ),
    )
