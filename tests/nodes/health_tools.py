"""Fakes of the tools that examine a node."""

from nodes.machine import Machine

TOOL = "opt/azurehpc/test/azurehpc-health-checks/run-health-checks.sh"
GOOD = "SUCCESS:  nhc:  Health check passed:  check_gpu_count\nHealth checks completed with exit code: 0."
BAD = "ERROR:  nhc:  Health check failed:  check_gpu_xid\nHealth checks completed with exit code: 1."
TABLE = "| Deployment        |    |\n| Memory            | {} |\n"


def aznhc(node: Machine, output: str, status: int = 0) -> None:
    """Azure's health checks, which write to the log that they are given."""
    node.fake("docker")
    node.write(TOOL, f"#!/bin/bash\ncat >>\"${{@: -1}}\" <<'END'\n{output}\nEND\nexit {status}\n", 0o755)


def dcgm(node: Machine, output: str, status: int = 0) -> None:
    node.fake("dcgmi", f"cat <<'END'\n{output}\nEND\nexit {status}")
