"""Fixtures of the tests of scripts."""

import itertools
import os
import shutil
import sys
from pathlib import Path

import msgspec
import pytest
from nodes.azure_machine import AzureMachine
from nodes.machine import Machine, MakeMachine
from nodes.settings import SETTINGS
from nodes.vm_machine import SETTINGS as VM_SETTINGS
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.nodes.vmss import Role

NEEDED = ("bash", "jq", "flock", "openssl", "ssh-keygen", "timeout")


def need(*tools: str) -> None:
    """Tests need tools of Linux; in CI on Linux, where nothing may be skipped, their absence is a failure."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing and os.environ.get("CI") and sys.platform == "linux":
        pytest.fail(f"needs {', '.join(missing)}")
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


@pytest.fixture
def systemd_analyze() -> str:
    """The tool that checks units."""
    need("systemd-analyze")
    return "systemd-analyze"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Scripts start many processes: a second here and there, which `make quick` does without."""
    for item in items:
        if {"machine", "vm_machine"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def machine(tmp_path: Path) -> MakeMachine:
    """Stand up a machine: `machine("node", gpu_vendor="amd")`."""
    need(*NEEDED)
    numbers = itertools.count()

    def make(role: Role = "node", **changes: object) -> Machine:
        return AzureMachine(
            tmp_path / f"machine-{next(numbers)}", role, msgspec.structs.replace(SETTINGS, **changes)
        )

    return make


@pytest.fixture
def vm_machine(tmp_path: Path) -> MakeVmMachine:
    """Stand up a machine of kind vm that has not booted yet: `vm_machine(startup_script="#!/bin/sh")`."""
    need(*NEEDED, "gpg", "systemd-escape")
    numbers = itertools.count()

    def make(**changes: object) -> VmMachine:
        settings = msgspec.structs.replace(VM_SETTINGS, **changes)
        return VmMachine(tmp_path / f"machine-{next(numbers)}", settings)

    return make
