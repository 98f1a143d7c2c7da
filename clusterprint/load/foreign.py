"""Files that were written for another tool: what they are, and what of them a blueprint has a place for."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from clusterprint.diagnostic import Span
from clusterprint.load.codes import OTHER_TOOL
from clusterprint.load.problem import Problem, short

_START = "start a blueprint with `clusterprint: v1` and `kind: vm` (or gke, ray, vmss)"
_IMPORT = "`clusterprint import FILE` writes the blueprint that it means; "
_TERRAFORM = (
    "this is Terraform, not a blueprint",
    "clusterprint writes Terraform and does not read it; to describe a cluster, " + _START,
)
# The first line of a block, as `terraform fmt` writes it and as people do.
_BLOCK = re.compile(
    r'^[ \t]*(?:(?:resource|data)[ \t]+"[^"\n]+"[ \t]+"[^"\n]+"'
    r'|(?:module|provider|variable|output)[ \t]+"[^"\n]+"|terraform|locals)[ \t]*\{',
    re.MULTILINE,
)


class _Tool(NamedTuple):
    """Files with all keys of `has` and one of `any_of` are those of a tool."""

    has: frozenset[str]
    any_of: frozenset[str]
    message: str
    help_text: str


def _tool(has: str, any_of: str, message: str, help_text: str = _START) -> _Tool:
    return _Tool(frozenset(has.split()), frozenset(any_of.split()), message, help_text)


_TOOLS = (
    _tool(
        "",
        "blueprint_name deployment_groups",
        "this is a blueprint of Cluster Toolkit, not of clusterprint",
        _IMPORT + _START,
    ),
    _tool(
        "",
        "available_node_types head_node_type",
        "this is a cluster file of `ray up`, not a blueprint",
        _IMPORT + "`kind: ray` is a Ray cluster on GKE",
    ),
    _tool(
        "cluster_name",
        "provider",
        "this is a cluster file of `ray up`, not a blueprint",
        _IMPORT + "`kind: ray` is a Ray cluster on GKE",
    ),
    _tool(
        "resources",
        "run setup workdir num_nodes file_mounts",
        "this is a SkyPilot task, not a blueprint",
        _IMPORT + _START,
    ),
    _tool(
        "",
        "HeadNode Scheduling",
        "this is a configuration of AWS ParallelCluster, not a blueprint",
    ),
    _tool(
        "",
        "resource terraform",
        *_TERRAFORM,
    ),
)


def of_another_tool(data: Mapping[str, Any], first: Span) -> Problem | None:
    """The tool that the file belongs to, if its keys are no blueprint's; `first` is the first key's place."""
    if "clusterprint" in data:
        return None
    if "apiVersion" in data:
        kind = data.get("kind")
        named = f" ({short(kind)})" if isinstance(kind, str) else ""
        return Problem(
            OTHER_TOOL,
            f"this is a Kubernetes manifest{named}, not a blueprint",
            first,
            "workloads.manifests of a blueprint of kind gke applies it: `manifests: [{file: ./FILE}]`",
        )
    keys = data.keys()
    for tool in _TOOLS:
        if tool.has <= keys and tool.any_of & keys:
            return Problem(OTHER_TOOL, tool.message, first, tool.help_text)
    return None


def is_terraform(text: str) -> Problem | None:
    """The same for a text that is no map: Terraform's own language is not valid YAML."""
    block = _BLOCK.search(text)
    if block is None:
        return None
    line = text.count("\n", 0, block.end()) + 1
    words = block.group().strip()
    column = text.rindex("\n", 0, block.end()) + 1 if line > 1 else 0
    start = block.end() - len(words) - column + 1
    return Problem(OTHER_TOOL, _TERRAFORM[0], Span(line, start, line, start + len(words)), _TERRAFORM[1])
