"""Effects of a change on clusters: two sources, one report model, several renderings.

    sides ─ synthesized ─┐
                         ├─> Delta ─> assemble ─> Report ─> markdown | text | json | html
    terraform_plan ──────┘

A *delta* is one resource before and after, wherever that is known from. Everything that is said about a
change (its idea, what forces a replacement, risks, capacity, cost, the line of the blueprint) is worked
out from deltas and from the blueprints, and put into a `Report`: plain data, complete, deterministic.
Renderers only lay it out.
"""
