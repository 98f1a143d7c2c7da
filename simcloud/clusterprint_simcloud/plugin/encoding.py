"""Values in the encoding of the plug-in protocol."""

import json

import msgpack
from msgpack.ext import ExtType
from tf.gen import tfplugin_pb2 as pb

from clusterprint_simcloud.values import UNKNOWN, Value

# MessagePack extensions for an unknown value, and for one with refinements ("not null", "starts with").
_UNKNOWN_CODES = frozenset({0, 12})


def unpack(value: pb.DynamicValue) -> Value:
    """Decode what Terraform sent; None for an absent value."""
    if value.msgpack:
        return msgpack.unpackb(value.msgpack, strict_map_key=False, ext_hook=_extension)
    return json.loads(value.json) if value.json else None


def pack(value: Value) -> pb.DynamicValue:
    """Encode for Terraform."""
    return pb.DynamicValue(msgpack=msgpack.packb(value, default=lambda _unknown: ExtType(0, b"\0")))


def _extension(code: int, data: bytes) -> Value:
    return UNKNOWN if code in _UNKNOWN_CODES else ExtType(code, data)
