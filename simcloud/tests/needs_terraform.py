"""Terraform tests need Terraform: a hook for the conftest.py of each folder of tests in this repository."""

import os
import shutil

import pytest


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip them without; in CI, where nothing may be skipped, its absence is a failure."""
    if item.get_closest_marker("terraform") is None or shutil.which("terraform") or shutil.which("tofu"):
        return
    message = "needs terraform (1.5 or later) or tofu on the PATH: install one of them"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
