"""The changes of a cluster in Markdown, in forms of decreasing detail."""

from collections.abc import Iterator

from clusterprint.review.model import Change, Cluster, Group, ValueChange
from clusterprint.review.render import phrases
from clusterprint.review.render.markdown_text import code, fence, html, prose, table
from clusterprint.review.verdict import happening
from clusterprint.words import counted

_DIFF_SIGNS = {"same": " ", "added": "+", "removed": "-", "gap": "@"}

# How much each form says of a change.
_EVERYTHING, _NO_ADDED_VALUES, _NO_VALUES, _NO_ADDRESSES = range(4)


def cluster_forms(cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """From everything to nothing, each with what it leaves out."""
    name = cluster.name
    return (
        (_cluster(cluster, _EVERYTHING), ""),
        (_cluster(cluster, _NO_ADDED_VALUES), f"values of what is added in {name}"),
        (_cluster(cluster, _NO_VALUES), f"all values of {name}"),
        (_cluster(cluster, _NO_ADDRESSES), f"the resources of {name}"),
        (f"- {_in_words(cluster)}", f"everything but the counts of {name}"),
        ("", f"cluster {name}"),
    )


def _title(cluster: Cluster) -> str:
    """The title inside of HTML."""
    kind = f" ({cluster.kind})" if cluster.kind else ""
    return f"<b>{html(cluster.name)}</b>{html(kind)} {cluster.status}: {happening(cluster)}"


def _in_words(cluster: Cluster) -> str:
    """The title where Markdown is read."""
    kind = f" ({cluster.kind})" if cluster.kind else ""
    return f"**{prose(cluster.name + kind)}** {cluster.status}: {happening(cluster)}"


def _cluster(cluster: Cluster, form: int) -> str:
    parts = [f"- {prose(note)}" for note in cluster.notes]
    if cluster.causes:
        rows = [
            (code(phrases.where(each.place)), code(each.before or "(none)"), code(each.after or "(none)"))
            for each in cluster.causes
        ]
        parts.append(table(("In the blueprint", "Before", "After"), rows))
    parts += [_group(each, form) for each in cluster.groups]
    if cluster.outputs and form < _NO_VALUES:
        rows = [
            (code(each.name), code(phrases.value(each.before)), code(phrases.value(each.after)))
            for each in cluster.outputs
        ]
        parts.append(table(("Output", "Before", "After"), rows))
    opened = " open" if cluster.counts.replaced or cluster.counts.removed else ""
    body = "\n\n".join(parts)
    return f"<details{opened}><summary>{_title(cluster)}</summary>\n\n{body}\n\n</details>"


def _group(group: Group, form: int) -> str:
    name = f" {code(group.name)}" if group.name else ""
    heading = f"**{group.idea}**{name}"
    if form >= _NO_ADDRESSES:
        return f"{heading}: {counted(sum(len(each.instances) for each in group.changes), 'change')}"
    return "\n\n".join([heading, *(_change(each, form) for each in group.changes)])


def _change(change: Change, form: int) -> str:
    line = f"- {code(phrases.sign(change))} {prose(change.title)}: {code(change.address)}"
    if change.previous_address:
        line += f", was {code(change.previous_address)}"
    if change.forced_by:
        line += f", **forced by** {', '.join(code(each.path) for each in change.forced_by)}"
    if change.place:
        line += f" ← {code(phrases.where(change.place))}"
    if change.reason:
        line += f"<br>{prose(change.reason)}"
    shown = form == _EVERYTHING or (form == _NO_ADDED_VALUES and change.action != "added")
    if not shown or not change.values:
        return line
    # Two spaces more than the item, so that the block belongs to it.
    block = fence("\n".join(_lines(change)), "diff").replace("\n", "\n  ")
    if change.action == "added":
        return f"{line}\n  <details><summary>values</summary>\n\n  {block}\n\n  </details>"
    return f"{line}\n\n  {block}"


def _lines(change: Change) -> Iterator[str]:
    for value in change.values:
        yield from _value(value)


def _value(value: ValueChange) -> Iterator[str]:
    if value.diff:
        yield f"@@ {value.path} @@"
        yield from (f"{_DIFF_SIGNS[line.sign]} {_one_line(line.text)}" for line in value.diff)
        return
    if value.before.state != "absent":
        yield f"- {value.path}: {_one_line(phrases.value(value.before))}"
    if value.after.state != "absent":
        yield f"+ {value.path}: {_one_line(phrases.value(value.after))}"


def _one_line(text: str) -> str:
    return text.replace("\n", "\\n")
