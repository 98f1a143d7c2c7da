from clusterprint.blueprint.azure import SshPublicKey
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _keys


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
