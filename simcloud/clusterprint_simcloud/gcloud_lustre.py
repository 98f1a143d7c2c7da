"""`gcloud lustre`: imports into instances of Managed Lustre, and the operations that they are.

Nothing is copied. An operation is done when it has been asked about once, so that whoever does not ask meets
it as work that goes on. Documentation "Managed Lustre: transfer data to and from Cloud Storage".
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.filesystems import LUSTRE
from clusterprint_simcloud.google.links import name_of

Options = Mapping[str, str]

#: What an import is here; no configuration makes one.
OPERATION = "google_lustre_operation"

_READERS = ("roles/storage.objectViewer", "roles/storage.objectUser", "roles/storage.admin")
_SOURCE = re.compile(r"gs://(?P<bucket>[-_.a-z0-9]+)(?:/(?:.*/)?)?")
_TARGET = re.compile(r'metadata\.target~"(?P<pattern>[^"]+)" AND NOT done=true')
_EVERYWHERE = {"--project", "--location", "--quiet", "--format"}
_OF_IMPORTS = {"--gcs-path-uri", "--lustre-path", "--async"}


class Refused(Exception):  # noqa: N818  (an answer)
    """A refusal of gcloud."""


def answer(words: Sequence[str], options: Options) -> int:
    """Answer the words after `lustre`; returns the exit code."""
    with Cloud(Path(os.environ[CLOUD_VARIABLE])).open() as contents:
        try:
            for line in _verb(words)(contents, words[2:], options):
                print(line)  # noqa: T201  (a command)
        except Refused as error:
            print(f"ERROR: (gcloud.lustre) {error}", file=sys.stderr)  # noqa: T201  (a command)
            return 1
    return 0


def _verb(words: Sequence[str]) -> Callable[[Contents, Sequence[str], Options], Iterator[str]]:
    verb = _VERBS.get((tuple(words[:2]), len(words)))
    if verb is None:
        raise Refused(f"the simulated gcloud does not know: lustre {' '.join(words)}")
    return verb


def _import(contents: Contents, names: Sequence[str], options: Options) -> Iterator[str]:
    strange = options.keys() - _OF_IMPORTS - _EVERYWHERE
    if strange:
        raise Refused(f"unrecognized arguments: {sorted(strange)}")
    place = f"projects/{options.get('--project')}/locations/{options.get('--location')}"
    instance = contents.get(LUSTRE, f"{place}/instances/{names[0]}")
    if instance is None:
        raise Refused(f"NOT_FOUND: Resource '{place}/instances/{names[0]}' was not found")
    source = _SOURCE.fullmatch(options.get("--gcs-path-uri", ""))
    if source is None:
        raise Refused("INVALID_ARGUMENT: a path inside of a bucket begins with gs:// and ends with a slash")
    if options.get("--lustre-path", "/") != "/":
        raise Refused("INVALID_ARGUMENT: the directory does not exist in the file system")
    if any(not each.state["done"] for each in contents.owned_by(instance)):
        raise Refused("ABORTED: unable to queue the operation")
    identity = f"{place}/operations/operation-{contents.next_serial()}"
    state = {
        "name": identity,
        "target": instance.id,
        "source": options["--gcs-path-uri"],
        "done": False,
        "error": _unreadable(contents, source["bucket"], str(options.get("--project"))),
    }
    contents.add(Record(OPERATION, identity, state, owner=instance.key))
    yield identity


def _unreadable(contents: Contents, bucket: str, project: str) -> str:
    """The operation's error if Google's account may not read the bucket, or ""."""
    account = f"service-{number(project, 12)}@gcp-sa-lustre.iam.gserviceaccount.com"
    for each in contents.of("google_storage_bucket_iam_member"):
        is_reader = each.state["role"] in _READERS and each.state["member"] == f"serviceAccount:{account}"
        if is_reader and name_of(str(each.state["bucket"])) == bucket:
            return ""
    return f"7\t{account} does not have storage.objects.list access to bucket {bucket}: permission denied"


def _describe(contents: Contents, names: Sequence[str], options: Options) -> Iterator[str]:
    found = contents.get(OPERATION, names[0])
    if found is None:
        raise Refused(f"NOT_FOUND: operation {names[0]} was not found")
    answers = {"value(done)": "True", "value(error.code,error.message)": found.state["error"]}
    if options.get("--format") not in answers:
        raise Refused(f"the simulated gcloud does not print {options.get('--format')} of operations")
    found.state["done"] = True
    yield answers[options["--format"]]


def _list(contents: Contents, _names: Sequence[str], options: Options) -> Iterator[str]:
    wanted = _TARGET.fullmatch(options.get("--filter", ""))
    if wanted is None:
        raise Refused("the simulated gcloud knows one filter of operations: those of a target, not done")
    for each in contents.of(OPERATION):
        if not each.state["done"] and re.search(wanted["pattern"], each.state["target"]):
            each.state["done"] = True
            yield each.id


_VERBS: dict[tuple[tuple[str, ...], int], Callable[[Contents, Sequence[str], Options], Iterator[str]]] = {
    (("instances", "import-data"), 3): _import,
    (("operations", "describe"), 3): _describe,
    (("operations", "list"), 2): _list,
}
