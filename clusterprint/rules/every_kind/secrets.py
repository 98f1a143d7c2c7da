import os
from itertools import islice

from clusterprint import masking
from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.diagnostic import Label
from clusterprint.rules import _paths, _private, _texts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# Keys and settings stand near the top of small files; programs and data are not searched.
_LARGEST = 64 * 1024
_MOST = 1000


@rule("BP231", severity=Severity.ERROR)
def secret_in_file(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
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


@rule("BP241", severity=Severity.ERROR, firm=True)
def private_file_carried(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
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
