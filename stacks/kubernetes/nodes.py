"""Objects for the nodes of a cluster: compute classes, networks, and software installed on nodes."""

from collections.abc import Sequence

from constructs import Construct

from clusterprint.plan.gke.cluster import ComputeClassPlan
from clusterprint.plan.kubernetes import (
    DeviceInjectorPlan,
    InterfaceProgramPlan,
    NetworkObjectPlan,
    PluginPlan,
)
from stacks.kubernetes.compute_classes import compute_class_objects
from stacks.kubernetes.interfaces import interface_program
from stacks.kubernetes.networks import network_objects
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.plugins import DeviceInjector, Plugin


def lay_on_nodes(
    scope: Construct,
    *,
    compute_classes: Sequence[ComputeClassPlan],
    networks: Sequence[NetworkObjectPlan],
    plugins: Sequence[PluginPlan],
    injectors: Sequence[DeviceInjectorPlan],
    programs: Sequence[InterfaceProgramPlan],
) -> list[Objects]:
    """Make the objects and the installers; the objects have to be there before pods that ask for them."""
    made = [
        Objects(scope, key, name=key, namespace="kube-system", objects=objects)
        for key, objects in (
            ("compute-classes", compute_class_objects(compute_classes)),
            ("networks", network_objects(networks)),
            ("interfaces", {each.key: interface_program(each) for each in programs}),
        )
        if objects
    ]
    for plugin in plugins:
        Plugin(scope, f"nccl-{plugin.key}", plan=plugin)
    for injector in injectors:
        DeviceInjector(scope, f"injector-{injector.key}", plan=injector)
    return made
