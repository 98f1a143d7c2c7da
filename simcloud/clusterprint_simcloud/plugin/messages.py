"""Schemas, paths and diagnostics as protocol messages."""

import json

from tf.gen import tfplugin_pb2 as pb

from clusterprint_simcloud.schema import Block
from clusterprint_simcloud.values import Path

_NESTING = {"single": 1, "list": 2, "set": 3, "map": 4, "group": 5}


def schema(block: Block) -> pb.Schema:
    """The schema message of one resource, data source or provider."""
    return pb.Schema(version=0, block=_block(block))


def _block(block: Block) -> pb.Schema.Block:
    return pb.Schema.Block(
        attributes=[
            pb.Schema.Attribute(
                name=name,
                type=json.dumps(one.type).encode(),
                required=one.required,
                optional=one.optional,
                computed=one.computed,
                sensitive=one.sensitive,
            )
            for name, one in sorted(block.attributes.items())
        ],
        block_types=[
            pb.Schema.NestedBlock(
                type_name=name,
                nesting=_NESTING[one.nesting],
                block=_block(one.block),
                min_items=one.min_items,
                max_items=one.max_items,
            )
            for name, one in sorted(block.blocks.items())
        ],
    )


def path(steps: Path) -> pb.AttributePath:
    """A concrete path as a message."""
    return pb.AttributePath(
        steps=[
            pb.AttributePath.Step(element_key_int=step)
            if isinstance(step, int)
            else pb.AttributePath.Step(attribute_name=step)
            for step in steps
        ]
    )


def error(summary: str, detail: str = "", steps: Path | None = None) -> pb.Diagnostic:
    """One error, at an argument where there is one."""
    return pb.Diagnostic(
        severity=pb.Diagnostic.ERROR,
        summary=summary,
        detail=detail,
        attribute=path(steps) if steps else None,
    )
