"""The Cloud Storage emulator: preconditions, versions, and what Terraform's backend makes of failures."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud import Emulator, StorageFault, World
from clusterprint_simcloud.gcs import Refusal, Store

if TYPE_CHECKING:
    from conftest import Stack


@pytest.fixture
def store() -> Store:
    made = Store()
    made.make_bucket("b", versioning={"enabled": True})
    return made


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator("b") as made:
        yield made


def call(
    emulator: Emulator, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, bytes, Any]:
    request = urllib.request.Request(emulator.url + path, body or None, headers, method=method)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


def test_generations_are_preconditions(store: Store) -> None:
    first = store.put("b", "lock", b"1", query={"ifGenerationMatch": "0"})
    with pytest.raises(Refusal) as refused:
        store.put("b", "lock", b"2", query={"ifGenerationMatch": "0"})
    assert refused.value.status == 412
    with pytest.raises(Refusal):
        store.delete("b", "lock", {"ifGenerationMatch": "7"})
    store.delete("b", "lock", {"ifGenerationMatch": first["generation"]})
    assert store.live("b", "lock") is None


def test_versions_are_kept_and_can_be_read(store: Store) -> None:
    first = store.put("b", "o", b"1")["generation"]
    store.put("b", "o", b"2")
    assert store.find("b", "o").data == b"2"
    assert store.find("b", "o", {"generation": first}).data == b"1"
    store.delete("b", "o")
    assert store.names("b") == []
    assert len(store.listing("b", {"versions": "true"})["items"]) == 2


def test_without_versioning_only_the_last_is_there(store: Store) -> None:
    store.make_bucket("plain")
    store.put("plain", "o", b"1")
    store.put("plain", "o", b"2")
    store.delete("plain", "o")
    assert store.listing("plain", {"versions": "true"})["items"] == []
    store.delete_bucket("plain")


def test_listing_by_folder(store: Store) -> None:
    for name in ("a/1", "a/b/2", "c"):
        store.put("b", name, b"")
    listed = store.listing("b", {"prefix": "a/", "delimiter": "/"})
    assert [one["name"] for one in listed["items"]] == ["a/1"]
    assert listed["prefixes"] == ["a/b/"]


def test_checksums_are_those_that_clients_verify(store: Store) -> None:
    metadata = store.put("b", "o", b"123456789")
    assert metadata["crc32c"] == "4waSgw=="  # 0xE3069283, the check value of CRC-32C
    assert metadata["md5Hash"] == "JfnnlDI7RTiF9RgfG2JNCw=="


def test_uploads_and_downloads_over_http(emulator: Emulator) -> None:
    status, body, _ = call(emulator, "POST", "/upload/storage/v1/b/b/o?uploadType=media&name=x%2Fy", b"data")
    assert (status, json.loads(body)["size"]) == (200, "4")
    assert call(emulator, "GET", "/b/x/y")[:2] == (200, b"data")
    assert call(emulator, "GET", "/storage/v1/b/b/o/x%2Fy?alt=media")[1] == b"data"
    assert call(emulator, "GET", "/b/missing")[0] == 404
    assert call(emulator, "DELETE", "/storage/v1/b/b/o/x%2Fy")[0] == 204


@pytest.mark.parametrize(
    "sent", [b"Content-Length: 9\r\n\r\npart", b"Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n"]
)
def test_an_upload_that_ends_early_is_not_kept(emulator: Emulator, sent: bytes) -> None:
    address = urllib.parse.urlsplit(emulator.url)
    head = b"POST /upload/storage/v1/b/b/o?uploadType=media&name=x HTTP/1.1\r\nHost: b\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=10) as client:
        client.sendall(head + sent)
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""  # closed without an answer
    assert emulator.store.live("b", "x") is None


def test_resumable_uploads_over_http(emulator: Emulator) -> None:
    _, _, headers = call(emulator, "POST", "/upload/storage/v1/b/b/o?uploadType=resumable&name=big", b"{}")
    path = headers["Location"].removeprefix(emulator.url)
    assert call(emulator, "PUT", path, b"abc", **{"Content-Range": "bytes 0-2/*"})[0] == 308
    assert call(emulator, "PUT", path, b"def", **{"Content-Range": "bytes 3-5/6"})[0] == 200
    assert emulator.store.find("b", "big").data == b"abcdef"


def test_faults_over_http(emulator: Emulator) -> None:
    emulator.store.faults.append(StorageFault("/o/x", method="GET", status=403, reason="forbidden"))
    status, body, _ = call(emulator, "GET", "/storage/v1/b/b/o/x")
    assert status == 403
    assert json.loads(body)["error"]["errors"][0]["reason"] == "forbidden"
    assert call(emulator, "GET", "/storage/v1/b/b/o/x")[0] == 404


def empty(stack: Stack) -> Any:
    return stack({}, output={"x": {"value": "1"}})


@pytest.mark.terraform
def test_the_state_is_versioned(world: World, stack: Stack) -> None:
    folder = empty(stack)
    world.apply(folder)
    versions = world.storage.store.listing("terraform-state", {"versions": "true"})["items"]
    assert len([one for one in versions if one["name"].endswith(".tfstate")]) > 1


@pytest.mark.terraform
def test_a_missing_bucket_is_named(stack: Stack) -> None:
    with World("another-bucket") as world:
        done = world.terraform(empty(stack), "init", check=False)
    assert done.returncode == 1
    assert "bucket doesn't exist" in " ".join(done.stderr.split())


@pytest.mark.terraform
def test_denied_access_to_the_lock_fails_before_anything_is_done(world: World, stack: Stack) -> None:
    folder = empty(stack)
    world.apply(folder)
    world.storage.store.faults.append(
        StorageFault(
            r"upload.*tflock", method="POST", status=403, reason="forbidden", times=9, message="no access"
        )
    )
    done = world.apply(folder, check=False)
    assert done.returncode == 1
    assert "no access" in done.stderr


@pytest.mark.slow
@pytest.mark.terraform
def test_a_service_that_is_away_for_a_moment_is_tried_again(world: World, stack: Stack) -> None:
    folder = empty(stack)
    world.apply(folder)
    world.storage.store.faults.append(StorageFault(r"tfstate", method="GET", status=503, times=2))
    world.terraform(folder, "plan")
    assert world.storage.store.faults[0].met > 2
