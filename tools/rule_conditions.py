"""Source of a rule -> the fields of its subject without which it finds nothing, for the index of rules.

    network.subnetworks    it finds nothing if this is empty, or False
    network.cidr?          it finds nothing if this is not given
    /workloads.manifests   the same of a field of the blueprint
    VolumeMount            it finds nothing if the blueprint has no part of this type

Only what the form of the source makes certain. A rule of another form has no conditions, and is imported
for every part of its type.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping

# Functions that return nothing for no items.
_NOTHING_FOR_NOTHING = frozenset(
    {"again", "by_cause", "enumerate", "known", "list", "pairwise", "repeated", "reversed", "set", "sorted"}
    | {"together", "tuple"}
)
# Functions that return nothing in a blueprint without parts of a type.
_PARTS = {"all_mounts": "VolumeMount", "mounted_in": "VolumeMount"}

Paths = frozenset[str]
_NONE: Paths = frozenset()


def conditions(check: Callable[..., object]) -> list[str]:
    """The fields that a rule needs of its subject, all of them."""
    return sorted(_of(check))


def _of(function: object) -> Paths:
    """The same, of any function that is given the subject first."""
    if not inspect.isgeneratorfunction(function):
        return _NONE
    (source,) = ast.parse(inspect.getsource(function)).body
    if not isinstance(source, ast.FunctionDef) or not source.args.args:
        return _NONE
    return _Function(source, function.__globals__).needs(source.body)


class _Function:
    def __init__(self, source: ast.FunctionDef, scope: Mapping[str, object]) -> None:
        self._scope = scope
        self._subject = source.args.args[0].arg
        stored = [each.arg for each in ast.walk(source) if isinstance(each, ast.arg)]
        stored += [each.id for each in ast.walk(source) if isinstance(each, ast.Name) and _is_stored(each)]
        self._is_rebound = stored.count(self._subject) > 1
        # A list or set that grows may have items without those that it began with.
        stored += filter(None, map(_growing, ast.walk(source)))
        #: What names stand for that have one value.
        self._values: dict[str, ast.expr] = {}
        for each in source.body:
            match each:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if stored.count(name) == 1:
                    self._values[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
                    stored.count(name) == 1
                ):
                    self._values[name] = value

    def needs(self, body: Iterable[ast.stmt]) -> Paths:
        """The fields that any of some statements needs to find something."""
        guards = _NONE
        found: list[Paths] = []
        for each in body:
            if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Return) and not each.orelse:
                if _finds(each):
                    found.append(guards | self._true(each.test) | self.needs(each.body))
                guards |= self._false(each.test)
            elif _finds(each):
                found.append(guards | self._statement(each))
        return frozenset.intersection(*found) if found and not self._is_rebound else _NONE

    def _statement(self, each: ast.stmt) -> Paths:
        match each:
            case ast.If(test=test, body=body, orelse=[]):
                return self._true(test) | self.needs(body)
            case ast.If(test=test, body=body, orelse=orelse):
                yes = self._true(test) | self.needs(body) if _finds(*body) else None
                no = self._false(test) | self.needs(orelse) if _finds(*orelse) else None
                return frozenset.intersection(*(side for side in (yes, no) if side is not None))
            case ast.For(iter=items, body=body, orelse=[]):
                return self._some(items) | self.needs(body)
            case ast.Expr(value=ast.YieldFrom(value=value)):
                return self._some(value)
        return _NONE

    def _some(self, items: ast.expr) -> Paths:  # noqa: PLR0911 - one for each form
        """The fields that an iterable needs to have an item."""
        match items:
            case ast.Call(
                func=ast.Name(id="values"), args=[ast.Name(id=name), ast.Constant(value=str(field))]
            ):
                return frozenset({field}) if name == self._subject else _NONE
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _NOTHING_FOR_NOTHING:
                return self._some(first)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._some(items.generators[0].iter)
            case ast.Call(func=ast.Name(id=name)) if name in _PARTS:
                return frozenset({_PARTS[name]})
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=subject), *_]) if (
                subject == self._subject
            ):
                return _of(self._scope.get(name))
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="context"), *_]):
                return frozenset(map(_of_blueprint, _of(self._scope.get(name)))) - {""}
            case ast.Name(id=name) if name in self._values:
                return self._some(self._values[name])
        return self._path(items, "")

    def _true(self, test: ast.expr) -> Paths:  # noqa: PLR0911 - one for each form
        """The fields that a condition needs to hold."""
        match test:
            case ast.BoolOp(op=ast.And(), values=values):
                return _NONE.union(*map(self._true, values))
            case ast.BoolOp(op=ast.Or(), values=values):
                return frozenset.intersection(*map(self._true, values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._false(operand)
            case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Name(id="UNSET")]):
                return self._path(left, "?")
            case ast.Call(func=ast.Name(id="given"), args=[value]):
                return self._path(value, "?")
            case ast.Name(id=name) if name in self._values:
                return self._true(self._values[name])
            case ast.NamedExpr(value=value):
                return self._true(value)
            case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[items]), ops=[ast.Gt()]):
                return self._some(items)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return self._some(test)
        return self._path(test, "")

    def _false(self, test: ast.expr) -> Paths:
        """The fields that a condition needs not to hold."""
        match test:
            case ast.BoolOp(op=ast.Or(), values=values):
                return _NONE.union(*map(self._false, values))
            case ast.BoolOp(op=ast.And(), values=values):
                return frozenset.intersection(*map(self._false, values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._true(operand)
            case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Name(id="UNSET")]):
                return self._path(left, "?")
        return _NONE

    def _path(self, value: ast.expr, mark: str) -> Paths:
        """A field of the subject, or of one of its parts."""
        fields: list[str] = []
        while True:
            match value:
                case ast.Attribute(value=of, attr=name) if not name.startswith("_"):
                    fields.insert(0, name)
                    value = of
                case ast.Name(id=name) if name in self._values:
                    value = self._values[name]
                case ast.Name(id=self._subject) if fields:
                    return frozenset({".".join(fields) + mark})
                case _:
                    return _NONE


def _of_blueprint(of_context: str) -> str:
    """The fields that are needed of the blueprint of a context; empty for its other attributes."""
    if of_context[0].isupper():
        return of_context
    return of_context.replace("blueprint.", "/", 1) if of_context.startswith("blueprint.") else ""


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _growing(node: ast.AST) -> str:
    """The name of a value that a method adds to."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" | "insert" | "add" | "update"):
            return name
    return ""


def _finds(*statements: ast.stmt) -> bool:
    """Whether a finding is yielded in some statements."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for one in statements for each in ast.walk(one))
