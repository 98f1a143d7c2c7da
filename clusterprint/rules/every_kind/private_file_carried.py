from collections.abc import Iterator

from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.diagnostic import Severity
from clusterprint.rules import _paths, _private
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("BP241", severity=Severity.ERROR, source="clusterprint: how files reach the nodes", firm=True)
def private_file_carried(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
    """A file that would be uploaded is one that must not leave its place.

    The data of a git repository (with the token of a CI run in its settings), Terraform state, `.env` files,
    credentials of tools, private keys: what is uploaded lies in a bucket or in Terraform's state and plans,
    is an artifact of CI runs, and stands on every node. Left out silently it would be missing, so it is
    refused. A file counts by its name, and by a private key in it, whatever it is called.

    Copy a folder that holds only what the nodes need: put it into one of its own, and the blueprint's folder
    below the root of the repository. Keep secrets in a secret store, and let the nodes fetch them.
    """
    named = _paths.named(part, context)
    private = _private.carried(part, context)
    if named is None or not private:
        return
    place = context.at(part, named.field)
    (name, what), *others = private
    more = f", and {len(others)} more such file{'s' * (len(others) > 1)}" if others else ""
    if named.sort is _paths.Sort.FILE:
        yield Finding(f"{named.shown} is {what}, and must not be uploaded", place, help=_KEEP)
    else:
        yield Finding(
            f"{named.shown} holds {_paths.shown(name)} ({what}){more}, which must not be uploaded",
            place,
            help=f"name a folder that holds only what the nodes need; {_KEEP}",
        )


_KEEP = "keep secrets in a secret store, and let the nodes fetch them"
