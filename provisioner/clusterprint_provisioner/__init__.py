"""The slice provisioner: creates TPU node pools for waiting jobs, and deletes them afterwards.

A round observes, decides and acts, and never has to be completed: the name of a pool follows from its job,
its purpose is stored on the pool, and failures are recorded before their evidence is deleted. The tests kill
it around each external call.

It is no kopf operator: actions follow from pods, jobs, nodes and pools together, so there is no handler per
object, and kopf would write its progress into the users' objects. The Kubernetes client connects and logs in
only.
"""

__version__ = "0.1.0"
