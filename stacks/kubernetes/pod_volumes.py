"""Volumes of the blueprint in pods, in the words of Kubernetes."""

from clusterprint.plan.claims import PodMountPlan, PodVolumePlan, PodVolumesPlan
from stacks.kubernetes.pod import Claimed, Container, Group, Mount, PodSpec, Volume


def use_volumes(spec: PodSpec, container: Container, plan: PodVolumesPlan) -> None:
    """Give a pod its volumes, and show them to a container."""
    spec["volumes"] += [_volume(each) for each in plan.volumes]
    container["volumeMounts"] += [_mount(each) for each in plan.mounts]
    if plan.group_id:
        # A large file system is not searched at each start for files of others.
        spec["securityContext"] = Group(fsGroup=plan.group_id, fsGroupChangePolicy="OnRootMismatch")


def _mount(plan: PodMountPlan) -> Mount:
    found = Mount(name=plan.key, mountPath=plan.path)
    if plan.read_only:
        found["readOnly"] = True
    return found


def _volume(plan: PodVolumePlan) -> Volume:
    if plan.claim:
        claim: Claimed = {"claimName": plan.claim}
        if plan.read_only:
            # Machines attach a disk for many readers only if they are told that they read.
            claim["readOnly"] = True
        return Volume(name=plan.key, persistentVolumeClaim=claim)
    template = {
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": plan.storage_class,
            "resources": {"requests": {"storage": plan.size}},
        }
    }
    return Volume(name=plan.key, ephemeral={"volumeClaimTemplate": template})
