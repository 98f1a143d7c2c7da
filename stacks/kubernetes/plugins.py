"""NCCL plug-ins, put on nodes by a pod on each of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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

from clusterprint.plan.kubernetes import DeviceInjectorPlan, PluginPlan

NAMESPACE = "kube-system"
_CPU = {"cpu": "150m"}


class Install(NamedTuple):
    """How a plug-in gets onto a node: folders of the node by volume, where they are seen, what is run."""

    folders: Mapping[str, str]
    mounts: Mapping[str, str]
    script: str
    prepare: str = ""


# RoCE: the library goes to where GPU containers find it, everything to where jobs mount it from.
_ROCE = Install(
    folders={"libraries": "/home/kubernetes/bin/nvidia/lib64", "gib": "/home/kubernetes/bin/gib"},
    mounts={"libraries": "/host/libraries", "gib": "/host/gib"},
    script="""\
set -ex
/scripts/container_entry.sh install --install-nccl
cp -r /var/lib/gib/lib64/. /host/libraries
cp -r /var/lib/gib/. /host/gib
""",
)

_TCPX = Install(
    folders={"var-lib": "/var/lib", "kubernetes": "/home/kubernetes/bin"},
    mounts={"var-lib": "/var/lib", "kubernetes": "/usr/local"},
    script="""\
set -ex
/scripts/container_entry.sh install --install-nccl
mkdir -p /usr/local/nvidia/lib64
cp -r /var/lib/tcpx/lib64/. /usr/local/nvidia/lib64
""",
)

# TCPXO: the node must accept traffic between GPUs, and show the cards' memory where the daemon looks.
_TCPXO = Install(
    folders={"var-lib": "/var/lib", "kubernetes": "/home/kubernetes/bin"},
    mounts={"var-lib": "/var/lib", "kubernetes": "/usr/local"},
    prepare="""\
set -e
/sbin/iptables -C INPUT -p tcp -m tcp -j ACCEPT 2>/dev/null || /sbin/iptables -I INPUT -p tcp -m tcp -j ACCEPT
modprobe import-helper
mkdir -p /dev/aperture_devices
for card in $(lspci -nn -D | awk '/1ae0:0084/ {print $1}'); do
  mkdir -p "/dev/aperture_devices/$card"
  umount -R "/dev/aperture_devices/$card" 2>/dev/null || true
  mount --bind "$(readlink -f "/sys/bus/pci/devices/$card")" "/dev/aperture_devices/$card"
done
chmod -R a+r /dev/aperture_devices
chmod a+rw /dev/aperture_devices/*/resource*
""",
    script="""\
set -ex
chmod 755 /scripts/container_entry.sh
/scripts/container_entry.sh install --install-nccl
mkdir -p /usr/local/nvidia/lib64
cp -r /var/lib/tcpxo/lib64/. /usr/local/nvidia/lib64
""",
)

_INSTALLS = {"roce": _ROCE, "tcpx": _TCPX, "tcpxo": _TCPXO}


class Plugin(Construct):
    """A plug-in on every node with one type of GPU: installed when the node comes, then a pod that rests."""

    def __init__(self, scope: Construct, id: str, *, plan: PluginPlan) -> None:
        super().__init__(scope, id)
        install = _INSTALLS[plan.kind]
        self.resource = _daemon_set(
            self,
            f"nccl-{plan.key}",
            accelerator=plan.accelerator,
            init=[
                *([_prepare(plan.helper_image, install.prepare)] if install.prepare else []),
                DaemonSetV1SpecTemplateSpecInitContainer(
                    name="install",
                    image=plan.image,
                    command=["/bin/sh", "-c", install.script],
                    resources=DaemonSetV1SpecTemplateSpecInitContainerResources(requests=_CPU),
                    security_context=DaemonSetV1SpecTemplateSpecInitContainerSecurityContext(privileged=True),
                    volume_mount=[
                        DaemonSetV1SpecTemplateSpecInitContainerVolumeMount(name=name, mount_path=path)
                        for name, path in install.mounts.items()
                    ],
                ),
            ],
            container=DaemonSetV1SpecTemplateSpecContainer(name="pause", image=plan.pause_image),
            folders=install.folders,
        )


class DeviceInjector(Construct):
    """What hands GPU devices to containers that ask by annotation, on nodes with one type of GPU."""

    def __init__(self, scope: Construct, id: str, *, plan: DeviceInjectorPlan) -> None:
        super().__init__(scope, id)
        folders = {"dev": "/dev", "nri": "/var/run/nri"}
        self.resource = _daemon_set(
            self,
            f"device-injector-{plan.key}",
            accelerator=plan.accelerator,
            init=[],
            container=DaemonSetV1SpecTemplateSpecContainer(
                name="device-injector",
                image=plan.image,
                resources=DaemonSetV1SpecTemplateSpecContainerResources(requests=_CPU),
                security_context=DaemonSetV1SpecTemplateSpecContainerSecurityContext(privileged=True),
                volume_mount=[
                    DaemonSetV1SpecTemplateSpecContainerVolumeMount(name=name, mount_path=path)
                    for name, path in folders.items()
                ],
            ),
            folders=folders,
        )


def _prepare(image: str, script: str) -> DaemonSetV1SpecTemplateSpecInitContainer:
    """Run a script on the node itself."""
    return DaemonSetV1SpecTemplateSpecInitContainer(
        name="prepare",
        image=image,
        command=["nsenter", "--all", "--target=1", "--", "sh", "-c", script],
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
