"""The machines of `kind: vmss`: what Azure hands to cloud-init on the nodes and on the head.

`custom_data` is all that others need. It depends on nothing but its arguments and the files beside it.
"""

import base64
from collections.abc import Iterator
from typing import Literal

from clusterprint.derived import cloud_init
from clusterprint.errors import ClusterprintError
from clusterprint.nodes.cloud_config import cloud_config
from clusterprint.nodes.compress import compress
from clusterprint.nodes.file import File, layer, updates
from clusterprint.nodes.vmss.facts import facts
from clusterprint.plan.vmss_nodes import NodeSettings

Role = Literal["node", "head"]

#: What Azure takes as custom data: characters of base64, which stand for 65,535 bytes.
LIMIT = 87380

_STARTUP_SCRIPT = "/usr/local/lib/clusterprint/startup-script"

_NODE_LAYERS = ("common/scratch", "common/docker", "vmss/node")

# A service instead of the command itself: should the machine restart half-way, it goes on at the next boot.
_COMMANDS = (
    ("systemctl", "daemon-reload"),
    ("systemctl", "enable", "--now", "clusterprint-provision.service"),
)

# jq reads answers of Azure and docker's settings; the rest is what the seed of this kind installs for people.
_PACKAGES = ("jq", "tree", "ncdu", "tmux", "nload", "inotify-tools")
_NODE_PACKAGES = ("mdadm", "xfsprogs")
_SHARE_PACKAGES = {"files_smb": "cifs-utils", "files_nfs": "nfs-common", "blob_nfs": "nfs-common"}


class CustomDataTooLongError(ClusterprintError):
    """The user's own script or cloud-init file leaves no room for the scripts of the machine."""


def custom_data(role: Role, settings: NodeSettings) -> str:
    """The `custom_data` argument of a machine: base64, compressed only when it is too long otherwise."""
    data = _encoded(role, settings)
    if len(data) > LIMIT:
        raise CustomDataTooLongError(
            f"The custom data of the {role} would be {len(data)} characters; Azure accepts at most {LIMIT}. "
            "Shorten the start-up script or the cloud-init file, or let them download their larger parts."
        )
    return data


def encoded_size(role: Role, settings: NodeSettings) -> int:
    """How long the custom data is, in characters, whether or not Azure would take it."""
    return len(_encoded(role, settings))


def _encoded(role: Role, settings: NodeSettings) -> str:
    text = user_data(role, settings).encode()
    plain = base64.b64encode(text)
    if len(plain) <= LIMIT:
        return plain.decode()
    # cloud-init recognizes gzip.
    return base64.b64encode(compress(text)).decode()


def user_data(role: Role, settings: NodeSettings) -> str:
    """The `#cloud-config` of a machine, before encoding."""
    packages = [*_PACKAGES, *(_NODE_PACKAGES if _computes(role, settings) else ())]
    packages += sorted(
        {_SHARE_PACKAGES[each.kind] for each in settings.shares if each.kind in _SHARE_PACKAGES}
    )
    own = settings.cloud_init if role == "node" else settings.head_cloud_init
    merged = cloud_init.read(own) if own else cloud_init.CloudInit()
    files = sorted(own_files(role, settings), key=lambda file: file.path)
    return cloud_config(files, packages, _COMMANDS, merged)


def own_files(role: Role, settings: NodeSettings) -> list[File]:
    """All files that clusterprint puts on a machine."""
    layers = ["common/every", "vmss/every", f"vmss/{role}"]
    if _computes(role, settings):
        layers += [each for each in _NODE_LAYERS if each not in layers]
    if any(share.kind == "lustre" for share in settings.shares):
        layers.append("vmss/lustre")
    if any(share.kind == "blob_nfs" for share in settings.shares):
        layers.append("vmss/blob")
    if settings.slurm:
        layers += ("common/slurm", "vmss/slurm")
    if (
        settings.slurm
        or {"vmss/lustre", "vmss/blob"} & {*layers}
        or (settings.updates and settings.updates.security)
    ):
        layers.append("common/packages")
    return [
        *(file for each in layers for file in layer(each)),
        *facts(role, settings),
        *updates(settings.updates),
        *_startup_script(role, settings),
    ]


def _computes(role: Role, settings: NodeSettings) -> bool:
    return role == "node" or settings.head_is_node


def _startup_script(role: Role, settings: NodeSettings) -> Iterator[File]:
    script = settings.startup_script if role == "node" else settings.head_startup_script
    if script:
        yield File(path=_STARTUP_SCRIPT, text=script, mode="0700", encoded=True)
