from clusterprint.blueprint.azure import SshPublicKey
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _listed_ranges, _ranges, _texts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _keys
from clusterprint.rules.vmss._blueprint_ranges import ssh_ranges


@rule("AZ021", severity=Severity.WARNING, source="Azure: network security groups, default rules")
def head_out_of_reach(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """Nobody can reach the head from outside: SSH is opened to no range, and there is no Bastion.

    What is not opened is closed. The cluster comes up, and nobody gets in.

    List who may connect under `head_node.ssh_source_ranges`, or write `network.bastion: true`. An existing
    network may have a way in of its own.
    """
    head, network = blueprint.head_node, blueprint.network
    if head.ssh_source_ranges or network.bastion or network.existing is not UNSET:
        return
    yield Finding(
        "SSH to the head is open to nobody, and there is no Bastion",
        context.at(blueprint, "head_node" if context.wrote(blueprint, "head_node") else "name"),
        help="add head_node: {ssh_source_ranges: [YOUR.NETWORK/24]}, or network: {bastion: true}",
    )


@rule("AZ023", severity=Severity.WARNING, source="Azure: network security groups, default rules")
def ssh_ranges_reach_nothing(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """SSH is opened to public addresses, but no machine has an address that could be reached from there.

    Without a public address of the head, and without forwarded ports, the rule is there and does nothing.

    Write `public_ip: true`, or remove the range and use Bastion.
    """
    network = blueprint.network
    if blueprint.head_node.public_ip or network.inbound_nat is not UNSET:
        return
    for text, place in ssh_ranges(blueprint, context):
        cidr = _ranges.read(text)
        if cidr is not None and not _ranges.is_private(cidr):
            yield Finding(
                f"{text} may open SSH connections, but no machine has a public address to reach",
                place,
                help="write public_ip: true, or remove the range and use network: {bastion: true}",
            )


@rule("AZ025", severity=Severity.ERROR, source="Azure: network security groups, security rules")
def ssh_source_repeated(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A range that may open SSH connections is listed twice, or is inside another one.

    Azure refuses a security rule whose ranges overlap.

    Keep the intended one.
    """
    yield from _listed_ranges.repeated(ssh_ranges(blueprint, context))


@rule("AZ040", severity=Severity.ERROR, source="OpenSSH: sshd(8), authorized_keys file format", firm=True)
def ssh_key_not_public(key: SshPublicKey, context: Context) -> Iterator[Finding]:
    """The SSH key is not a public key in one line.

    Machines get the public half of a key, as `ssh-keygen` writes it into the file that ends with `.pub`: the
    type, the key and a comment, in one line. The private half never leaves the computer that it was made on,
    and does not belong in a repository.

    Name the file that ends with `.pub`.
    """
    content = _texts.content(key, context)
    if content is None or not _texts.is_text(content):
        return
    problem = _keys.problem(content.decode())
    if problem:
        yield Finding(
            f"{_texts.name(key)} {problem.message}", context.at_key(key, _texts.field(key)), help=problem.help
        )
