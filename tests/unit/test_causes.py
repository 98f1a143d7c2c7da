from pathlib import Path

from clusterprint.document import Document
from clusterprint.load import load_text
from clusterprint.review.causes import find_reasons

TEXT = "x-spot: &spot {model: spot, max_run_duration: 1d}\nx-note: %s\nnodes: {capacity: *spot}\n"


def document(text: str) -> Document:
    loaded = load_text(text.encode(), "a.yaml", Path())
    assert loaded.document is not None
    return loaded.document


def test_what_holds_anchors_is_a_reason_where_it_is_repeated_only() -> None:
    before, after = document(TEXT % "one"), document(TEXT.replace("1d", "2d") % "two")
    assert [reason.words for reason in find_reasons(before, after)] == [
        ("nodes", "capacity", "max_run_duration")
    ]
