"""The networks between nodes, as pods see them: objects to ask for, plug-ins, and what a pod needs."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.nodes.gke import script
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import AcceleratorPlan, PoolPlan
from clusterprint.plan.kubernetes import (
    BesideProgramPlan,
    DaemonPlan,
    DeviceInjectorPlan,
    FabricPlan,
    InterfaceProgramPlan,
    NetworkObjectPlan,
    PluginPlan,
    PreparePlan,
)

# What is not the program itself asks for this much of a core.
_CPU = "150m"

# Where the devices are, and where containerd asks who wants to have a say in its containers.
_INJECTOR_FOLDERS = {"dev": "/dev", "nri": "/var/run/nri"}

# What sets up interfaces does not answer before they are there.
_SETUP_SECONDS = 60

_SHELL = ("/bin/sh", "-c")
# As root on the node itself, not in the container.
_SHELL_OF_NODE = ("nsenter", "--all", "--target=1", "--", "sh", "-c")


def resolve_networks(cluster: GkeClusterPlan) -> tuple[NetworkObjectPlan, ...]:
    """Each network that a pool is connected to, once."""
    found = {
        interface.name: NetworkObjectPlan(
            name=interface.name,
            network=interface.network_name,
            subnet=interface.subnet_name,
            device_mode=interface.device_mode,
        )
        for pool in cluster.pools
        for interface in pool.interfaces
    }
    return tuple(found.values())


def resolve_fabric(pool: PoolPlan, nccl: Nccl) -> FabricPlan | None:
    """The network settings of pods on a pool; None for a pool without networks."""
    found = _fabric(pool)
    networks = tuple(each.name for each in pool.interfaces)
    if found is None:
        return _second_network(networks) if pool.second_network else None
    name, fabric = found
    profile = fabric.profile
    return FabricPlan(
        networks=networks,
        folders=fabric.folders,
        mounts=fabric.mounts,
        # The profile is sourced in the container, so what it wants to know is there.
        env={**fabric.environment, **(profile.environment if profile else {})},
        capabilities=fabric.capabilities,
        profile=profile.script if profile else "",
        daemon=_daemon(name, fabric, nccl),
    )


def _second_network(networks: tuple[str, ...]) -> FabricPlan:
    """Nothing but an interface more, which NCCL finds by itself."""
    return FabricPlan(
        networks=networks,
        folders={},
        mounts={},
        env={},
        capabilities=(),
        profile="",
        daemon=None,
        open_to_all=True,
    )


def process_count(pool: PoolPlan, processes: int) -> dict[str, str]:
    """How many processes there are, for programs that have to know before they begin to talk."""
    found = _fabric(pool)
    return {found[1].processes: str(processes)} if found and found[1].processes else {}


def sourced(command: tuple[str, ...], fabric: FabricPlan | None) -> tuple[str, ...]:
    """A command that first sources the fabric's profile, so that NCCL finds the networks between GPUs."""
    if not fabric or not fabric.profile:
        return command
    return ("/bin/bash", "-c", script("nccl/with-profile"), "with-profile", fabric.profile, *command)


def resolve_plugins(cluster: GkeClusterPlan, nccl: Nccl) -> tuple[PluginPlan, ...]:
    """One plug-in for each GPU type that has networks of its own."""
    return tuple(
        PluginPlan(
            key=_key(accelerator),
            accelerator=accelerator.type,
            image=_plugin_image(nccl, name, pool.architecture),
            command=(*_SHELL, script(install.script)),
            folders=install.folders,
            mounts=install.mounts,
            cpu=_CPU,
            prepare=_prepare(install),
            pause_image=catalog.component("pause").image,
        )
        for accelerator, pool, name, fabric in _to_install(cluster, nccl)
        if (install := fabric.install)
    )


def resolve_device_injectors(cluster: GkeClusterPlan, nccl: Nccl) -> tuple[DeviceInjectorPlan, ...]:
    """Only daemons beside the jobs need devices handed to them."""
    given = nccl.device_injector_image
    image = catalog.component("device-injector").image if given is UNSET else given
    return tuple(
        DeviceInjectorPlan(
            key=_key(accelerator),
            accelerator=accelerator.type,
            image=image,
            folders=_INJECTOR_FOLDERS,
            cpu=_CPU,
        )
        for accelerator, _, _, fabric in _to_install(cluster, nccl)
        if fabric.daemon
    )


def resolve_interface_programs(cluster: GkeClusterPlan) -> tuple[InterfaceProgramPlan, ...]:
    """The interface daemons, one for each GPU type whose nodes need it."""
    found = {
        accelerator.type: program
        for pool in cluster.pools
        if (fabric := _fabric(pool))
        and (program := fabric[1].interfaces)
        and (accelerator := pool.node.accelerator)
    }
    return tuple(
        InterfaceProgramPlan(
            key=program.component,
            accelerator=type_,
            image=catalog.component(program.component).image,
            command=(*_SHELL, script(program.script)),
            env=program.environment,
            folders=program.folders,
            huge_pages_mib=program.huge_pages_mib,
            memory_mib=program.memory_mib,
            health_path=program.health_path,
            health_port=program.health_port,
            health_delay_seconds=_SETUP_SECONDS,
            beside=BesideProgramPlan(
                key=program.beside.component,
                image=catalog.component(program.beside.component).image,
                command=(*_SHELL, script(program.beside.script)),
                folders=program.beside.folders,
            ),
        )
        for type_, program in found.items()
    )


def _to_install(
    cluster: GkeClusterPlan, nccl: Nccl
) -> Iterator[tuple[AcceleratorPlan, PoolPlan, str, catalog.Fabric]]:
    """Each GPU type with networks of its own, with the last pool that has it."""
    found = {
        accelerator.type: (accelerator, pool, *fabric)
        for pool in cluster.pools
        if (fabric := _fabric(pool)) and (accelerator := pool.node.accelerator)
    }
    yield from found.values() if nccl.install else ()


def _daemon(name: str, fabric: catalog.Fabric, nccl: Nccl) -> DaemonPlan | None:
    daemon = fabric.daemon
    if daemon is None:
        return None
    pinned = catalog.component(f"nccl-{name}-daemon").image
    return DaemonPlan(
        name=f"{name}-daemon",
        image=pinned if nccl.daemon_image is UNSET else nccl.daemon_image,
        command=(*_SHELL, script(daemon.script)) if daemon.script else daemon.command,
        env=daemon.environment,
        capabilities=daemon.capabilities,
        mounts=daemon.mounts,
        devices=daemon.devices,
    )


def _prepare(install: catalog.Install) -> PreparePlan | None:
    if not install.prepare:
        return None
    return PreparePlan(
        image=catalog.component("ubuntu").image, command=(*_SHELL_OF_NODE, script(install.prepare))
    )


def _key(accelerator: AcceleratorPlan) -> str:
    return accelerator.type.removeprefix("nvidia-")


def _plugin_image(nccl: Nccl, name: str, architecture: str) -> str:
    if nccl.plugin_image is not UNSET:
        return nccl.plugin_image
    return catalog.component(f"nccl-{name}{'-arm64' if architecture == 'arm64' else ''}").image


def _fabric(pool: PoolPlan) -> tuple[str, catalog.Fabric] | None:
    return (pool.fabric, catalog.fabrics()[pool.fabric]) if pool.fabric else None
