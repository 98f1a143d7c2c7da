"""The recorded session of the README: what is shown of what commands say, and that it is what they say."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import record_tour

SAID = """\
[first] planning
[first] creating google_compute_network.primary
[first] created google_compute_network.primary (3 s, 1 of 2)
[first] creating google_compute_router.nat_router
[first] created google_compute_router.nat_router (0 s, 2 of 2)

Risks
  low: a <b> & c

Quota, at the most that autoscaling allows
  many: 0 -> 12

first: everything is gone, and the state is empty
"""


def test_steps_are_counted_and_long_paragraphs_marked() -> None:
    assert record_tour.shown(SAID, reviewed=True) == [
        "[first] planning",
        "[first] created 2 of 2",
        "Risks",
        "  low: a <b> & c",
        record_tour.MORE,
        "first: everything is gone, and the state is empty",
    ]


def test_lines_are_cut_at_the_edge_of_the_terminal() -> None:
    (line,) = record_tour.shown("x" * 500, reviewed=False)
    assert len(line) == record_tour.COLUMNS
    assert line.endswith("\N{HORIZONTAL ELLIPSIS}")


def test_the_picture_is_one_whatever_is_said() -> None:
    drawn = ET.fromstring(record_tour.drawn(["$ clusterprint up", "", "a <b> & c"]))  # noqa: S314 - ours
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["$ clusterprint up", "a <b> & c"]


@pytest.mark.slow
@pytest.mark.terraform
def test_the_recorded_session_is_what_the_commands_say(tmp_path: Path) -> None:
    record_tour.main([str(tmp_path / "tour.svg")])
    assert (tmp_path / "tour.svg").read_text() == record_tour.PICTURE.read_text(), (
        "remake it: python tools/record_tour.py"
    )
