"""Messages about a simulated cloud that does not start."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle import world
from clusterprint.lifecycle.world import _answer

PACKAGES = "did not start; it needs more packages; in a checkout of clusterprint: pip install"
TRACE = "Traceback (most recent call last):\n  File x\n"


@pytest.mark.parametrize(
    ("log", "free", "installed", "said"),
    [
        (f"{TRACE}ModuleNotFoundError: No module named 'grpc'\n", 2**30, True, PACKAGES),
        ("x: No module named clusterprint_simcloud\n", 2**30, False, PACKAGES),
        ("", 0, True, "the disk with FOLDER is full; free some space, and run the same command again"),
        (f"{TRACE}sqlite3.OperationalError: disk is full\n", 0, True, "the disk with FOLDER is full"),
        (
            f"{TRACE}ValueError: x\n\n",
            2**30,
            True,
            "start: ValueError: x; what it said is in FOLDER/serving.log",
        ),
        ("", 2**30, True, "did not start; what it said is in FOLDER/serving.log"),
        (None, 0, True, "did not start: FOLDER: No such file or directory"),
    ],
)
def test_a_simulated_cloud_that_ends_at_once_says_why(  # noqa: PLR0913, PLR0917 - a row of the table
    log: str | None, free: int, installed: bool, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if log is not None:
        (tmp_path / "serving.log").write_text(log)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    monkeypatch.setattr(world, "find_spec", lambda _: object() if installed else None)
    for answer in (b"", b"{", b"\xff"):
        with pytest.raises(EnvironmentFailure) as failed:
            _answer(answer, tmp_path)
        assert said.replace("FOLDER", str(tmp_path)) in str(failed.value)
