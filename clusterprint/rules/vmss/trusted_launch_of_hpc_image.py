from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ017", severity=Severity.ERROR, source="Azure HPC VM images; Azure: Trusted Launch")
def trusted_launch_of_hpc_image(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """Trusted launch is asked for, with an image that does not start with it.

    With secure boot only signed kernel modules are loaded. The GPU and InfiniBand drivers of the HPC images
    are not signed, so the machine starts without its GPUs, if it starts.

    Write `security_type: standard`, or use an image that is made for trusted launch.
    """
    hpc = nodes.image_id is UNSET and (nodes.image is UNSET or ":ubuntu-hpc:" in nodes.image)
    if nodes.security_type == "trusted_launch" and hpc:
        yield Finding(
            "the HPC image does not start with trusted launch",
            context.at(nodes, "security_type"),
            help="remove security_type, or name an image that is made for trusted launch",
        )
