"""docs/reference: the risks and groups of risks that a policy can name."""

from clusterprint.review.policy.names import FORBIDDABLE
from docs_pages.markup import page, table

RISKS = """\
# Risks that a policy can name

`forbid` of a policy and `--allow` of a command take these names, and so do labels of pull requests. Groups
come first. [Reviews and policies](../review.md) has an example."""


def risks_page() -> str:
    """Everything that `forbid` and `--allow` can name."""
    rows = [(f"`{name}`", meaning) for name, meaning in FORBIDDABLE.items()]
    return page([RISKS, table(["name", "meaning"], rows)], "clusterprint/review/risk_names.py")
