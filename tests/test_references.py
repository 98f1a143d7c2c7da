"""Every field that names an item of a list of the blueprint, tried where a sample or a golden uses it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from every import every
from support import ROOT, cases

from clusterprint.blueprint import KINDS
from clusterprint.editor.at_position import named_at
from clusterprint.editor.complete import complete
from clusterprint.editor.open_file import Opened, opened
from clusterprint.editor.schema import Schema, path_of, schema_at
from clusterprint.fixes import fix
from clusterprint.validate.schemas import schema_of


class Reference(NamedTuple):
    """A place of a blueprint, and the name that is written there."""

    file: Path
    text: str
    line: int
    column: int
    name: str


def fields(schema: Schema | bool, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The paths of all fields of a kind that name items of a list, those of its variants too."""
    if isinstance(schema, bool):
        return
    item = schema.get("items", schema)
    if "refersTo" in schema or "refersTo" in item:
        yield path
    for part in (item, *(each.get("then", {}) for each in item.get("allOf", ()))):
        for key, each in part.get("properties", {}).items() if isinstance(part, dict) else ():
            yield from fields(each, (*path, key))


# Fields whose items no sample and no golden has in the same blueprint.
MORE = [
    """\
clusterprint: v1
kind: vm
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
storage: {volumes: [{name: my-results, kind: bucket, mount: /results}]}
nodes: {machine_type: a4-highgpu-8g, count: 2}
benchmark: {nccl: {bucket: my-results}}
bootstrap: {mpi: {run: {command: [hostname], bucket: my-results}}}
""",
    """\
clusterprint: v1
kind: vm
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
storage: {disk_pools: [{name: fast, size_gb: 10240, throughput_mbps: 1024, iops: 10000}]}
node_groups:
  - {name: cpu, machine_type: c3-standard-8, boot_disk: {pool: fast, type: hyperdisk-balanced, size_gb: 100}}
""",
    """\
clusterprint: v1
kind: ray
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
secrets: [{name: token, create: true}]
workload_identity: [{name: reader, secrets: [token]}]
node_pools: [{name: cpu, machine_type: n2-standard-8, count: 1}]
ray: {workers: [{name: w, pool: cpu, max: 1}]}
""",
]

FIELDS = [path for kind in KINDS for path in fields(schema_of(kind), (kind,))]


@cache
def used() -> dict[tuple[str, ...], Reference]:
    """A use of each field whose item is in the same blueprint."""
    found: dict[tuple[str, ...], Reference] = {}
    texts = [
        *((file, file.read_text("utf-8")) for file in cases()),
        *((ROOT / "x.yaml", each) for each in MORE),
    ]
    for file, text in texts:
        blueprint = opened(text, file)
        assert blueprint.document
        for place, written in blueprint.document.written.items():
            schema = schema_at(blueprint.kind, path_of(place)) if place and not written.file else None
            path = (blueprint.kind, *path_of(place))
            if schema is None or "refersTo" not in schema or path in found:
                continue
            line, column, _, end = written.value
            name = blueprint.lines[line - 1][column - 1 : end - 1]
            if any(name == each for listed in schema["refersTo"] for each, _ in blueprint.named(listed)):
                found[path] = Reference(file, text, line, column, name)
    return found


def rewritten(reference: Reference, name: str) -> str:
    lines = reference.text.splitlines(keepends=True)
    line, start = lines[reference.line - 1], reference.column - 1
    lines[reference.line - 1] = line[:start] + name + line[start + len(reference.name) :]
    return "".join(lines)


def seen(text: str, reference: Reference) -> Opened:
    return opened(text, reference.file)


@pytest.mark.slow
@every(FIELDS, ".".join)
def test_a_reference(path: tuple[str, ...]) -> None:
    """One report with a guess, one fix, all names offered, and the item and its uses found."""
    reference = used()[path]
    right, wrong = reference.text, reference.name + "z"
    text = rewritten(reference, wrong)
    cursor = reference.line - 1, reference.column - 1
    uses = named_at(seen(right, reference), *cursor)
    assert uses
    assert uses.here in uses.references
    assert uses.definition != uses.here
    blueprint = seen(text, reference)
    offered = complete(blueprint, *cursor)
    assert reference.name in {each.text for each in offered.choices}
    if path in ONLY_PROPOSED:
        return
    (report,) = [each for each in blueprint.diagnostics if f" {wrong}" in each.message]
    assert report.message.startswith("there is no ")
    assert report.help == f"did you mean {reference.name}?"
    after = fix(text, reference.file.name, reference.file, reference.file.parent).text
    assert wrong not in after
    assert after.count(reference.name) == right.count(reference.name)


# A bucket may be one that the blueprint does not have, or a rule says more; a secret, one that exists.
ONLY_PROPOSED = {
    ("vm", "benchmark", "nccl", "bucket"),
    ("vm", "bootstrap", "mpi", "run", "bucket"),
    ("gke", "workload_identity", "secrets"),
    ("ray", "workload_identity", "secrets"),
}
