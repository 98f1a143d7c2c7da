"""All topics of `explain`: problems of blueprints, by code."""

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from clusterprint import rules
from clusterprint.explanation import Explanation
from clusterprint.load import codes as load_codes
from clusterprint.validate import codes as validate_codes


class Group(NamedTuple):
    """Topics that belong together: those of one step, or of one folder of rules."""

    title: str
    topics: Sequence[Explanation]


def all_topics() -> dict[str, Explanation]:
    """All topics, in the order of the codes."""
    return {topic.code: topic for topic in sorted(topic for group in groups() for topic in group.topics)}


def groups() -> list[Group]:
    """All topics, in the order in which a blueprint meets them."""
    return [
        Group("Reading the file", load_codes.TOPICS),
        Group("Comparing it with the schema", validate_codes.TOPICS),
        *(Group(_title(folder), [each.topic for each in found]) for folder, found in rules.by_folder()),
    ]


def _title(folder: str) -> str:
    """The subject of a folder of rules: the first line of its docstring."""
    package = import_module(f"{rules.__name__}.{folder}")
    return (package.__doc__ or folder).partition("\n")[0].rstrip(".")
