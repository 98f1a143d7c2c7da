"""Everything that can be wrong with a blueprint, by code."""

from clusterprint import rules
from clusterprint.load import codes as load_codes
from clusterprint.topic import Topic
from clusterprint.validate import codes as validate_codes


def all_topics() -> dict[str, Topic]:
    """Every topic there is, in the order of the codes."""
    found = [*load_codes.TOPICS, *validate_codes.TOPICS, *(each.topic for each in rules.all_rules())]
    return {topic.code: topic for topic in sorted(found)}
