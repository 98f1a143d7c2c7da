"""A blueprint that is typed in: from a keystroke to its problems, asked over standard input and output."""

import sys
from statistics import median
from time import perf_counter

from measuring import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from lsp_client import Editor

HEAD = """\
clusterprint: v1
kind: gke
name: typed
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state-1}}
network: {cidr: 10.64.0.0/10}
node_pools:
"""
POOL = """\
  - name: pool-%d
    machine_type: g2-standard-8
    count: 1
    capacity: {model: spot}
    max_pods_per_node: 32
"""


def blueprint(lines: int) -> str:
    """A blueprint of about so many lines."""
    pools = (lines - HEAD.count("\n")) // POOL.count("\n")
    return HEAD + "".join(POOL % number for number in range(pools))


def typed(lines: int = 300, rounds: int = 20) -> float:
    """The median of seconds between a keystroke and the problems after it."""
    text = blueprint(lines)
    file = ROOT / "blueprints" / "typed.yaml"
    with Editor() as editor:
        editor.open(text, file)
        found = []
        for number in range(rounds):
            begin = perf_counter()
            editor.type(file.as_uri(), (2, 6, 2, 11), "typos" if number % 2 else "typed")
            found.append(perf_counter() - begin)
    return median(found)
