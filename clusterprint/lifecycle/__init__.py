"""From nothing to running to gone: Terraform runs the stacks of blueprints, and everything is shown first.

    blueprints -> stacks -> work folders -> plan -> review -> consent -> apply of that very plan

`up` and `down` are the two ways through it; `terraform` is the one module that starts Terraform, `world`
decides whether that meets the real clouds or a simulated one. Nothing here prints: commands hand in a
`Display` and a way to ask.
"""
