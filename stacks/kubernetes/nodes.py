"""Objects for the nodes of a cluster: compute classes, networks, and software installed on nodes."""

from constructs import Construct

from clusterprint.plan.in_cluster import InClusterPlan
from stacks.kubernetes.compute_classes import compute_class_objects
from stacks.kubernetes.interfaces import interface_program
from stacks.kubernetes.networks import network_objects
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.plugins import DeviceInjector, Plugin


def lay_on_nodes(scope: Construct, plan: InClusterPlan) -> list[Objects]:
    """Make the objects and the installers; the objects have to be there before pods that ask for them."""
    made = [
        Objects(scope, key, name=key, namespace="kube-system", objects=objects)
        for key, objects in (
            ("compute-classes", compute_class_objects(plan.compute_classes)),
            ("networks", network_objects(plan.networks)),
            ("interfaces", {each.key: interface_program(each) for each in plan.interface_programs}),
        )
        if objects
    ]
    for plugin in plan.plugins:
        Plugin(scope, f"nccl-{plugin.key}", plan=plugin)
    for injector in plan.device_injectors:
        DeviceInjector(scope, f"injector-{injector.key}", plan=injector)
    return made
