"""Files that git cannot carry into a case: pipes, sockets, huge files, very many files."""

import os
import socket
from pathlib import Path

import pytest
from support import effort

from clusterprint.load import load
from clusterprint.rules._paths import shown
from clusterprint.validate import validate

HEAD = """\
clusterprint: v1
kind: vm
name: spani
project: supercomputer-testing
region: us-central1
zone: us-central1-f
backend: {gcs: {bucket: spani-tst}}
nodes: {machine_type: a2-highgpu-2g}
"""


def codes(folder: Path, text: str) -> list[str]:
    """The codes that a blueprint in this folder is reported with."""
    file = folder / "blueprint.yaml"
    file.write_text(HEAD + text, "utf-8")
    document = load(file, file.name).document
    assert document is not None
    return [each.code for each in validate(document).diagnostics]


def copying(source: str) -> str:
    return f"files: [{{source: {source}}}]\n"


@pytest.mark.parametrize("text", [copying("pipe"), "startup_script: {file: pipe}\n"])
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path, text: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert codes(tmp_path, text) == ["BP212"]


def test_pipes_and_sockets_in_a_copied_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    os.mkfifo(tmp_path / "files" / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "files" / "socket"))
    assert codes(tmp_path, copying("files")) == ["BP212"]


def test_an_empty_folder_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    assert codes(tmp_path, copying("files")) == ["BP213"]


def test_steps_up_count_as_they_are_written_whatever_links_lead_to(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "link").symlink_to("deep/er")
    (tmp_path / "start.sh").write_text("#!/bin/bash\n")
    # The disk leads back to the file beside the blueprint, but not where a copy has no link.
    assert (tmp_path / "link/../../start.sh").exists()
    assert codes(tmp_path, "startup_script: {file: link/../../start.sh}\n") == ["BP210"]


def test_a_link_to_a_device_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")
    assert codes(tmp_path, "startup_script: {file: zero}\n") == ["BP210"]


def test_a_name_that_begins_with_dots_is_inside(tmp_path: Path) -> None:
    (tmp_path / "..files").mkdir()
    (tmp_path / "..files" / "a").write_text("a", "utf-8")
    assert codes(tmp_path, copying("..files")) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "locked").write_text("#!/bin/sh\n", "utf-8")
    (tmp_path / "locked").chmod(0)
    assert codes(tmp_path, "startup_script: {file: locked}\n") == ["BP211"]


@pytest.mark.parametrize(("size", "found"), [(1 << 30, []), ((1 << 30) + 1, ["BP214"])])
def test_a_gibibyte_may_be_copied_to_each_node(tmp_path: Path, size: int, found: list[str]) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(size)
    assert codes(tmp_path, copying("large")) == found


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(5 << 30)
    assert codes(tmp_path, copying("huge")) == ["BP214"]


@pytest.mark.slow
def test_twice_the_files_are_at_most_twice_the_work(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    work = []
    for upto in (1000, 2000):
        for number in range(upto):
            (tmp_path / "many" / str(number)).touch()
        work.append(effort(lambda: codes(tmp_path, copying("many"))))
    assert work[1] < 2.2 * work[0]


@pytest.mark.slow
def test_very_many_files_are_too_many(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    for number in range(5000):
        (tmp_path / "many" / str(number)).touch()
    assert codes(tmp_path, copying("many")) == ["BP214"]


@pytest.mark.parametrize(("length", "told"), [(80, "a" * 80), (81, "a" * 80 + "...")])
def test_long_names_are_cut(length: int, told: str) -> None:
    assert shown("a" * length) == told
