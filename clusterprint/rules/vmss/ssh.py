from clusterprint.blueprint.azure import SshPublicKey
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _listed_ranges, _ranges, _texts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _keys
from clusterprint.rules.vmss._blueprint_ranges import ssh_ranges


@rule("AZ021", severity=Severity.WARNING)
def head_out_of_reach(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    head, network = blueprint.head_node, blueprint.network
    if head.ssh_source_ranges or network.bastion or network.existing is not UNSET:
        return
    yield Finding(
        "SSH to the head is open to nobody, and there is no Bastion",
        context.at(blueprint, "head_node" if context.wrote(blueprint, "head_node") else "name"),
        help="add head_node: {ssh_source_ranges: [YOUR.NETWORK/24]}, or network: {bastion: true}",
    )


@rule("AZ023", severity=Severity.WARNING)
def ssh_ranges_reach_nothing(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
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


@rule("AZ025", severity=Severity.ERROR)
def ssh_source_repeated(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    yield from _listed_ranges.repeated(ssh_ranges(blueprint, context))


@rule("AZ040", severity=Severity.ERROR, firm=True)
def ssh_key_not_public(key: SshPublicKey, context: Context) -> Iterator[Finding]:
    content = _texts.content(key, context)
    if content is None or not _texts.is_text(content):
        return
    problem = _keys.problem(content.decode())
    if problem:
        yield Finding(
            f"{_texts.name(key)} {problem.message}", context.at_key(key, _texts.field(key)), help=problem.help
        )
