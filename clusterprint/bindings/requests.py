"""Fewer waits for Node, which answers each request of jsii by itself: half of the time of a synth.

Requests that return nothing are sent ahead, and what Python knows is not asked: paths of constructs.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

# Methods that return nothing and call nothing in Python.
_WITHOUT_RESULT = frozenset({"addOverride", "overrideLogicalId"})

# So many answers fit into the pipe of a Node that nobody reads from, long texts of errors included.
_UNREAD_AT_MOST = 50

_PATH = "__construct_path__"


def send_ahead() -> None:
    """Lets jsii go on after calls that return nothing; the call after them raises what they would have.

    jsii has no public way to its process.
    """
    from jsii._kernel.providers.process import _NodeProcess, jdefault
    from jsii._kernel.types import InvokeRequest, InvokeResponse

    usual, read = _NodeProcess.send, _NodeProcess._next_message  # noqa: SLF001

    def send(self: Any, request: Any, response_type: Any) -> Any:
        unread = vars(self).setdefault("unread", 0)
        is_ahead = isinstance(request, InvokeRequest) and request.method in _WITHOUT_RESULT
        if not is_ahead or unread == _UNREAD_AT_MOST:
            return usual(self, request, response_type)
        # Node gets it at once with the next request: this one is not flushed.
        line = json.dumps(self._serializer.unstructure(request), default=jdefault)
        self._process.stdin.write(line.encode() + b"\n")
        self.unread += 1
        return InvokeResponse(result=None)

    def next_message(self: Any) -> Mapping[Any, Any]:
        # All answers are read, also after an error: each request has one.
        ahead = [read(self) for _ in range(vars(self).get("unread", 0))]
        self.unread = 0
        answer = read(self)
        return next((each for each in ahead if "error" in each), answer)

    setattr(_NodeProcess, "send", send)  # noqa: B010 -- mypy refuses the plain way for methods
    setattr(_NodeProcess, "_next_message", next_message)  # noqa: B010


def remember_paths() -> None:
    """Lets every construct know its own path."""
    import jsii

    usual: Callable[..., Any] = jsii.create

    def create(klass: type, obj: Any, args: list[Any] | None = None) -> Any:
        match args:
            case [scope, str(name), *_] if hasattr(scope, _PATH):
                above = getattr(scope, _PATH)
                # The engine does the same to a name with the sign between the parts of a path.
                setattr(obj, _PATH, (*above, name.replace("/", "--")))
            case _:
                setattr(obj, _PATH, ())
        return usual(klass, obj, args)

    setattr(jsii, "create", create)  # noqa: B010


def path_of(construct: object) -> tuple[str, ...]:
    """The ids of a construct and of those around it, the stack's first."""
    path: tuple[str, ...] = getattr(construct, _PATH)
    return path
