"""TPUs of the catalog: their slices, machines and names."""

import math

import pytest

from clusterprint import catalog


@pytest.mark.parametrize(
    ("tpu", "topology", "machine", "nodes"),
    [
        ("v4", "2x2x1", "ct4p-hightpu-4t", 1),
        ("v4", "8x4x4", "ct4p-hightpu-4t", 32),
        ("v4", "8x16x16", "ct4p-hightpu-4t", 512),
        ("v4", "16x16x20", "ct4p-hightpu-4t", None),  # 80 cubes
        ("v5e", "1x1", "ct5lp-hightpu-1t", 1),
        ("v5e", "2x4", "ct5lp-hightpu-8t", 1),
        ("v5e", "2x4", "ct5lp-hightpu-4t", 2),
        ("v5e", "16x16", "ct5lp-hightpu-4t", 64),
        ("v5e", "4x4", "ct5lp-hightpu-8t", None),  # alone or not at all
        ("v5e", "2x2", "ct5lp-hightpu-8t", None),
        ("v5e", "3x3", "ct5lp-hightpu-4t", None),
        ("v5p", "2x2x2", "ct5p-hightpu-4t", 2),
        ("v5p", "4x4x244", "ct5p-hightpu-4t", 976),
        ("v5p", "16x20x28", "ct5p-hightpu-4t", 2240),
        ("v5p", "8x4x4", "ct5p-hightpu-4t", None),  # edges descend
        ("v5p", "4x4x6", "ct5p-hightpu-4t", None),
        ("v5p", "4x4", "ct5p-hightpu-4t", None),
        ("v5p", "2x2x1", "ct6e-standard-4t", None),
        ("v6e", "8x16", "ct6e-standard-4t", 32),
        ("v6e", "02x2", "ct6e-standard-4t", None),
        ("tpu7x", "1x1x1", "tpu7x-standard-1t", 1),
        ("tpu7x", "1x1x1", "tpu7x-standard-4t", None),
        ("tpu7x", "16x24x24", "tpu7x-standard-4t", 2304),
        ("tpu7x", "0x4x4", "tpu7x-standard-4t", None),
        ("tpu7x", "", "tpu7x-standard-4t", None),
        ("tpu7x", "4x4x", "tpu7x-standard-4t", None),
    ],
)
def test_nodes_of_a_slice(tpu: str, topology: str, machine: str, nodes: int | None) -> None:
    found = catalog.tpu_type(tpu)
    assert found is not None
    assert found.node_count(topology, machine) == nodes


def test_largest_slices_are_what_the_chips_allow() -> None:
    for tpu in catalog.tpu_types():
        if tpu.max_cubes:
            assert tpu.max_chips == tpu.max_cubes * 4**3
        else:
            shapes = [math.prod(map(int, shape.split("x"))) for shape in tpu.small_shapes]
            assert tpu.max_chips == max(shapes)


def test_small_shapes_divide_into_machines() -> None:
    for tpu in catalog.tpu_types():
        for shape in tpu.small_shapes:
            assert shape.count("x") == tpu.dimensions - 1
            assert any(tpu.node_count(shape, machine) for machine in tpu.machines), (tpu.name, shape)


def test_chips_are_what_the_name_of_the_machine_says() -> None:
    for tpu in catalog.tpu_types():
        for name, machine in tpu.machines.items():
            assert name.endswith(f"-{machine.chips}t")
            assert catalog.tpu_type_of(name) == tpu


def test_tpu_types_are_found_by_other_names() -> None:
    assert catalog.tpu_type("trillium") == catalog.tpu_type("v6e")
    assert catalog.tpu_type("ironwood") == catalog.tpu_type("tpu7x")
    assert catalog.tpu_type("v9") is None


@pytest.mark.parametrize(
    ("name", "machine", "topology"),
    [
        ("v6e-1", "ct6e-standard-1t", "1x1"),
        ("v6e-8", "ct6e-standard-4t", "2x4"),
        ("v6e-16", "ct6e-standard-4t", "4x4"),
        ("tpu-v6e-16", "ct6e-standard-4t", "4x4"),
        ("Trillium-4x4", "ct6e-standard-4t", "4x4"),
        ("v5litepod-256", "ct5lp-hightpu-4t", "16x16"),
        ("tpu7x-2", "tpu7x-standard-1t", "1x1x1"),
        ("tpu7x-8", "tpu7x-standard-4t", "2x2x1"),  # cores, of which a chip has two
        ("tpu7x-128", "tpu7x-standard-4t", "4x4x4"),
        ("ironwood-4x4x20", "tpu7x-standard-4t", "4x4x20"),
        ("v5p-1024", "ct5p-hightpu-4t", "8x8x8"),
        ("v4-8x4x4", "ct4p-hightpu-4t", "8x4x4"),
        ("v4-8192", "ct4p-hightpu-4t", "16x16x16"),
        ("v4-8320", "", ""),  # 65 cubes
        ("v5p-9", "", ""),  # half a chip
        ("v5p-12", "", ""),
        ("v5p-8x4x4", "", ""),  # edges descend
        ("v6e-4x4x4", "", ""),
        ("v6e-0", "", ""),
        ("v6e", "", ""),
        ("v6e-", "", ""),
        ("ct6e-standard-4t", "", ""),
    ],
)
def test_slices_are_found_by_the_names_of_xpk(name: str, machine: str, topology: str) -> None:
    assert catalog.tpu_slice(name) == (machine, topology)


def test_shapes_of_a_size_are_slices_the_most_compact_one_first() -> None:
    tpu = catalog.tpu_type("v5p")
    assert tpu is not None
    assert tpu.shapes_of(1024) == ("8x8x16", "4x16x16", "4x8x32", "4x4x64")
    assert all(tpu.is_slice(shape) for chips in range(64, 8961, 64) for shape in tpu.shapes_of(chips))
