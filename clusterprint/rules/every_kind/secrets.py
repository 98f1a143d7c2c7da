import os
from itertools import islice

from clusterprint import masking
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.diagnostic import Label
from clusterprint.document import Document, Place
from clusterprint.masking.documents import Located, located_in
from clusterprint.rules import _paths, _private, _texts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("BP230", severity=Severity.ERROR, source=masking.SOURCE)
def secret_in_blueprint(_blueprint: Blueprint, context: Context) -> Iterator[Finding]:
    """Something in the blueprint looks like a password, a token or a key.

    Anyone with access to the repository, the plan, the state or the metadata of a node can read it, and a
    committed secret stays in the history. This applies to comments and keys, too.

    Revoke it, because it is no longer secret. Keep the new one in a secret store (Secret Manager, Key
    Vault) and let the nodes fetch it with an identity of their own.
    """
    told = set()
    parts = (context.document, *context.document.defaults)
    for each, document in ((each, part) for part in parts for each in located_in(part)):
        finding = _finding(each, document)
        # Several in one value are one mistake.
        if finding.place not in told:
            told.add(finding.place)
            yield finding


def _finding(each: Located, document: Document) -> Finding:
    here = Label(document.file, each.span, "here")
    if each.place is None:
        message, place = f"a comment holds what looks like {each.found.what}", here._replace(text="")
    elif each.in_key:
        message = f"a key of {_name(each.place[:-1])} holds what looks like {each.found.what}"
        place = here._replace(text="")
    else:
        message = f"{_name(each.place)} holds what looks like {each.found.what}"
        place = document.key_label(each.place)
    far = place.span is not None and place.span.line != each.span.line
    return Finding(
        message,
        place,
        (here,) if far else (),
        "revoke it, keep the new one in a secret store, and let the nodes fetch it from there",
    )


def _name(place: Place) -> str:
    """The name of a value; an item is named after the key of its list."""
    return next((key for key in reversed(place) if isinstance(key, str)), "the blueprint")


# Keys and settings stand near the top of small files; programs and data are not searched.
_LARGEST = 64 * 1024
_MOST = 1000


@rule("BP231", severity=Severity.ERROR, source=masking.SOURCE)
def secret_in_file(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
    """A file that goes to the nodes holds what looks like a token or a private key.

    The file is in the repository and, on its way to the nodes, in a bucket or in their metadata, where more
    people can read it than should.

    Revoke the secret, because it is no longer secret. Keep the new one in a secret store (Secret Manager,
    Key Vault) and let the nodes fetch it with an identity of their own.
    """
    for name, content, place in _contents(part, context):
        secret = masking.find(content.decode("utf-8", "replace"))
        if secret:
            yield Finding(
                f"{name} holds what looks like {secret.what}, in line {secret.line}",
                place,
                help="revoke it, keep the new one in a secret store, and let the nodes fetch it from there",
            )


def _contents(part: LocalFiles | TextFile, context: Context) -> Iterator[tuple[str, bytes, Label]]:
    """The files that a part brings, as far as they are searched."""
    if isinstance(part, TextFile):
        content = _texts.content(part, context) if part.file is not UNSET else None
        if content is not None and not _private.carried(part, context):
            yield _texts.name(part), content, context.at(part, "file")
        return
    reported = _private.carried(part, context)
    files = (entry for _, entry in _paths.copied(part, context) if not _private.is_in(reported, entry.name))
    small = (entry for entry in files if entry.size <= _LARGEST)
    for entry in islice(small, _MOST):
        name = os.path.relpath(entry.path, context.folder)
        yield _paths.shown(name), _paths.head(entry.path, _LARGEST), context.at(part, "source")


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
