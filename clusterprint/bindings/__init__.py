"""How the CDKTF engine and its provider bindings are loaded: on demand, and only the types in use.

    prepare()           before the first import of cdktf or of provider bindings
    leave(exit_code)    ends the process without paying for interpreter teardown

Loaded the ordinary way, a provider's bindings cost seconds and gigabytes: the package imports each of its
more than a thousand modules, and Node loads as many. After `prepare`, an import costs its own module only,
and Node gets an assembly cut down to the types that the sources in `stacks/` import:

    sources of stacks/ -> scan -> types in use -> cut -> cache -> loading -> Node

In a wheel that work is done already: it brings cut packages (`brought`), made when it was built.
`CLUSTERPRINT_BINDINGS=full` loads complete assemblies instead; the synthesized JSON is the same.

cdktf is archived, and the community continues with cdktn: so only `stacks`, `synth` and this package import
the engine, which an import contract enforces. `validate` loads none of it.
"""

from clusterprint.bindings.leaving import leave
from clusterprint.bindings.loading import prepare, stop_node

__all__ = ["leave", "prepare", "stop_node"]
