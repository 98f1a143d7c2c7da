"""Compression that is the same everywhere, and that everybody can read."""

import gzip
import hashlib

import pytest

from clusterprint.nodes.compress import compress


def noise(count: int, name: str = "") -> bytes:
    """Bytes in which nothing repeats itself."""
    return b"".join(hashlib.sha256(f"{name}{n}".encode()).digest() for n in range(count // 32 + 1))[:count]


NOISE = noise(5000)
CASES = {
    "nothing": b"",
    "one byte": b"a",
    "too short to repeat": b"abcabc",
    "every byte": bytes(range(256)) * 2,
    "a repetition that overlaps itself": b"a" * 20_000,
    "lengths around the limit": b"".join(bytes([n % 7]) * n + bytes([n % 256]) for n in range(250, 270)),
    "noise": NOISE,
    "a repetition at the far end of the window": NOISE + noise(32768 - 5000, "between ") + NOISE,
    "a repetition beyond the window": NOISE + noise(32769, "between ") + NOISE,
    "text": b"".join(b"line %d of a script that says much the same\n" % n for n in range(2000)),
}


@pytest.mark.parametrize("data", CASES.values(), ids=CASES)
def test_gzip_reads_what_was_written(data: bytes) -> None:
    assert gzip.decompress(compress(data)) == data


def test_text_becomes_much_shorter() -> None:
    assert len(compress(CASES["text"])) < len(CASES["text"]) / 4


def test_the_bytes_never_change() -> None:
    """Committed and applied files depend on them: another result is another machine."""
    digest = hashlib.sha256(compress(CASES["text"])).hexdigest()
    assert digest == "26e1947672893b2bef028c118b5cac5671d25822341c04a5d682fc83290d6757"
