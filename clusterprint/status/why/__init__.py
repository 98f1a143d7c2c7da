"""Why something waits: the first cause of each job and pod that does not run, and the field to change.

`objects` reads what the Kubernetes API has, `evidence` collects what controllers wrote about one job, `fit`
compares a pod with the nodes, `causes.json` says what each text means, with the source of its words.
The row that stands first is the first cause: rows are in the order in which a job gets to run (queue,
provisioning, controller, volumes, autoscaler, scheduler, kubelet), of the scheduler from its last filter
to its first: a node that passed more is nearer to the cause. `places` finds the line of the blueprint.
"""
