from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import cooperation
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM100", severity=Severity.ERROR, source="OpenSSH: ssh_config and sshd_config", firm=True)
def ssh_without_hosts(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """SSH between nodes is on, but nodes have no lists of each other.

    A node lets users of another one in because it knows that node's host key. The keys come with the lists of
    nodes.

    Remove `hosts: false`, or remove what needs SSH between nodes.
    """
    said = blueprint.cluster.hosts
    if given(said) and not said and cooperation.ssh(blueprint):
        yield Finding(
            "SSH between nodes needs their lists of each other, which are disabled",
            context.at(blueprint.cluster, "hosts"),
            help="remove hosts: false",
        )
