"""gzip whose output depends on its input alone.

Libraries for DEFLATE agree on what they read, not on what they write: another version or another system gives
other bytes, and a plan made on a laptop would change machines that were applied from elsewhere. So the little
that is needed is here: RFC 1951 with the fixed codes, in RFC 1952 without a time.
"""

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
_BYTE = 8
_END_OF_BLOCK = 256
_FIRST_LENGTH_CODE = 257

# Shorter repetitions are not worth a reference; the window and the longest are limits of the format.
_SHORTEST, _LONGEST, _WINDOW = 4, 258, 32768
_CANDIDATES = 32

# For each code of a length or a distance: how many bits follow it, and the first value that it stands for.
_LENGTH_BITS = [*(max(0, code // 4 - 1) for code in range(28)), 0]
_LENGTH_STARTS = [*accumulate((1 << bits for bits in _LENGTH_BITS[:27]), initial=3), _LONGEST]
_DISTANCE_BITS = [max(0, code // 2 - 1) for code in range(30)]
_DISTANCE_STARTS = [*accumulate((1 << bits for bits in _DISTANCE_BITS[:29]), initial=1)]


@lru_cache(maxsize=16)
def compress(data: bytes) -> bytes:
    """Compress with gzip: the same bytes everywhere and always.

    It takes a tenth of a second, and is asked again for each check of a file that somebody types in, and by
    the synthesis after the check.
    """
    return _HEADER + _deflate(data) + struct.pack("<LL", zlib.crc32(data), len(data) & 0xFFFFFFFF)


class _Bits:
    """Bits on their way into bytes, the lowest of each byte first."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self._held = 0
        self._count = 0

    def add(self, value: int, count: int) -> None:
        self._held |= value << self._count
        self._count += count
        while self._count >= _BYTE:
            self.bytes.append(self._held & 0xFF)
            self._held >>= _BYTE
            self._count -= _BYTE

    def add_code(self, code: int, count: int) -> None:
        """Add a code of Huffman: its highest bit comes first."""
        self.add(int(f"{code:0{count}b}"[::-1], 2), count)

    def add_symbol(self, symbol: int) -> None:
        """Add a byte, the end of the block or the code of a length, in the fixed code of the format."""
        for first, last, code, count in (
            (0, 143, 0x30, 8),
            (144, 255, 0x190, 9),
            (256, 279, 0, 7),
            (280, 287, 0xC0, 8),
        ):
            if first <= symbol <= last:
                self.add_code(code + symbol - first, count)

    def fill(self) -> None:
        """Complete the last byte."""
        self.add(0, -self._count % _BYTE)


def _deflate(data: bytes) -> bytes:
    bits = _Bits()
    bits.add(0b011, 3)  # the only block, with fixed codes
    for position, length, distance in _parts(data):
        if not length:
            bits.add_symbol(data[position])
            continue
        code = bisect_right(_LENGTH_STARTS, length) - 1
        bits.add_symbol(_FIRST_LENGTH_CODE + code)
        bits.add(length - _LENGTH_STARTS[code], _LENGTH_BITS[code])
        code = bisect_right(_DISTANCE_STARTS, distance) - 1
        bits.add_code(code, 5)
        bits.add(distance - _DISTANCE_STARTS[code], _DISTANCE_BITS[code])
    bits.add_symbol(_END_OF_BLOCK)
    bits.fill()
    return bytes(bits.bytes)


def _parts(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Cut data into single bytes (length 0) and repetitions of what came `distance` bytes before."""
    seen: dict[bytes, list[int]] = {}
    position = 0
    while position < len(data):
        length, distance = _longest(data, position, seen.get(data[position : position + _SHORTEST], []))
        yield position, length, distance
        for each in range(position, position + max(length, 1)):
            seen.setdefault(data[each : each + _SHORTEST], []).append(each)
        position += max(length, 1)


def _longest(data: bytes, position: int, places: list[int]) -> tuple[int, int]:
    """The longest repetition at a position, and how far back it is; the nearest of equals."""
    best, back = 0, 0
    limit = min(_LONGEST, len(data) - position)
    for place in reversed(places[-_CANDIDATES:]):
        if position - place > _WINDOW or best == limit:
            break
        length = 0
        while length < limit and data[place + length] == data[position + length]:
            length += 1
        if length > best:
            best, back = length, position - place
    return (best, back) if best >= _SHORTEST else (0, 0)
