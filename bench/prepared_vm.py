"""The resources of `plain_vm.py` through clusterprint's bindings, without the rest of clusterprint.

Usage: prepared_vm.py OUT_DIR.
"""

import sys
from pathlib import Path

from clusterprint.bindings import leave, prepare

prepare(stacks=Path(__file__).parent)

from cdktf import App  # noqa: E402 -- only now is it quick
from vm_resources import build  # noqa: E402

app = App(outdir=sys.argv[1])
build(app)
app.synth()
leave(0)
