"""The change itself: one cluster after the other, idea by idea, resource by resource."""

from collections.abc import Iterator

from clusterprint.review.model import Cause, Change, Cluster, DiffLine, Group, OutputChange, ValueChange
from clusterprint.review.render.html import diagram
from clusterprint.review.render.html.labels import becomes, counts, place, status, value
from clusterprint.review.render.html.markup import Markup, join, tag
from clusterprint.review.render.html.parts import table
from clusterprint.words import counted

_DIFF = {"same": " ", "added": "+", "removed": "-", "gap": "\N{VERTICAL ELLIPSIS}"}
_WEIGHTY = {"removed", "replaced"}  # what a reviewer wants to see without opening it
_WHOLE = {"added", "removed"}  # what happens to a cluster and to everything in it


def cluster(found: Cluster, anchor: str) -> Markup:
    """Everything about one cluster."""
    kind = tag("span", found.kind, class_="kind") if found.kind else None
    return tag(
        "section",
        tag("h2", kind, found.name, status(found.status), id=anchor),
        *_about(found),
        counts(found.counts),
        _causes(found.causes, anchor),
        diagram.figure(found, anchor),
        *(_group(each, found, anchor) for each in found.groups),
        _outputs(found.outputs),
        class_="cluster",
        aria_labelledby=anchor,
    )


def unchanged(found: Cluster, anchor: str) -> Markup:
    """A cluster to which nothing happens: there, and folded."""
    name = tag("span", tag("b", found.name), f" {found.kind}", class_="name")
    body = tag("div", *_about(found), diagram.figure(found, anchor), class_="folded")
    return tag("details", tag("summary", name), body, class_="group")


def _about(found: Cluster) -> Iterator[Markup]:
    if found.files:
        yield tag("p", join([tag("code", file) for file in found.files], ", "), class_="files")
    if found.previous_name:
        yield tag("p", "It was called ", tag("b", found.previous_name), " before.")
    yield from (tag("p", note, class_="note") for note in found.notes)


def _causes(causes: tuple[Cause, ...], anchor: str) -> Markup:
    """The changes of blueprints, each with an anchor that resource changes refer to."""
    if not causes:
        return Markup()
    items = [
        tag("li", place(each.place), " ", _cause(each), id=f"{anchor}-cause-{number}")
        for number, each in enumerate(causes)
    ]
    return tag("div", tag("h3", "What was written"), tag("ul", *items, class_="causes"), class_="written")


def _cause(each: Cause) -> Markup:
    key = tag("b", each.place.key or "blueprint")
    if not each.before and not each.after:
        return key
    before = tag("del", each.before) if each.before else tag("i", "not there")
    after = tag("ins", each.after) if each.after else tag("i", "gone")
    return join([key, ": ", becomes(before, after)])


def _group(group: Group, found: Cluster, anchor: str) -> Markup:
    name = f" {group.name}" if group.name else ""
    heading = tag("span", tag("b", group.idea), name, class_="name")
    size = tag(
        "span", counted(sum(max(len(each.instances), 1) for each in group.changes), "resource"), class_="size"
    )
    return tag(
        "details",
        tag("summary", heading, status(group.status), size),
        *(change(each, found.causes, anchor) for each in group.changes),
        class_="group",
        # Where a whole cluster comes or goes, that is what there is to see.
        open=found.status not in _WHOLE and any(each.action in _WEIGHTY for each in group.changes),
    )


def change(found: Change, causes: tuple[Cause, ...] = (), anchor: str = "") -> Markup:
    """The change of one resource, or of several of a kind."""
    return tag(
        "article",
        tag("h4", status(found.action), found.title or found.type),
        tag("p", tag("code", found.address), " in ", found.stack, class_="address"),
        tag("p", "was ", tag("code", found.previous_address)) if found.previous_address else None,
        tag("p", found.reason) if found.reason else None,
        _forced(found),
        tag("p", "The new one is made before the old one goes.") if found.create_first else None,
        _asked_for(found, causes, anchor),
        _values(found.values),
        _instances(found.instances),
        class_=f"change s-{found.action}",
    )


def _forced(found: Change) -> Markup:
    if not found.forced_by:
        return Markup()
    items = (
        tag("li", tag("code", each.path), " cannot be changed in place. ", tag("small", each.source))
        for each in found.forced_by
    )
    return tag("ul", *items, class_="forced")


def _asked_for(found: Change, causes: tuple[Cause, ...], anchor: str) -> Markup:
    """The lines of the blueprint that this comes from."""
    links = [
        tag(
            "a",
            f"{causes[number].place.file}:{causes[number].place.line} {causes[number].place.key}".strip(),
            href=f"#{anchor}-cause-{number}",
        )
        for number in found.causes
        if number < len(causes)
    ]
    if links:
        return tag("p", "because of ", join(links, ", "), class_="because")
    return tag("p", "asked for at ", place(found.place), class_="because") if found.place else Markup()


def _values(values: tuple[ValueChange, ...]) -> Markup:
    short = [
        (tag("code", each.path), value(each.before), value(each.after)) for each in values if not each.diff
    ]
    head = ("argument", "before", "after")
    return join(
        [table(head, short, "Arguments") if short else None, *(_diff(each) for each in values if each.diff)]
    )


def _diff(found: ValueChange) -> Markup:
    """A long text, line by line; the sign stands in the text, so colour is not all there is."""
    lines = [_diff_line(each) for each in found.diff]
    return tag(
        "figure",
        tag("figcaption", tag("code", found.path)),
        tag("pre", join(lines), tabindex=0, role="region", aria_label=f"changed lines of {found.path}"),
        class_="diff",
    )


def _diff_line(line: DiffLine) -> Markup:
    told = f"{_DIFF[line.sign]} {line.text}".replace("\n", " ")
    return join([tag("span", told, class_=f"line l-{line.sign}"), "\n"])


def _instances(instances: tuple[str, ...]) -> Markup:
    if len(instances) < 2:  # noqa: PLR2004 - one is the address above
        return Markup()
    items = tag("ul", *(tag("li", tag("code", each)) for each in instances), class_="plain")
    return tag("details", tag("summary", counted(len(instances), "instance")), items)


def _outputs(outputs: tuple[OutputChange, ...]) -> Markup:
    if not outputs:
        return Markup()
    rows = [
        (tag("code", f"{each.stack}.{each.name}"), value(each.before), value(each.after)) for each in outputs
    ]
    name = tag("span", tag("b", "outputs"), class_="name")
    size = tag("span", counted(len(outputs), "output"), class_="size")
    listed = table(("output", "before", "after"), rows, "Outputs")
    return tag("details", tag("summary", name, size), listed, class_="group")
