from clusterprint.blueprint.backend import GcsBackend
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_RESERVED = ".well-known/acme-challenge"


@rule("BP202", severity=Severity.ERROR, source="Cloud Storage: object names", firm=True)
def state_prefix_not_allowed(backend: GcsBackend, context: Context) -> Iterator[Finding]:
    """The state prefix cannot be the beginning of an object's name.

    The state is an object below the prefix. Cloud Storage refuses objects called `.` or `..` and those in
    `.well-known/acme-challenge/`, and many tools treat `.` and `..` as folders and lose such objects.

    Write a prefix of ordinary words, such as `clusterprint/my-cluster`, or leave it out.
    """
    if backend.prefix is UNSET:
        return
    parts = backend.prefix.split("/")
    dots = next((part for part in parts if part in (".", "..")), "")
    help_text = "leave the prefix out (clusterprint/<name>), or use plain words between the slashes"
    if dots:
        message = (
            f"the state prefix {backend.prefix} has the part {dots}, which Cloud Storage does not resolve"
        )
        yield Finding(message, context.at(backend, "prefix"), help=help_text)
    elif "/".join(parts[:2]) == _RESERVED:
        message = f"the state prefix begins with {_RESERVED}, which Cloud Storage reserves"
        yield Finding(message, context.at(backend, "prefix"), help=help_text)
