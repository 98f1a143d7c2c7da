"""The status of a blueprint's cluster: its stacks by Terraform, its nodes and jobs by their own reports.

`states` asks Terraform and looks for locks, `machines` asks the nodes, through the clouds' own programs
(`programs`); `cost` counts. `cluster` puts it together. Nothing is changed, and nothing here prints: what
could not be asked stands in the answer.
"""
