"""Files that nodes read about a program that runs over several of them.

It comes as a file from the bucket, not as metadata: another run begins on the nodes that are there, and
changes no template.
"""

from collections.abc import Iterator

from clusterprint.errors import InternalError
from clusterprint.plan.vm_nodes import RunFacts

#: The folder of these files on the nodes, without the first slash.
FOLDER = "etc/clusterprint/runs"


def description(run: RunFacts) -> str:
    """One fact a line, as key=value; a key that is there several times keeps its order."""
    lines = list(_lines(run))
    # A line break inside a fact would be another fact; the fields of blueprints let none pass.
    if any("\n" in line for line in lines):
        raise InternalError("a fact of a run contains a line break")
    return "\n".join([*lines, ""])


def _lines(run: RunFacts) -> Iterator[str]:
    yield f"run={run.run}"
    yield f"group={run.group}"
    yield f"nodes={run.nodes}"
    yield f"processes_per_node={run.processes_per_node}"
    yield f"bucket={run.bucket}"
    yield f"results={run.results}"
    yield f"folder={run.folder}"
    yield f"time_limit={run.time_limit}"
    if run.minimum is not None:
        yield f"minimum={run.minimum}"
    yield from (f"option={option}" for option in run.options)
    yield from (f"env={key}={value}" for key, value in sorted(run.env.items()))
    yield from (f"word={word}" for word in run.command)
    yield from (f"file={md5}  {path}" for path, md5 in sorted(run.files.items()))
