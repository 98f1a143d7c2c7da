from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.rules import _paths, _private
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("BP241", severity=Severity.ERROR, source="clusterprint: how files reach the nodes", firm=True)
def private_file_carried(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
    """A file that would be uploaded is private: credentials, a key, or Terraform state.

    This is about the data of a git repository (a CI run leaves a token in its settings), Terraform state,
    `.env` files, credentials of tools and private keys. Uploaded files end up in a bucket or in Terraform's
    state and plans, in artifacts of CI runs, and on every node. Silently leaving a file out would be a
    surprise, so it is refused. Files are recognized by their names, and by a private key in them.

    Copy a folder that holds only what the nodes need, and keep the blueprint in a subfolder of the
    repository. Keep secrets in a secret store, and let the nodes fetch them.
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
