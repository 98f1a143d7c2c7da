"""A model of clusters in which machines are out of stock, a zone fails, or nodes are taken away.

It is a model of one cluster, by discrete events: pools of nodes by zone, jobs that need some of them at once,
queues with quotas, and the events of a scenario. It has no network, no disks and no other users. Nothing is
built, and no stack is synthesized: machines, prices, zones and jobs are those that `show`, `list` and reviews
derive from a blueprint. Each result is compared with a run without the events, so what is lost is lost by
them.

`setup` reads a blueprint, `scenario` and `read` a scenario; `engine` runs one in the other, with `state` and
`queues`; `answer` compares, `advice` runs again with one line of the blueprint changed, and `compare` is for
reviews. Rates and times are in `facts.json`, each with its source; one without a source is called an
assumption in every answer.
"""
