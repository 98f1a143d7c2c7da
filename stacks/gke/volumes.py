"""Where drivers inside a cluster find its file systems."""

from collections.abc import Mapping
from typing import NamedTuple

from cdktf import Fn

from clusterprint.plan.volumes import FilestorePlan, LustrePlan, NetappPlan, ParallelstorePlan, VolumesPlan
from stacks.google.filesystems import Filestore
from stacks.google.volumes import Volumes


class FileSystem(NamedTuple):
    """A file system as its driver calls it, and where it finds it: attributes of a persistent volume."""

    handle: str
    addresses: Mapping[str, str]


def file_systems(plan: VolumesPlan, project: str, made: Volumes) -> dict[str, FileSystem]:
    """All of them by the names of their volumes."""
    found = {each.key: _filestore(each, made.filestores[each.key]) for each in plan.filestores}
    found |= {each.key: _lustre(each, project, made.remotes[each.key]) for each in plan.lustres}
    found |= {
        each.key: _parallelstore(each, project, made.network, made.remotes[each.key])
        for each in plan.parallelstores
    }
    found |= {each.key: _nfs(each, made.remotes[each.key]) for each in plan.netapps}
    return found


def _filestore(plan: FilestorePlan, made: Filestore) -> FileSystem:
    protocol = {"protocol": plan.protocol} if plan.protocol != "NFS_V3" else {}
    return FileSystem(
        f"modeInstance/{plan.location}/{plan.name}/{made.share}",
        {"ip": made.address, "volume": made.share, **protocol},
    )


def _lustre(plan: LustrePlan, project: str, remote: str) -> FileSystem:
    """`remote` is `ADDRESS@tcp:/FILESYSTEM`."""
    addresses = {"ip": _part(remote, "@", 0), "filesystem": _part(remote, ":/", 1)}
    return FileSystem(f"{project}/{plan.location}/{plan.name}", addresses)


def _parallelstore(plan: ParallelstorePlan, project: str, network: str, remote: str) -> FileSystem:
    """Each instance has one pool with one container, which are called like that.

    The driver looks whether it is in the right network; that of somebody else's cluster is not known.
    """
    where = {"network": network} if network else {}
    return FileSystem(
        f"{project}/{plan.location}/{plan.name}/default-pool/default-container",
        {"accessPoints": remote, **where},
    )


def _nfs(plan: NetappPlan, remote: str) -> FileSystem:
    """`remote` is `ADDRESS:/PATH`, which Terraform takes apart where only it knows that."""
    if not plan.create:
        server, _, path = plan.remote.partition(":")
        return FileSystem("", {"server": server, "path": path})
    return FileSystem("", {"server": _part(remote, ":/", 0), "path": f"/{_part(remote, ':/', 1)}"})


def _part(text: str, separator: str, index: int) -> str:
    return str(Fn.element(Fn.split(separator, text), index))
