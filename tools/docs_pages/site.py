"""Pages that exist on the site only: made while `tools/site_hooks.py` builds it, and not committed."""

from functools import cache

from clusterprint import describe
from clusterprint.cli import explain_topics
from docs_pages.commands import commands_page, exit_codes_page, failures_page
from docs_pages.components import components_page
from docs_pages.kinds import kind_page
from docs_pages.machines import machines_page
from docs_pages.outputs import outputs_page
from docs_pages.problems import topic_page
from docs_pages.rights import rights_page
from docs_pages.risks import risks_page


@cache
def site_pages() -> dict[str, str]:
    """Markdown by its path below docs/: a page of each code, and the reference."""
    pages = {f"rules/{topic.code}.md": topic_page(topic) for topic in explain_topics.all_topics().values()}
    pages |= {f"reference/{kind.name}.md": kind_page(kind) for kind in describe.kinds()}
    pages["reference/cli.md"] = commands_page()
    pages["reference/outputs.md"] = outputs_page()
    pages["reference/exit-codes.md"] = exit_codes_page()
    pages["reference/failures.md"] = failures_page()
    pages["reference/machines.md"] = machines_page()
    pages["reference/components.md"] = components_page()
    pages["reference/rights.md"] = rights_page()
    pages["reference/risks.md"] = risks_page()
    return pages
