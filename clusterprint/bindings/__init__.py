"""How the CDKTF engine and its provider bindings are loaded: on demand, and only the types in use.

    prepare()           before the first import of cdktf or of provider bindings

Complete packages of the four providers are 900 MB. Loaded the ordinary way, one costs seconds and gigabytes:
the package imports each of its more than a thousand modules, and Node loads as many. So synth uses cut
packages, with only the modules that `stacks/` imports. They are made once: when a wheel is built, which holds
them, or when a checkout is installed (`build_hooks/cutting.py`). `CLUSTERPRINT_BINDINGS=full` loads the
installed complete packages instead; a test compares the JSON of every golden.

cdktf is archived, and the community continues with cdktn, which is used where it is installed: so only
`stacks`, `synth` and this package import the engine, which an import contract enforces. `validate` loads none
of it.
"""

from clusterprint.bindings.loading import prepare, stop_node
from clusterprint.bindings.requests import path_of

__all__ = ["path_of", "prepare", "stop_node"]
