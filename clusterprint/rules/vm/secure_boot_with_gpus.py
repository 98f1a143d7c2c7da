from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_system
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM006", severity=Severity.WARNING, source="Google Cloud: install GPU drivers on VMs with Secure Boot")
def secure_boot_with_gpus(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Secure boot is on for machines with GPUs.

    With secure boot the kernel loads signed modules only. GPU drivers from NVIDIA's installer, and modules
    for RDMA that are built on the machine, are not signed: the machine starts, but without GPUs. The drivers
    of Container-Optimized OS are signed, and so are those that `driver` installs on plain Ubuntu.

    Use `driver` on a plain Ubuntu image, or turn secure boot off. Ignore this warning if every driver of the
    image is signed.
    """
    if not nodes.shielded_vm.secure_boot or machine_with_gpus(nodes) is None:
        return
    if node_system.has_signed_driver(nodes):
        return
    yield Finding(
        "secure_boot blocks GPU drivers that are not signed",
        context.at(nodes.shielded_vm, "secure_boot"),
        also=(context.at(nodes, "machine_type", text="machines with GPUs"),),
        help="use an image of ubuntu-os-cloud with driver, whose modules are signed, or remove secure_boot",
    )
