"""What a newcomer meets: typical mistakes are answered by place and fix in the first lines."""

from pathlib import Path

import pytest
from command_lines import problem_of
from newcomer.trial import MISTAKES, TASKS, Mistake, answer
from support import BLUEPRINTS


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.name)
def test_the_first_lines_name_the_place_and_the_fix(mistake: Mistake, tmp_path: Path) -> None:
    score, first = answer(mistake, tmp_path)
    assert score == 2, first


def test_tasks_are_commands_that_exist_about_blueprints_that_exist() -> None:
    for task in TASKS:
        assert (BLUEPRINTS / f"{task.blueprint}.yaml").is_file()
        for line in task.commands:
            assert not problem_of(line.split()), line
