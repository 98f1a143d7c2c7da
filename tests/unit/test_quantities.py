"""Quantities of Kubernetes as numbers."""

import pytest

from clusterprint.derived.quantities import amount


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("8", 8),
        (4, 4),
        ("500m", 0.5),
        ("250u", 0.00025),
        (".5", 0.5),
        ("1.", 1),
        ("1e3", 1000),
        ("2Ki", 2048),
        ("1.5G", 1.5e9),
        ("3Pi", 3 * 1024**5),
        ("2E", 2e18),
    ],
)
def test_a_quantity_is_a_number(text: object, number: float) -> None:
    assert amount(text) == pytest.approx(number)


@pytest.mark.parametrize("text", ["", "odd", "1.2.3", "-1", "1kb", "1 Gi", "9" * 40, "\u0663", None])
def test_other_texts_are_none(text: object) -> None:
    assert amount(text) == 0
