"""The inside of Kubernetes clusters: why something waits (`walk`), and whether it is what was written.

`objects` reads what the Kubernetes API has, `places` finds the line of the blueprint. Of what waits,
`evidence` collects what controllers wrote about one job, `fit` compares a pod with the nodes, and
`causes.json` says what each text means, with the source of its words. The row that stands first is the first
cause: rows are in the order in which a job gets to run (queue, provisioning, controller, volumes, autoscaler,
scheduler, kubelet), of the scheduler from its last filter to its first: a node that passed more is nearer to
the cause. `conform` compares versions, nodes, components, queues and claims with the blueprint.
"""
