"""Synthesizes the scratch stack in a process of its own. Usage: program.py OUT_DIR [plain].

`plain` prepares nothing. Prints `synthesized` and leaves with exit code 5, which no accident gives.
"""

import sys
from pathlib import Path

from clusterprint.bindings import prepare
from clusterprint.cli.process_end import leave

if "plain" not in sys.argv:
    prepare()

import cdktf

sys.path.insert(0, str(Path(__file__).parent / "stacks"))
from cluster import build

app = cdktf.App(outdir=sys.argv[1])
build(app)
app.synth()
print("synthesized")  # noqa: T201 - its output is what the test looks at
leave(5)
