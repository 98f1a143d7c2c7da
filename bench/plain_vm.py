"""A plain CDKTF program: what `synth_cold.py` compares with. Usage: plain_vm.py OUT_DIR."""

import sys

from cdktf import App
from vm_resources import build

app = App(outdir=sys.argv[1])
build(app)
app.synth()
