"""What of a blueprint's cluster is there: its states as Terraform sees them, its nodes and jobs as they say.

`states` asks Terraform and looks for locks, `machines` asks the nodes, through the clouds' own programs
(`programs`); `cost` counts. `cluster` puts it together. Nothing is changed, and nothing here prints: what
could not be asked stands in the answer.
"""
