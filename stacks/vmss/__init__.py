"""`kind: vmss`.

Scale sets change in place, and instances are not upgraded automatically: the `features` block tells the
azurerm provider not to recreate running instances when their model changes. Neither the load balancer's port
range nor the custom data depends on the number of nodes, and the head ignores changes that would replace it,
so resizing affects the scale set only. The head publishes its key in a tag of its own machine, which
Terraform ignores.
"""
