"""The lock file: written whole or not at all, and never believed blindly."""

import os
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.image import lock

LINE = b'{"image": "%b", "digest": "%b", "inputs": "%b"}'
LOCK = lock.Lock(image="us-docker.pkg.dev/p/r/ray", digest="sha256:" + "0" * 64, inputs="ab" * 32)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "oasis.image.lock"
    lock.write(LOCK, file)
    assert lock.read(file) == LOCK
    assert [each.name for each in tmp_path.iterdir()] == ["oasis.image.lock"]
    assert file.read_text().endswith("}\n")


def test_before_the_first_build_there_is_none(tmp_path: Path) -> None:
    assert lock.read(tmp_path / "oasis.image.lock") is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<<<<<<< HEAD\n{}",
        b"[]",
        b'{"image": "a", "digest": "latest", "inputs": ""}',
        b'{"image": "a", "digest": "sha256:00", "inputs": "", "more": 1}',
        b"\xff\xfe",
        LINE % (b"a", b"sha256:" + b"0" * 64, b"${file(1)}"),
        LINE % (b"a", b"sha256:" + b"0" * 64 + b"\\n", b"0" * 64),
        LINE % (b"a" * 5000, b"sha256:" + b"0" * 64, b"0" * 64),
    ],
)
def test_what_is_no_lock_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "oasis.image.lock"
    file.write_bytes(content)
    with pytest.raises(lock.BrokenLock):
        lock.read(file)


def test_a_folder_in_its_place_is_no_lock(tmp_path: Path) -> None:
    with pytest.raises(lock.BrokenLock):
        lock.read(tmp_path)


def test_what_is_no_ordinary_file_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    lock.write(LOCK, elsewhere)
    (tmp_path / "link").symlink_to(elsewhere)
    (tmp_path / "endless").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("it was opened"))
    for name, reason in (
        ("link", "is a link"),
        ("endless", "is a link"),
        ("pipe", "is a pipe, a socket or a"),
    ):
        with pytest.raises(lock.BrokenLock, match=f"^{reason}"):
            lock.read(tmp_path / name)


def test_no_more_of_a_lock_is_read_than_one_can_have(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(lock.BrokenLock, match="is larger than 4,096 bytes"):
        lock.read(file)


def test_a_lock_that_cannot_be_written_still_tells_the_image(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailure, match=LOCK.digest):
        lock.write(LOCK, tmp_path / "gone" / "oasis.image.lock")
