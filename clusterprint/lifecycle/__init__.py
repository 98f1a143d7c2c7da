"""Creating, changing and destroying clusters: Terraform runs the stacks, and everything is shown first.

    blueprints -> stacks -> work folders -> plan -> review -> consent -> apply of that very plan

`up` and `down` are the two ways through it; `terraform` is the one module that starts Terraform, `world`
decides whether that meets the real clouds or a simulated one. Nothing here prints: commands hand in a
`Display` and a way to ask. A step that is retried is planned again, and applied only if that changes nothing
that was not confirmed.
"""
