"""Lines of the objects of a blueprint's manifests."""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from posixpath import normpath

from clusterprint.derived.kubernetes_objects import NotReadable, read_objects
from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.files.inside import root_of
from clusterprint.load.files import read_bytes
from clusterprint.load.problem import Refused
from clusterprint.review.causes import in_words
from clusterprint.review.model import Place

_LIST: Keys = ("workloads", "manifests")
_BLOCK = "|>"


def object_places(document: Document) -> Mapping[str, Place]:
    """The line of each object, in the blueprint or in a file of its own, by its name in its release."""
    count = sum(len(keys) == len(_LIST) + 1 and keys[: len(_LIST)] == _LIST for keys in document.written)
    return {key: place for index in range(count) for key, place in _places(document, (*_LIST, index))}


def _places(document: Document, keys: Keys) -> Iterator[tuple[str, Place]]:
    written = document.data["workloads"]["manifests"][keys[-1]]
    source = next((each for each in ("inline", "file") if isinstance(written.get(each), str)), "")
    if not source:
        return
    at = (*keys, source)
    span, words = document.written[at].value, in_words(document, at)
    try:
        if source == "inline":
            # The text of a block begins in the line after its sign.
            block = document.text.splitlines()[span.line - 1][span.column - 1] in _BLOCK
            for each in read_objects(written[source]):
                line = span.line + each.line if block else span.line
                yield each.key, Place(file=document.file, line=line, column=span.column, key=words)
            return
        file = normpath((PurePath(document.file).parent / written[source]).as_posix())
        manifest = document.folder / written[source]
        content = read_bytes(manifest, root_of(document.folder / PurePath(document.file).name))
        for each in read_objects(content.decode("utf-8")):
            yield each.key, Place(file=file, line=each.line, column=1, key=words)
    except (NotReadable, Refused, UnicodeDecodeError):
        return
