"""Ways into a cluster that stands: a shell, logs, dashboards, work; each is a command of the clouds' own.

`target` finds the cluster that a name means. `machines` (kinds vm and vmss) and `inside` (kinds gke and ray)
say which command it is; nothing here runs any.
"""
