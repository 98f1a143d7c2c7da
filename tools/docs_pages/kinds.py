"""docs/reference: every field of each kind."""

from clusterprint import describe
from docs_pages.markup import code_block, page, prose, table


def kind_page(kind: describe.Field) -> str:
    """All fields of a kind, a table for each map."""
    parts = [f"# Kind `{kind.name}`", prose(kind.description)]
    parts.append(
        f"`clusterprint explain {kind.name}.KEY` prints the same in a terminal. Required keys are **bold**; "
        "a key that is left out has its default."
    )
    for field in describe.all_fields(kind):
        if field.keys:
            parts += map_section(field, kind)
    return page(parts, f"schema/{kind.name}.schema.json")


def map_section(field: describe.Field, kind: describe.Field) -> list[str]:
    """One map, or a list of them: what it is, its keys, an example."""
    parts = [] if field is kind else [f"## {place(field)}", prose(field.description), facts_line(field)]
    parts.append(table(("Key", "Meaning", "Takes"), map(key_row, field.keys)))
    parts.append(code_block(describe.example_in_place(field), "yaml"))
    return parts


def place(field: describe.Field) -> str:
    """A field without its kind, which the page is about anyway."""
    return field.name.partition(".")[2]


def facts_line(field: describe.Field) -> str:
    """The keys and values of a map, if its type has more than its keys."""
    a_map = describe.type_in_words({"type": "object"})
    told = [
        fact_in_words(heading, text) for heading, text in describe.facts(field) if text not in (a_map, "no")
    ]
    return "; ".join(told)


def key_row(field: describe.Field) -> tuple[str, str, str]:
    """One line of a table of keys."""
    name = f"[`{field.key}`](#{place(field).replace('.', '')})" if field.keys else f"`{field.key}`"
    takes = "<br>".join(fact_in_words(*fact) for fact in describe.facts(field) if fact[0] != "required")
    meaning = [prose(field.description)]
    for value, description in describe.allowed(field.schema):
        meaning.append(f"`{value}`: {prose(description)}" if description else f"`{value}`")
    return f"**{name}**" if field.required else name, "<br>".join(meaning), takes


def fact_in_words(heading: str, text: str) -> str:
    """A fact in a line of its own."""
    if heading == "required":
        return "required" if text == "yes" else "optional"
    if heading == "default":
        return f"default: `{text}`"
    return prose(text) if heading in ("type", "form", "limits") else f"{heading}: {prose(text)}"
