"""Privileges of pods on their nodes: Kubernetes' Pod Security Standards, level baseline."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from clusterprint import catalog
from clusterprint.review.delta import Resource, Values, get, texts
from clusterprint.review.model import Severity
from clusterprint.review.objects import Object, listed
from clusterprint.review.risks._opening import Opening

# Pods that clusterprint itself writes: jobs, and what installs drivers and networks of GPUs.
_JOBS = re.compile(r"helm_release\.((jobset|lws|mpi|job|service|train)-[a-z0-9-]+|ray)")
_DAEMONS = re.compile(r"helm_release\.interfaces|kubernetes_daemon_set_v1\.(nccl|injector)-[a-z0-9-]+")
# Of nodes, what these daemons mount besides.
_OF_DAEMONS = frozenset(
    {
        *("/dev", "/home/kubernetes/bin", "/proc", "/sys", "/var/lib", "/var/run/nri"),
        *("/etc/systemd/system", "/etc/udev/rules.d", "/run/asapd-lite", "/run/systemd", "/run/udev"),
        *("/var/lib/google/asapd-lite", "/var/log/google/asapd-lite", "/var/log/google/netslo-ebpf-manager"),
        *("/lib/modules", "/sys/fs/bpf", "/sys/kernel/debug"),
    }
)
_SHARED = {"hostnetwork": "the network", "hostpid": "the processes", "hostipc": "the memory"}
# Baseline allows these.
_SAFE_SYSCTLS = frozenset(
    {
        *("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start"),
        *("net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports"),
        *("net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl"),
        *("net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"),
    }
)
_SAFE_SELINUX = ("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t")
_APPARMOR = "container.apparmor.security.beta.kubernetes.io/"


def pods(resource: Resource, found: Object) -> Iterator[Opening]:
    """Wherever pods are described, also in objects of kinds that others defined."""
    # What Terraform has types for was written as Terraform; manifests come from anywhere.
    severity: Severity = "medium" if found.typed else "high"
    maps = list(_maps(found.content))
    shared = sorted({_SHARED[key.lower()] for each in maps for key in each if _shares(each, key)})
    paths = sorted({str(path) for each in maps if (path := get(each, "hostPath.path"))})
    privileged = any(each.get("privileged") is True for each in maps)
    added = sorted({name for each in maps for name in texts(get(each, "capabilities.add"))})
    if _is_expected(resource, shared, paths, added, privileged=privileged):
        yield Opening("expected_host_access", "low", "uses its nodes as drivers and networks of GPUs need it")
    else:
        if shared:
            yield Opening("host_access", severity, f"has pods that share {', '.join(shared)} of the node")
        if paths:
            yield Opening("host_access", severity, f"has pods that mount {', '.join(paths)} of the node")
        if privileged:
            yield Opening(
                "privileged_pods", severity, "has privileged pods, which may do anything on the node"
            )
        if added:
            yield Opening("privileged_pods", severity, f"adds capabilities to pods: {', '.join(added)}")
    yield from _weakened(maps, severity)
    ports = sorted({str(port) for each in maps for port in [each.get("hostPort")] if port})
    if ports:
        yield Opening("node_port", "medium", f"opens ports of its nodes (hostPort): {', '.join(ports)}")


def _weakened(maps: list[Values], severity: Severity) -> Iterator[Opening]:
    """Settings that weaken the isolation of a pod from its node."""
    settings = [(key.lower(), value) for each in maps for key, value in each.items() if isinstance(key, str)]
    found = {
        "runs as a process of the node (hostProcess)": ("hostprocess", True) in settings,
        "sees all of /proc (procMount)": ("procmount", "Unmasked") in settings,
        "runs without seccomp": any(
            str(get(each, "seccompProfile.type")).lower() == "unconfined" for each in maps
        ),
        "runs without AppArmor": any(
            str(get(each, "appArmorProfile.type")).lower() == "unconfined" for each in maps
        )
        or any(key.startswith(_APPARMOR) and value == "unconfined" for key, value in settings),
        "chooses its own SELinux type, user or role": any(
            _chooses(options) for key, options in settings if key == "selinuxoptions"
        ),
    }
    for what in (what for what, is_so in found.items() if is_so):
        yield Opening("privileged_pods", severity, f"has pods that weaken their isolation: {what}")
    sysctls = sorted({str(each.get("name")) for one in maps for each in listed(one, "sysctls", "sysctl")})
    if unsafe := [name for name in sysctls if name not in _SAFE_SYSCTLS]:
        yield Opening("privileged_pods", severity, f"sets sysctls of the node: {', '.join(unsafe)}")


def _chooses(options: Any) -> bool:
    options = options[0] if isinstance(options, list) and options else options
    if not isinstance(options, Mapping):
        return False
    return bool(options.get("user") or options.get("role")) or options.get("type", "") not in _SAFE_SELINUX


def _is_expected(
    resource: Resource, shared: list[str], paths: list[str], added: list[str], *, privileged: bool
) -> bool:
    folders, capabilities = _of_fabrics()
    if not (shared or paths or added or privileged):
        return False
    if _DAEMONS.fullmatch(resource.base):
        return folders | _OF_DAEMONS >= {*paths} and capabilities >= {*added}
    if _JOBS.fullmatch(resource.base):
        return not (shared or privileged) and folders >= {*paths} and capabilities >= {*added}
    return False


@cache
def _of_fabrics() -> tuple[frozenset[str], frozenset[str]]:
    """Host paths and capabilities of our own jobs, which networks between GPUs need."""
    fabrics = catalog.fabrics().values()
    folders = {folder for each in fabrics for folder in each.folders.values()}
    capabilities = {name for each in fabrics for name in each.capabilities}
    capabilities |= {name for each in fabrics if each.daemon for name in each.daemon.capabilities}
    return frozenset(folders), frozenset(capabilities)


def _shares(values: Values, key: str) -> bool:
    return key.lower() in _SHARED and values[key] is True


def _maps(value: Any) -> Iterator[Values]:
    if isinstance(value, Mapping):
        yield dict(value)
        for each in value.values():
            yield from _maps(each)
    elif isinstance(value, list):
        for each in value:
            yield from _maps(each)
