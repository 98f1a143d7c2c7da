"""Exposure of machines of Google Cloud: addresses, and metadata about logins and programs."""

from collections.abc import Iterator

from clusterprint.review.delta import Resource, Values, blocks, get
from clusterprint.review.risks._opening import Opening

_ON = ("true", "1", "y", "yes")
_BLOCK = "block-project-ssh-keys"
# Besides start-up scripts, which blueprints have a key for.
_PROGRAMS = ("user-data", "shutdown-script", "gce-container-declaration")
_ADDRESSES = ("access_config", "ipv6_access_config")


def openings(resource: Resource) -> Iterator[Opening]:
    """The exposures by an instance, or by each made from a template."""
    values = resource.values
    for interface in blocks(values, "network_interface"):
        if any(key in interface and interface[key] not in ([], None) for key in _ADDRESSES):
            yield Opening("public_address", "medium", "gives each node a public address", hint="public_ip")
    metadata = get(values, "metadata", {})
    if not isinstance(metadata, dict):
        return
    if not _is_on(metadata, "enable-oslogin"):
        yield from _without_os_login(metadata)
    elif metadata.get(_BLOCK) is not None and not _is_on(metadata, _BLOCK):
        yield Opening(
            "ssh_keys",
            "medium",
            "does not block the SSH keys of the whole project",
            f"remove {_BLOCK}, or set it to TRUE",
            hint=f"metadata {_BLOCK}",
        )
    if _is_on(metadata, "serial-port-enable"):
        yield Opening(
            "serial_port",
            "high",
            "lets anyone with a key log in through the serial port, past every firewall rule",
            hint="metadata serial-port-enable",
        )
    yield from _scripts(metadata)


def pool_openings(resource: Resource) -> Iterator[Opening]:
    """The exposures by the nodes of a GKE pool."""
    if get(resource.values, "network_config.enable_private_nodes") is False:
        yield Opening("public_nodes", "medium", "gives its nodes public addresses")
    metadata = get(resource.values, "node_config.metadata", {})
    if isinstance(metadata, dict):
        if _is_on(metadata, "serial-port-enable"):
            yield Opening("serial_port", "high", "opens the serial port of its nodes")
        yield from _scripts(metadata)


def _without_os_login(metadata: Values) -> Iterator[Opening]:
    yield Opening(
        "os_login_off",
        "medium",
        "has OS Login off: keys in metadata decide who may log in, and IAM does not",
        "leave nodes.os_login on, and grant roles/compute.osLogin",
        hint="nodes os_login",
    )
    if any(metadata.get(key) for key in ("ssh-keys", "sshKeys")):
        yield Opening(
            "ssh_keys", "high", "lets the SSH keys in its metadata log in as root", hint="metadata ssh-keys"
        )
    if not _is_on(metadata, _BLOCK):
        yield Opening(
            "ssh_keys",
            "medium",
            "lets the SSH keys of the whole project log in",
            "set block-project-ssh-keys to TRUE in its metadata",
            hint="metadata block-project-ssh-keys os_login",
        )


def _scripts(metadata: Values) -> Iterator[Opening]:
    for key in sorted(metadata):
        if key in _PROGRAMS:
            yield Opening(
                "metadata_script",
                "medium",
                f"runs what is in {key} of its metadata as root",
                "write it as a startup_script, of which a review shows each line",
                hint=f"metadata {key}",
            )
        if key.endswith("-script-url"):
            yield Opening(
                "remote_script",
                "high",
                f"runs what is at {metadata[key]} as root ({key}), and it can change without a review",
                "put the script itself into the repository (startup_script)",
                hint=f"metadata {key}",
            )


def _is_on(metadata: Values, key: str) -> bool:
    return str(metadata.get(key, "")).strip().lower() in _ON
