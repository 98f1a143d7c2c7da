"""All strings of a plan as literals: the only way in which text of users reaches Terraform.

Stacks are reached through `stacks.builder` only and never see a string that could be read as an expression,
so no stack has to escape one, and none can forget to. `tests/hostile/` has expressions in every string field
of each kind. Expressions of stacks, and references of the engine, are not part of the plan.
"""

import json
import re
from typing import Any, TypeVar, cast

import msgspec

from clusterprint.errors import InternalError
from clusterprint.plan.part import StackPlan
from clusterprint.terraform_text import literal, without_number_marks

Plan = TypeVar("Plan", bound=StackPlan)

# Inside JSON an expression's quotes would be escaped with the rest; a doubled `$${` is none.
_EXPRESSION_IN_JSON = re.compile(r'(?<!\$)\$\{\\"([^"\\]*)\\"\}')


def in_literals(plan: Plan) -> Plan:
    """The same plan with all its texts, those that are keys too, as literals. Raises InternalError."""
    return cast("Plan", _written(plan))


def _written(value: Any) -> Any:
    if isinstance(value, str):
        return literal(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, msgspec.Struct):
        return type(value)(**{name: _written(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return {_written(key): _written(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_written(each) for each in value)
    raise InternalError(f"a plan holds a {type(value).__name__}, and it is not known which texts are in it")


def as_json(data: Any, **options: Any) -> str:
    """Data of literals as a text of JSON, which is a literal itself; `options` are those of `json.dumps`."""
    text = _EXPRESSION_IN_JSON.sub(r'${"\1"}', json.dumps(data, **options))
    return without_number_marks(text)
